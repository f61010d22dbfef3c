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

/* 16 keys, the last of which ends with the addresses; doubles are not exact to
 * a key there. */
static void test_the_last_keys_of_all_addresses(void) {
  const struct vat_bounds_case c = {
      .n = 16, .base = UINT64_MAX - 127, .tree = {19, 6, 4}, .nodes = 100};
  CU_ASSERT_EQUAL(vat_bounds_above(&c, 0, 16), 2);
  CU_ASSERT_EQUAL(vat_bounds_above(&c, 0, 8), 1);
  CU_ASSERT_EQUAL(vat_bounds_scan(&c), 2 + 4);
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

/* Without ceilings the sum is geometric, for which a page has to hold a key: on
 * pages of a byte, K = 2, each of 100 keys has three nodes of its own. */
static void test_the_closed_scan_holds(void) {
  for (unsigned p = 0; p < 8; p++)
    for (unsigned k = 1; k <= 5; k += 2)
      for (uint64_t base = 0; base < 1 << 10; base += 8) {
        struct vat_bounds_case c = {
            .n = 100, .base = base, .tree = {k, p, 15 / k}};
        CU_ASSERT(vat_bounds_scan(&c) <= vat_bounds_scan_upper(&c));
        CU_ASSERT(vat_bounds_scan(&c) <= vat_bounds_scan_closed(&c));
        CU_ASSERT_EQUAL(isinf(vat_bounds_scan_closed(&c)) != 0, p < 3);
      }
  const struct vat_bounds_case bytes = {.n = 100, .tree = {1, 0, 10}};
  CU_ASSERT_EQUAL(vat_bounds_above(&bytes, 2, 100), 100);
  CU_ASSERT(vat_bounds_scan(&bytes) > vat_bounds_scan_printed(&bytes) + 1);
}

/*
 * 127 nodes in 16 pages of 8 keys, below a root.  Six cells hold the root and
 * twice the two pages below a subtree of height 1: there are runs on 3 levels,
 * with two ends each, and 31 higher nodes, 16, 8, 4, 2 and 1, of heights 2 to
 * 6, whose sifts touch as many pages, one, and the ends of 3 runs.  Ten cells
 * hold the four pages of height 3.
 */
static void test_heaps_by_hand(void) {
  struct vat_bounds_case c = {.n = 127, .tree = {4, 6, 1}, .nodes = 6};
  const double scan = 1 + 127.0 / 8;
  CU_ASSERT_EQUAL(vat_bounds_heapify_lower(&c), 17);
  CU_ASSERT_EQUAL(vat_bounds_heapsort_lower(&c), 17 + 17 - 6);
  CU_ASSERT_EQUAL(vat_bounds_heapify_upper(&c),
                  scan + 2 * 3 + 16 * 6 + 8 * 7 + 4 * 8 + 2 * 9 + 10);
  CU_ASSERT(isinf(vat_bounds_heapsort_upper(&c)));
  c.nodes = 10;
  /* The second phase, with 5 cells and twice: the root, two paths, and the page
   * of the top 3 levels, so that steps to the levels of 8, 16, 32 and 64 keys
   * are left; and as there is no room for a way, all of it twice. */
  const double below = (127 - 8) + (127 - 16) + (127 - 32) + (127 - 64);
  CU_ASSERT_EQUAL(vat_bounds_unwind_upper(&c), 2 * 2 * (1 + 1 + 16 + below));
  CU_ASSERT_EQUAL(
      vat_bounds_heapsort_upper(&c),
      scan + 2 * 5 + 4 * 10 + 2 * 11 + 12 + vat_bounds_unwind_upper(&c));
  c.nodes = 17;
  CU_ASSERT_EQUAL(vat_bounds_heapsort_upper(&c), 17);
  CU_ASSERT_EQUAL(vat_bounds_heapsort_lower(&c), 17);
}

/* Pages of one key below a root: W cells keep ranges of W - 2 keys, which have
 * to be 16 at least.  Halves of 100 keys are 49.5 and 24.25 keys long; then W
 * cells hold all. */
static void test_quicksort_by_hand(void) {
  struct vat_bounds_case c = {.n = 100, .tree = {9, 3, 1}, .nodes = 18};
  const double density = 1 + 1.0 / 512;
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_quicksort_lower(&c),
                         (100 * density - 18) + 2 * (49.5 * density - 18) +
                             4 * (24.25 * density - 18),
                         1e-9);
  double partitioned = 1.5 * 101 * (12.0 / 7 * log(101.0 / 17) + 1) + 719;
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_quicksort_upper(&c),
                         1 + 100 + 2 + (1 + 11.0 / 16) * partitioned, 1e-9);
  c.nodes = 17;
  CU_ASSERT(isinf(vat_bounds_quicksort_upper(&c)));
  c = (struct vat_bounds_case){.n = 1 << 20, .tree = {9, 12, 2}, .nodes = 11};
  CU_ASSERT(isinf(vat_bounds_quicksort_upper(&c))); /* four paths need 12 */
  c.nodes = 12;
  CU_ASSERT(isfinite(vat_bounds_quicksort_upper(&c)));
}

