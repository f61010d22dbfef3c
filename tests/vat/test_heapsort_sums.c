/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lower bound of heapsort's second phase, which vat/ sums up by formulas:
 * against its sums term by term, and against its closed form. */
#include <math.h>

#include "tests/vat/policy_fixture.h"
#include "tests/vat/suites_vat.h"
#include "vat/bounds.h"
#include "vat/bounds_parts.h"

enum { KEYS = 1000, BITS = 41, EXPONENTS = 24 };

static double heaps_log2(unsigned n) {
  static double sizes[2 * KEYS + 2];
  double sum = 0;
  for (unsigned v = 2 * n + 1; v > 0; v--) {
    sizes[v] = v > n ? 0 : 1 + sizes[2 * v] + sizes[2 * v + 1];
    if (v <= n) sum += log2(v) - log2(sizes[v]);
  }
  return sum;
}

static unsigned halvings(unsigned place, unsigned most) {
  unsigned count = 0;
  for (; place > most; place /= 2) count++;
  return count;
}

/* Z: the sum over places v <= m of what is left of 1 on the way to each of its
 * children, or to v where there is none, by halves. */
static double ways(unsigned m, const double *left) {
  double sum = 0;
  for (unsigned v = 1; v <= m; v++)
    sum += left[2 * v <= m ? 2 * v : v] + left[2 * v + 1 <= m ? 2 * v + 1 : v];
  return sum / 2;
}

/* The most over what is left after the first steps, `held` times a power of
 * two, and over exponents. */
static double topdown(unsigned n, unsigned held, double bits) {
  double best = 0, left[KEYS + 1];
  for (unsigned i = 1; i <= EXPONENTS; i++) {
    double exponent = i / 16.0, sum = heaps_log2(n) - bits;
    for (unsigned v = 1; v <= n; v++)
      left[v] = exp2(-exponent * halvings(v, held - 1));
    for (unsigned m = n - 1; m >= held; m--) {
      sum -= log2(ways(m, left));
      if (m % held == 0 && !(m / held & (m / held - 1)))
        best = fmax(best, (sum - heaps_log2(m)) / exponent);
    }
  }
  return best;
}

/* The sum over places of 2^(2/3 height), and what is taken for it. */
static double heights(unsigned m) {
  double sum = 0;
  for (unsigned v = 1; v <= m; v++)
    sum += exp2(2. / 3 * halvings(m, 2 * v - 1));
  return sum;
}

static double heights_most(unsigned m) { return m / (2 - exp2(2. / 3)); }

static double bottom_up(unsigned n, unsigned held, double bits) {
  unsigned left = 16 * held;
  if (left >= n) return 0;
  double heaps = heaps_log2(n) - heaps_log2(left);
  double climbs = bits - heaps, sum = heaps - bits;
  for (unsigned m = left; m < n; m++) {
    climbs += log2(heights_most(m));
    sum -= log2(held / 2.0 / (1 - exp2(-1. / 3)));
  }
  return fmax(0, sum - climbs / (2. / 3) / 3);
}

static void test_heights_are_small(void) {
  CU_ASSERT_DOUBLE_EQUAL(heights(3), 2 + exp2(2. / 3), 1e-9);
  for (unsigned m = 1; m <= KEYS; m++) CU_ASSERT(heights(m) <= heights_most(m));
  CU_ASSERT(heights(1 << 20) >= 0.98 * heights_most(1 << 20));
}

/* On each line of its sum vat/ is off by a little, to one side. */
static void compare(double bound, double reference) {
  CU_ASSERT(bound <= reference);
  CU_ASSERT(bound >= reference - 1);
}

static void test_sums_are_those_of_all_terms(void) {
  random_state = 31;
  for (unsigned i = 0; i < (check_is_brief() ? 20 : 100); i++) {
    unsigned n = 4 + (unsigned)below(KEYS - 3);
    unsigned held = 3 + (unsigned)below(1 + n / (1 + below(300)));
    double bits = (double)below(BITS);
    compare(vat_bounds_unwind_topdown_least(n, held, bits),
            topdown(n, held, bits));
    compare(vat_bounds_unwind_least(n, held, bits), bottom_up(n, held, bits));
  }
}

