/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/results/ratio.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static double uniform(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return (double)(*state >> 8) / (1 << 24);
}

/* 95 % is promised: of three or more pairs around 1, the intervals of 200
 * trials leave 1 out about one time in twenty. */
static void test_intervals_cover_what_they_promise(void) {
  unsigned state = 5;
  for (size_t pairs = 3; pairs <= 12; pairs++) {
    int outside = 0;
    for (int trial = 0; trial < 200; trial++) {
      double ratios[12];
      struct ratio ratio;
      for (size_t i = 0; i < pairs; i++)
        ratios[i] = exp(0.2 * (uniform(&state) + uniform(&state) +
                               uniform(&state) + uniform(&state) - 2));
      ratio_of_pairs(ratios, pairs, &ratio);
      outside += ratio.lo > 1 || ratio.hi < 1;
    }
    CU_ASSERT(outside <= 24); /* 10 expected, deviation 3 */
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The order statistics around the median at 2.5 % are where the bootstrap of
 * the median must end up: an independent way to the same interval. */
static void test_bootstrap_agrees_with_order_statistics(void) {
  enum { PAIRS = 101 };
  double ratios[PAIRS], sorted[PAIRS];
  unsigned state = 7;
  for (int i = 0; i < PAIRS; i++) ratios[i] = 0.5 + 0.4 * uniform(&state);
  memcpy(sorted, ratios, sizeof sorted);
  qsort(sorted, PAIRS, sizeof *sorted, compare);
  struct ratio ratio;
  ratio_of_pairs(ratios, PAIRS, &ratio);
  CU_ASSERT_DOUBLE_EQUAL(ratio.value, sorted[PAIRS / 2], 1e-12);
  /* Binomial(101, 1/2): mean 50, deviation 5; 1.96 of them is rank 40 to 60. */
  CU_ASSERT(ratio.lo >= sorted[37] && ratio.lo <= sorted[43]);
  CU_ASSERT(ratio.hi >= sorted[57] && ratio.hi <= sorted[63]);
}

static void test_intervals_hold_the_median_and_repeat(void) {
  unsigned state = 11;
  for (size_t pairs = 3; pairs < 40; pairs++) {
    double ratios[40];
    struct ratio one, two;
    for (size_t i = 0; i < pairs; i++) ratios[i] = 0.9 + 0.2 * uniform(&state);
    ratio_of_pairs(ratios, pairs, &one);
    ratio_of_pairs(ratios, pairs, &two);
    CU_ASSERT(one.lo <= one.value && one.value <= one.hi);
    if (pairs >= RATIO_BOOTSTRAP_PAIRS)
      CU_ASSERT(one.lo >= 0.9 && one.hi <= 1.1);
    CU_ASSERT(one.lo == two.lo && one.hi == two.hi);
  }
}

static const struct check_test tests[] = {
    {"intervals cover what they promise",
     test_intervals_cover_what_they_promise},
    {"the bootstrap agrees with order statistics",
     test_bootstrap_agrees_with_order_statistics},
    {"intervals hold the median, and repeat",
     test_intervals_hold_the_median_and_repeat},
    {NULL, NULL},
};

const struct check_suite suite_ratio = {
    .name = "ratio",
    .tests = tests,
};
