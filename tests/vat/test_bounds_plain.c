/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the bounds of the thesis's own programs argue by: heaps level by level,
 * searches by halves, random pivots. */
#include <math.h>
#include <stdlib.h>

#include "tests/vat/suites_vat.h"
#include "vat/bounds.h"
#include "vat/bounds_parts.h"

enum { NODES_MOST = 8, ENDS_MOST = 192 };

/* Sift key i of n, key 0 unused; where it ends, counted in its subtree by
 * levels. */
static unsigned sift(unsigned *keys, unsigned i, unsigned n) {
  unsigned number = 0, x = i, child;
  while ((child = 2 * x) <= n) {
    if (child < n && keys[child] < keys[child + 1]) child++;
    if (keys[child] < keys[x]) break;
    unsigned key = keys[x];
    keys[x] = keys[child];
    keys[child] = key;
    number = 2 * number + 1 + child % 2;
    x = child;
  }
  return number;
}

static unsigned subtree(unsigned i, unsigned n) {
  return i > n ? 0 : 1 + subtree(2 * i, n) + subtree(2 * i + 1, n);
}

/* Each arrangement of the keys after the first `fixed`, and how often sifts end
 * where; `ends` counts all ways together. */
static void count_ends(unsigned *order, unsigned fixed, unsigned n,
                       unsigned *ends) {
  if (fixed <= n) {
    for (unsigned i = fixed; i <= n; i++) {
      unsigned key = order[fixed];
      order[fixed] = order[i], order[i] = key;
      count_ends(order, fixed + 1, n, ends);
      key = order[fixed], order[fixed] = order[i], order[i] = key;
    }
    return;
  }
  unsigned keys[NODES_MOST + 1], way = 0;
  for (unsigned i = 1; i <= n; i++) keys[i] = order[i];
  for (unsigned i = n / 2; i > 0; i--)
    way = way * subtree(i, n) + sift(keys, i, n);
  CU_ASSERT_FATAL(way < ENDS_MOST);
  ends[way]++;
}

/* Of 7 keys: 3 * 3 * 7 ways, each of 80 of the 5040 orders.  Of 8 keys the
 * places below node 2 are not full, 1 to 3 and the first of four: its numbers
 * are 0, 1, 2 and 3. */
static void test_sifts_end_anywhere_independently(void) {
  for (unsigned n = 2, orders = 2; n <= NODES_MOST; orders *= ++n) {
    unsigned order[NODES_MOST + 1], ends[ENDS_MOST] = {0}, ways = 1;
    for (unsigned i = 1; i <= n; i++) order[i] = i;
    for (unsigned i = n / 2; i > 0; i--) ways *= subtree(i, n);
    count_ends(order, 1, n, ends);
    for (unsigned way = 0; way < ways; way++)
      CU_ASSERT_EQUAL(ends[way] * ways, orders);
  }
}

/* By hand: 2^20 - 1 keys, pages of 2^9 keys, W = 2048.  A pass over level l
 * looks at all pages of the levels from l on, if a page is below 32 sifts or
 * more: 2^20 / 2^9 pages in all, less those above level l. */
static void test_a_pass_looks_at_all_below(void) {
  struct vat_bounds_case c = {
      .n = (1 << 20) - 1, .base = UINT64_C(1) << 32, .tree = {9, 12, 3}};
  c.nodes = 1 << 20;
  double once = vat_bounds_heapify_levels_lower(&c);
  CU_ASSERT_EQUAL(once, 2048 + 4 + 1 + 1);
  c.nodes = 4;
  double low = vat_bounds_heapify_levels_lower(&c);
  /* Passes 18 to 15: 3/4, 7/8, 15/16 and 31/32 of the pages, and the four
   * nodes above them once they are all reached; and no pass more than all. */
  CU_ASSERT(low > 2048 * (0.75 + 0.875 + 0.9375 + 0.96875));
  CU_ASSERT(low < 2052.0 * 19);
}

/* Pages of a word, 2^20 - 1 keys, W = 2.  Each of 2^(19 - h) nodes of height h
 * looks at itself, at a child, and at the level x below unless it ends at one
 * of 2^(x-1) - 1 nodes of at least 2^h - 1, or of all 2^(h+1) - 1 where that is
 * the last level.  Added up over x this is what stands below; and no more than
 * 3300 are left out for chance. */
static void test_passes_by_hand(void) {
  const struct vat_bounds_case c = {
      .n = (1 << 20) - 1, .tree = {20, 3, 1}, .nodes = 2};
  double sum = 2;
  for (int h = 1; h < 20; h++) {
    double half = ldexp(1, h - 1), all = ldexp(1, h) - 1;
    double ends = (half - h) / all + (half - 1) / (2 * all + 1);
    sum += ldexp(h + 1 - ends, 19 - h) - 2;
  }
  double low = vat_bounds_heapify_levels_lower(&c);
  CU_ASSERT(low < sum && low > sum - 3300);
}

/* A page that begins in the middle of parts may be all that two of them have:
 * half is counted. */
static void test_pages_across_parts_count_half(void) {
  struct vat_bounds_case c = {
      .n = (1 << 20) - 1, .tree = {9, 12, 3}, .nodes = 4};
  double aligned = vat_bounds_heapify_levels_lower(&c);
  c.base = 64;
  double across = vat_bounds_heapify_levels_lower(&c);
  CU_ASSERT(across < 0.51 * aligned && across > 0.45 * aligned);
}