/* doc/heapsort-bound.md; and no bound is as much as is missed when the highest
 * places are held and all keys go to the last level. */
static void test_each_layer_costs_log_n(void) {
  for (double n = 4; n < 0x1p53; n *= 1.37)
    for (double held = 3; held < 2 * n; held *= 1.83) {
      double size = floor(n), range = floor(held), more = ceil(range * 1.01);
      double least = size * (log2(size / range) - 5.51) - 2 * BITS;
      double most = fmax(0, size * (log2(size / range) + 2));
      double up = vat_bounds_unwind_least(size, range, BITS);
      double down = vat_bounds_unwind_topdown_least(size, range, BITS);
      CU_ASSERT(up >= least && up <= most && up >= 0);
      CU_ASSERT(down >= least && down <= most && down >= 0);
      CU_ASSERT(vat_bounds_unwind_least(size, more, BITS) <= up);
      CU_ASSERT(vat_bounds_unwind_topdown_least(size, more, BITS) <= down);
    }
}

/* Nodes of layers 0 to 2 span 8, 64 and 512 keys, which are 2^20; the share is
 * divided among them, and what rounding may change is taken off. */
static void test_layers_add_up(void) {
  struct vat_bounds_case c = {.n = 1 << 20, .tree = {3, 6, 3}, .nodes = 31};
  const double bits = 41 + log2(3) + exp2(-10);
  double up = vat_bounds_heapify_lower(&c);
  double down = vat_bounds_heapify_levels_lower(&c);
  for (double keys = 8; keys < 513; keys *= 8) {
    up += vat_bounds_unwind_least(1 << 20, 32 * keys, bits);
    down += vat_bounds_unwind_topdown_least(1 << 20, 32 * keys, bits);
  }
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_heapsort_lower(&c), up, 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(vat_bounds_heapsort_topdown_lower(&c), down, 1e-3);
  struct vat_bounds_case less = c;
  c.nodes = 30, less.nodes = 15, less.policy = VAT_BOUNDS_MIN;
  up = vat_bounds_heapsort_lower(&c) / 2;
  down = vat_bounds_heapsort_topdown_lower(&c) / 2;
  CU_ASSERT_EQUAL(vat_bounds_heapsort_lower(&less), up);
  CU_ASSERT_EQUAL(vat_bounds_heapsort_topdown_lower(&less), down);
  less.policy = VAT_BOUNDS_ISMIN;
  CU_ASSERT_EQUAL(vat_bounds_heapsort_lower(&less), up);
  CU_ASSERT_EQUAL(vat_bounds_heapsort_topdown_lower(&less), down);
}

/* Where a heap is not much more than the cells hold. */
static void test_all_is_touched_twice(void) {
  struct vat_bounds_case c = {.n = 127, .tree = {4, 6, 1}};
  for (c.nodes = 6; c.nodes < 40; c.nodes++)
    for (c.policy = VAT_BOUNDS_RECENT; c.policy <= VAT_BOUNDS_ISMIN;
         c.policy++) {
      double again = 17 - fmin(17, (double)c.nodes);
      CU_ASSERT_EQUAL(vat_bounds_heapsort_lower(&c), 17 + again);
      CU_ASSERT_EQUAL(vat_bounds_heapsort_topdown_lower(&c),
                      vat_bounds_heapify_levels_lower(&c) + again);
    }
  c.n = 1;
  CU_ASSERT_EQUAL(vat_bounds_heapsort_lower(&c), 0);
  CU_ASSERT_EQUAL(vat_bounds_heapsort_topdown_lower(&c), 0);
}

static const struct check_test tests[] = {
    {"few places are high", test_heights_are_small},
    {"sums are those of all terms", test_sums_are_those_of_all_terms},
    {"each layer costs log n a key", test_each_layer_costs_log_n},
    {"layers add up", test_layers_add_up},
    {"all is touched twice", test_all_is_touched_twice},
    {0}};

const struct check_suite suite_heapsort_sums = {"sums of heapsort", tests,
                                                NULL};
