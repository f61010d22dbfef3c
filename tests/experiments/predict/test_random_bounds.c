/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `vat predict` simulates is between its bounds in random cases; for an
 * hour of them, `make check-bounds`. */
#include <config.h>
#include <stdlib.h>

#include "tests/bounds/random_bounds.h"
#include "tests/experiments/suites.h"

enum { SEED = 1, STREAMS_EACH = 12, LG_OPERATIONS = 14 };

static const char *skip_random_bounds(void) {
#ifdef HAVE_STREAMS
  return NULL;
#else
  return "this vat was built without address streams";
#endif
}

static void test_random_cases_are_within(void) {
  struct random_bounds all;
  random_bounds_init(&all, SEED, LG_OPERATIONS);
  size_t draws = STREAMS_EACH * all.forms * RANDOM_BOUNDS_POLICIES;
  for (size_t i = 0; i < draws; i++)
    CU_ASSERT_EQUAL_FATAL(random_bounds_draw(&all), 0);
  struct random_bounds_count sum = random_bounds_sum(&all);
  if (sum.violations) printf("\nseed %d\n", SEED);
  CU_ASSERT_EQUAL(sum.violations, 0);
  for (size_t i = 0; i < all.forms; i++)
    for (size_t p = 0; p < RANDOM_BOUNDS_POLICIES; p++) {
      const struct random_bounds_count *count = &all.counts[i][p];
      CU_ASSERT(count->cases >= STREAMS_EACH && count->open < count->cases);
    }
  free(all.counts);
}

static const struct check_test tests[] = {
    {"random cases are within", test_random_cases_are_within}, {0}};

const struct check_suite suite_random_bounds = {"random bounds", tests,
                                                skip_random_bounds};