static void test_less_is_missed_with_more_nodes(void) {
  struct vat_bounds_case c = {.base = 64 * 5, .tree = {3, 9, 9}};
  for (c.n = 2; c.n < UINT64_C(1) << 40; c.n = c.n * 5 / 3 + 1) {
    double least = INFINITY;
    for (c.nodes = 10; c.nodes < 1 << 20; c.nodes += c.nodes / 5) {
      double low = vat_bounds_heapify_levels_lower(&c);
      CU_ASSERT(low <= least && low >= vat_bounds_heapify_lower(&c));
      least = low;
    }
  }
}

/* The tree of 2^q - 1 keys is that of steps of powers of two in 2^q keys, but
 * for one key that each of those begins with: two derivations of one thing. */
static void test_halves_are_powers_of_two(void) {
  for (int lg_n = 19; lg_n < 40; lg_n += 5)
    for (unsigned k = 3; k < 10; k += 3)
      for (int lg_nodes = 6; lg_nodes < 14; lg_nodes += 2) {
        struct vat_bounds_case c = {.n = UINT64_C(1) << lg_n,
                                    .tree = {k, 12, 1},
                                    .nodes = UINT64_C(1) << lg_nodes};
        while (12 + k * c.tree.levels < (unsigned)lg_n + 3) c.tree.levels++;
        double low = vat_bounds_search_lower(&c);
        double high = vat_bounds_search_upper(&c);
        for (int less = 0; less < 2; less++, c.n--) {
          CU_ASSERT(fabs(vat_bounds_bisect_lower(&c) / low - 1) < 0.005);
          CU_ASSERT(fabs(vat_bounds_bisect_upper(&c) / high - 1) < 0.1);
        }
      }
}

static void test_bounds_of_halves_agree(void) {
  for (uint64_t n = 1; n < UINT64_C(1) << 40; n = n * 9 / 4 + 1)
    for (unsigned k = 1; k < 10; k += 2)
      for (unsigned p = 4; p < 13; p += 2)
        for (int lg_nodes = 5; lg_nodes < 20; lg_nodes += 2) {
          struct vat_bounds_case c = {
              .n = n, .tree = {k, p, 1}, .nodes = UINT64_C(1) << lg_nodes};
          while (p + k * c.tree.levels < 44) c.tree.levels++;
          if (c.nodes > c.tree.levels)
            CU_ASSERT(vat_bounds_bisect_lower(&c) <=
                      vat_bounds_bisect_upper(&c));
        }
}

enum { KEYS_MOST = 2300 };

/* X(n) = n + 2 / n sum of X(i), over ranges of more than `kept`, and what the
 * source has for it. */
static void test_the_sum_of_random_partitions(void) {
  static const int kept[] = {1, 16, 300};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    double sum = 0, harmonic = 0; /* of X before n; H(n + 1) - H(kept + 2) */
    for (int n = 1; n <= KEYS_MOST; n++) {
      double x = n > kept[i] ? n + 2 * sum / n : 0;
      double bound = (n + 1) * (2 * log((n + 1.0) / (kept[i] + 1)) + 1);
      sum += x;
      if (n <= kept[i]) continue;
      if (n > kept[i] + 1) harmonic += 1.0 / (n + 1);
      double exact = (n + 1) * (2 * harmonic + 1 - 2.0 / (kept[i] + 2)) + 1;
      CU_ASSERT_DOUBLE_EQUAL(x, exact, 1e-9 * x);
      CU_ASSERT(x <= bound);
    }
  }
}

/* ln E exp(y (X - bound) / n) by its recurrence: of a pivot at random, both
 * parts go on independently. */
static double exponent(int n, int kept, double y) {
  static double expected[KEYS_MOST + 1];
  for (int m = 0; m <= n; m++) {
    double sum = 0;
    for (int i = 0; m > kept && i < m; i++)
      sum += expected[i] * expected[m - 1 - i];
    expected[m] = m > kept ? exp(y * m / n) * sum / m : 1;
  }
  double bound = (n + 1) * (2 * log((n + 1.0) / (kept + 1)) + 1);
  return log(expected[n]) - y * bound / n;
}

/* With 7.5 n more than expected a million to one is left. */
static void test_the_chance_of_random_partitions(void) {
  static const int kept[] = {1, 16, 100, 500, 1000};
  double most = 0;
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    for (double over = 1.1; over < 12; over *= 1.2)
      if (over * kept[i] <= KEYS_MOST)
        most = fmax(most, exponent((int)(over * kept[i]), kept[i], 2.6));
  CU_ASSERT(most > 5 && most < 5.68);
  CU_ASSERT(exponent(KEYS_MOST, 1, 2.6) < 0.675 * 2.6 * 2.6);
  CU_ASSERT(5.68 - 2.6 * 7.5 < log(1e-6));
}

static const struct check_test tests[] = {
    {"sifts end anywhere, independently",
     test_sifts_end_anywhere_independently},
    {"a pass looks at all below", test_a_pass_looks_at_all_below},
    {"passes by hand", test_passes_by_hand},
    {"pages across parts count half", test_pages_across_parts_count_half},
    {"less is missed with more nodes", test_less_is_missed_with_more_nodes},
    {"halves are steps of powers of two", test_halves_are_powers_of_two},
    {"bounds of halves agree", test_bounds_of_halves_agree},
    {"the sum of random partitions", test_the_sum_of_random_partitions},
    {"the chance of random partitions", test_the_chance_of_random_partitions},
    {0}};

const struct check_suite suite_bounds_plain = {"bounds of plain programs",
                                               tests, NULL};