/*
 * 16 rows of 16 in pages of 8, then the transpose, all below a root: 64 pages.
 * A column of the transpose touches 16 leaves and the root; 15 other leaves
 * come between two accesses of one.  To keep a column takes 16 leaves, 2 more
 * where it moves on, 4 of the reads, and the root.  15 rows of 15 do not begin
 * where pages do: 15 leaves above two rows, and one above both matrices.
 */
static void test_transposes_by_rows_by_hand(void) {
  struct vat_bounds_case c = {.n = 16, .tree = {6, 6, 1}, .nodes = 15};
  CU_ASSERT_EQUAL(vat_bounds_rows_lower(&c), 16 * 16);
  CU_ASSERT_EQUAL(vat_bounds_rows_upper(&c), 65 + 16 * 16);
  c.nodes = 16;
  CU_ASSERT_EQUAL(vat_bounds_rows_lower(&c), 65);
  c.nodes = 22;
  CU_ASSERT_EQUAL(vat_bounds_rows_upper(&c), 65 + 16 * 16);
  c.nodes = 23;
  CU_ASSERT_EQUAL(vat_bounds_rows_upper(&c), 65);
  c.nodes = 5; /* less than three paths: each access misses one */
  CU_ASSERT_EQUAL(vat_bounds_rows_upper(&c), 2 * 256 * 2);
  c.policy = VAT_BOUNDS_MIN;
  CU_ASSERT_EQUAL(vat_bounds_rows_lower(&c), 16 * (17 - 5));
  c = (struct vat_bounds_case){.n = 15, .tree = {6, 6, 1}, .nodes = 21};
  CU_ASSERT_EQUAL(vat_bounds_rows_upper(&c), 58 + 15 + 1);
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
  const struct vat_bounds_case half = {.n = 1000,
                                       .tree = {9, 12, 4},
                                       .policy = VAT_BOUNDS_MIN,
                                       .nodes = UINT64_C(1) << 63};
  CU_ASSERT(vat_bounds_random_scan_lower(&half) <=
            vat_bounds_random_scan_upper(&half));
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
    {"the last keys of all addresses", test_the_last_keys_of_all_addresses},
    {"pages smaller than keys", test_pages_smaller_than_keys},
    {"the closed scan holds", test_the_closed_scan_holds},
    {"heaps by hand", test_heaps_by_hand},
    {"quicksort by hand", test_quicksort_by_hand},
    {"transposes by rows by hand", test_transposes_by_rows_by_hand},
    {"theorem 2.32 by hand", test_theorem_2_32_by_hand},
    {"theorem 2.32 bounds min", test_theorem_2_32_bounds_min},
    {"theorems 2.14 and 2.16", test_theorems_2_14_and_2_16},
    {"bounds of searches agree", test_bounds_of_searches_agree},
    {"the sum of partitions", test_the_sum_of_partitions},
    {"the chance of partitions", test_the_chance_of_partitions},
    {"the largest inputs", test_the_largest_inputs},
    {0}};

const struct check_suite suite_bounds = {"bounds", tests, NULL};
