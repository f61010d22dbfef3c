/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed forms against hand-computed cases and against what they bound, by
 * streams that are made here from the definitions. */
#include <math.h>
#include <stdlib.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"
#include "vat/bounds.h"
#include "vat/bounds_parts.h"

/* 10 keys from byte 48 on: two in the first page of 8, eight in the second;
 * those have a parent each, and the root. */
static void test_scans_by_hand(void) {
  const struct vat_bounds_case c = {
      .n = 10, .base = 48, .tree = {1, 6, 2}, .nodes = 3};
  CU_ASSERT_EQUAL(vat_bounds_scan(&c), 2 + 1 + 1);
  CU_ASSERT_EQUAL(vat_bounds_scan_lower(&c), 2 + 1 + 1);
  CU_ASSERT_EQUAL(vat_bounds_scan_upper(&c), 2 + 2 + 1 + 1);
  CU_ASSERT_EQUAL(vat_bounds_scan_printed(&c), 4 + 2 * 10.0 / 8);
  CU_ASSERT_EQUAL(vat_bounds_scan_closed(&c), 5 + 2 * 10.0 / 8);
}

/* Of pages of 16 bytes, and of less than a word, where a key is a page. */
static void test_pages_smaller_than_keys(void) {
  struct vat_bounds_case c = {.n = 6, .tree = {4, 2, 3}, .nodes = 4};
  CU_ASSERT_EQUAL(vat_bounds_scan(&c), 6 + 1 + 1 + 1);
  c.tree.page_bits = 4;
  CU_ASSERT_EQUAL(vat_bounds_scan(&c), 3 + 1 + 1 + 1);
  CU_ASSERT_EQUAL(vat_bounds_span(&c, 0), 2);
  CU_ASSERT_EQUAL(vat_bounds_span(&c, 1), 32);
}

static double scan_io(double memory, double block, const void *arg) {
  (void)memory;
  return 2 + floor(*(const double *)arg / block);
}

/* "A linear scan has IO-complexity at most 2 + floor(n / B)": 3 layers of 2 +
 * 100 / 8, / 16, / 32, and the root. */
static void test_theorem_2_32_by_hand(void) {
  const double n = 100;
  const struct vat_bounds_case c = {.n = 100, .tree = {1, 6, 3}, .nodes = 4};
  CU_ASSERT_EQUAL(vat_bounds_cache_oblivious(&c, scan_io, &n),
                  (2 + 12) + (2 + 6) + (2 + 3) + 1);
  CU_ASSERT(vat_bounds_scan(&c) <= vat_bounds_cache_oblivious(&c, scan_io, &n));
}

/* LRU's misses of the pages of `t` on nodes of one layer, with M / B cells: an
 * IO-complexity of a stream. */
static double lru_io(double memory, double block, const void *arg) {
  const struct trace *t = arg;
  uint64_t recent[PAGES * VAT_LAYERS_MAX];
  size_t used = 0, cells = (size_t)(memory / block);
  double misses = 0;
  for (size_t at = 0; at < t->count; at++) {
    uint64_t node = t->pages[at] / (uint64_t)block;
    size_t i = 0;
    while (i < used && recent[i] != node) i++;
    if (i == used) {
      misses++;
      if (used < cells) used++;
      i = used - 1;
    }
    for (; i > 0; i--) recent[i] = recent[i - 1];
    recent[0] = node;
  }
  return misses;
}

/* A page is a word here, of which the theorem speaks, whatever it is. */
static void test_theorem_2_32_bounds_min(void) {
  struct trace t;
  random_state = 232;
  for (unsigned stream = 0; stream < 300; stream++) {
    random_trace(&t);
    t.tree.page_bits = 3;
    struct vat_bounds_case c = {.tree = t.tree};
    t.tree.page_bits = 0;
    for (c.nodes = c.tree.levels + 1; c.nodes < 24; c.nodes++)
      CU_ASSERT((double)misses_of(&t, "min", c.nodes) <=
                vat_bounds_cache_oblivious(&c, lru_io, &t));
  }
}

static double ten_by_w(const struct vat_bounds_case *c) {
  return 10 * (double)c->nodes;
}

static void test_theorems_2_14_and_2_16(void) {
  struct vat_bounds_case c = {.tree = {1, 6, 3}, .nodes = 20};
  CU_ASSERT_EQUAL(vat_bounds_by_policy(&c, ten_by_w), 2 * 10 * 10);
  c.policy = VAT_BOUNDS_MIN;
  CU_ASSERT_EQUAL(vat_bounds_by_policy(&c, ten_by_w), 10 * 20);
  c.policy = VAT_BOUNDS_ISMIN;
  CU_ASSERT_EQUAL(vat_bounds_by_policy(&c, ten_by_w), 10 * 17);
  c.nodes = 6; /* 3 are no path */
  CU_ASSERT(isinf(vat_bounds_by_policy(&c, ten_by_w)));
  c.policy = VAT_BOUNDS_RECENT;
  CU_ASSERT(isinf(vat_bounds_by_policy(&c, ten_by_w)));
}

/* What is printed asks for less, and what is below is not above: at sizes, too,
 * that nobody would simulate here. */
static void test_bounds_of_searches_agree(void) {
  for (int lg_n = 10; lg_n < 40; lg_n += 3)
    for (unsigned k = 1; k < 10; k += 2)
      for (unsigned p = 4; p < 13; p += 2)
        for (int lg_nodes = 5; lg_nodes < 20; lg_nodes += 2) {
          struct vat_bounds_case c = {.n = UINT64_C(1) << lg_n,
                                      .tree = {k, p, 1},
                                      .nodes = UINT64_C(1) << lg_nodes};
          while (p + k * c.tree.levels < (unsigned)lg_n + 3) c.tree.levels++;
          if (c.nodes <= c.tree.levels) continue;
          double n = (double)c.n, low = vat_bounds_search_lower(&c);
          double chance = vat_bounds_deviation(n, lg_n * (c.tree.levels + 1));
          CU_ASSERT(vat_bounds_search_printed_lower(&c) <= low + chance);
          CU_ASSERT(low <= vat_bounds_search_upper(&c));
        }
}

/*
 * What the median of three partitions, ranges of more than M keys: the
 * recurrence X(n) = n + 2 sum over k of p(k) X(k), where k of n keys are less
 * than the pivot in k (n - 1 - k) of n (n - 1) (n - 2) / 6 ways.
 */
static void test_the_sum_of_partitions(void) {
  enum { MOST = 2000 };
  static double x[MOST + 1];
  static const int kept[] = {16, 50, 300};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    for (int n = 0; n <= MOST; n++) {
      double sum = 0, ways = (double)n * (n - 1) * (n - 2) / 6;
      for (int k = 1; k < n - 1; k++) sum += x[k] * k * (n - 1 - k);
      x[n] = n > kept[i] ? n + 2 * sum / ways : 0;
      double bound = (n + 1) * (12.0 / 7 * log((n + 1.0) / (kept[i] + 1)) + 1);
      CU_ASSERT(n <= kept[i] || (x[n] <= bound && x[n] > bound - 0.6 * n));
    }
}

/* And chance: E exp(x C + x^2 k (U^2 + (1 - U)^2 - 1)) <= 1 for k = 0.665 and x
 * up to 2.5, so that with a million to one it adds 7.19 n. */
static void test_the_chance_of_partitions(void) {
  enum { STEPS = 2000 };
  for (int i = 1; i <= 100; i++) {
    double x = 0.025 * i, sum = 0;
    for (int j = 0; j < STEPS; j++) {
      double u = (j + 0.5) / STEPS, v = 1 - u;
      double c = 1 + u + 18.0 / 7 * (u * log(u) + v * log(v));
      sum += 6 * u * v / STEPS * exp(x * c - x * x * 0.665 * 2 * u * v);
    }
    CU_ASSERT(sum <= 1 + 1e-6);
  }
  CU_ASSERT(0.665 * 2.5 * 2.5 - 2.5 * 7.19 <= log(1e-6));
}

/* Up to where addresses end, and sums are no longer exact. */
static void test_the_largest_inputs(void) {
  static vat_bounds_form *const uppers[] = {vat_bounds_permute_upper,
                                            vat_bounds_random_scan_upper,
                                            vat_bounds_heapsort_upper};
  for (unsigned lg = 50; lg <= 60; lg += 5) {
    const struct vat_bounds_case c = {.n = UINT64_C(1) << lg,
                                      .base = UINT64_C(1) << 32,
                                      .tree = {9, 12, 6},
                                      .nodes = 1536};
    for (size_t i = 0; i < sizeof uppers / sizeof *uppers; i++)
      CU_ASSERT(uppers[i](&c) > (double)c.n && isfinite(uppers[i](&c)));
    CU_ASSERT(vat_bounds_permute_lower(&c) > (double)c.n);
    CU_ASSERT(vat_bounds_permute_lower(&c) < vat_bounds_permute_upper(&c));
  }
}

static const struct check_test tests[] = {
    {"scans by hand", test_scans_by_hand},
    {"pages smaller than keys", test_pages_smaller_than_keys},
    {"theorem 2.32 by hand", test_theorem_2_32_by_hand},
    {"theorem 2.32 bounds min", test_theorem_2_32_bounds_min},
    {"theorems 2.14 and 2.16", test_theorems_2_14_and_2_16},
    {"bounds of searches agree", test_bounds_of_searches_agree},
    {"the sum of partitions", test_the_sum_of_partitions},
    {"the chance of partitions", test_the_chance_of_partitions},
    {"the largest inputs", test_the_largest_inputs},
    {0}};

const struct check_suite suite_bounds = {"bounds", tests, NULL};
