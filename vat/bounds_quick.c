/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Section 2.5 has O(n / P log(n / P)) for quicksort.  Introsort partitions a
 * range by Lomuto's method: one hand goes from its left to its right end, the
 * other one behind it up to where the pivot will be.  Plain quicksort does by
 * Hoare's: one hand from each end, until they meet.
 */
#include <math.h>

#include "vat/bounds_parts.h"

static double touched(const struct vat_bounds_case *c, const void *arg,
                      double keys) {
  double sum = 0, n = (double)c->n;
  (void)arg;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += fmin(vat_bounds_at_most(c, i, keys), vat_bounds_above(c, i, n));
  return sum;
}

/* The longest range all whose nodes, and that of the key before it, fit W. */
static double longest_kept(const struct vat_bounds_case *c) {
  return vat_bounds_remembered(c, touched, NULL);
}

/*
 * Each partition looks at all keys of its range, of which at most W nodes are
 * there: so it costs at least m times the sum of 1 / (P K^i), less W, for m
 * keys, whatever the policy.  That grows and is convex in m, and so is the sum
 * over all ranges of the best choice of pivots, which then are all medians.
 */
double vat_bounds_quicksort_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0, density = 0, missed;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    density += 1 / vat_bounds_span(c, i);
  for (int depth = 0; depth < 63; depth++) {
    double keys = ldexp(n + 1, -depth) - 1;
    missed = keys * density - (double)c->nodes;
    if (missed <= 0) break;
    sum += ldexp(missed, depth);
  }
  return c->n > 1 ? fmax(vat_bounds_all(c, n), sum) : 0;
}

/*
 * Keys of all ranges of more than `kept` keys, and of their left parts.  The
 * first are 12/7 (n + 1) ln((n + 1) / (kept + 1)) and at most n + 1 in the
 * expectation, for a random order and the median of three (Knuth, TAOCP 3,
 * 5.2.2; exact recurrences agree, tests/vat/test_bounds.c), the others not half
 * as many.
 *
 * How chance sets them off follows Roesler (A limit theorem for quicksort,
 * RAIRO 25, 1991): let U be the part of the keys that goes left, with density 6
 * u (1 - u), and C = 1 + U + 18/7 (U ln U + (1 - U) ln(1 - U)) what a partition
 * costs more than it brings nearer.  If E exp(x C + x^2 k (U^2 + (1 - U)^2 -
 * 1)) <= 1 for all x from 0 to y, then the sum is t n more than expected with a
 * probability of at most exp(k y^2 - y t).  y = 2.5 has k = 0.665, and t = 7.19
 * makes that 1e-6.
 */
static double partitioned(double n, double kept) {
  double expected = 12.0 / 7 * log((n + 1) / (kept + 1)) + 1;
  return 1.5 * (n + 1) * expected + 7.19 * n;
}

/*
 * A range whose nodes fit W is sorted with each of them missed once at most,
 * under LRU.  Each longer one costs what is above it, scanned by one hand, and
 * above its left part, scanned by the other: two nodes a layer more than there
 * are spans, each; and paths to its middle, last and first key, to the first
 * again at the end, and to the key before it.  There is one range that is kept
 * more than there are longer ones, and each begins and ends within a node. That
 * is at most 11 nodes of a layer for each longer range, of more than `kept`
 * keys.
 */
double vat_bounds_quicksort_upper(const struct vat_bounds_case *c) {
  double n = (double)c->n, path = vat_bounds_several(c, n);
  if (c->n < 2) return 0;
  double all = vat_bounds_all(c, n);
  if (all <= (double)c->nodes) return all;
  double kept = longest_kept(c), density = vat_bounds_density(c, n);
  if (c->nodes < 4 * (c->tree.levels + 1) || kept < 16) return INFINITY;
  return vat_bounds_single(c, n) + n * density + 2 * path +
         (density + 11 * path / kept) * partitioned(n, kept);
}

/*
 * The keys of all ranges of more than `kept` keys, for random pivots: X(n) = n
 * + 2 / n sum of X(i) over i < n has X(n) / (n + 1) = 2 (H(n + 1) - H(kept +
 * 2)) + 1 + 1 / (n + 1) - 2 / (kept + 2) in the expectation, which is less than
 * 2 ln((n + 1) / (kept + 1)) + 1.
 *
 * Chance as above, with C = 1 + 2 (U ln U + (1 - U) ln(1 - U)) for a uniform U.
 * Of all ranges, kept ones too, y = 2.6 has k = 0.675.  To leave out the kept
 * ones sets X / n off more where n is a few times `kept`: then E exp(y (X -
 * bound) / n) is at most exp(5.68) by the exact recurrences up to 2300 keys
 * (tests/vat/test_bounds_plain.c), which grow no more there; that it is for all
 * n is not proved.  7.5 makes exp(5.68 - 2.6 t) less than 1e-6.
 */
static double split_at_random(double n, double kept) {
  return (n + 1) * (2 * log((n + 1) / (kept + 1)) + 1) + 7.5 * n;
}

/*
 * A range whose nodes fit W costs each of them once at most, under LRU.  Each
 * longer one costs of a layer what its two hands scan, two nodes more each than
 * there are spans, and three for the first key, twice, and the pivot's place.
 * While one hand moves, the other's path may be lost, which costs it once more:
 * but only if W - 2 (d + 1) nodes or more were new to the first one.  There is
 * one range that is kept more than there are longer ones, and each begins and
 * ends within a node.
 */
double vat_bounds_quicksort_plain_upper(const struct vat_bounds_case *c) {
  double n = (double)c->n, path = vat_bounds_several(c, n);
  if (c->n < 2) return 0;
  double all = vat_bounds_all(c, n), nodes = (double)c->nodes;
  if (all <= nodes) return all;
  double kept = longest_kept(c), density = vat_bounds_density(c, n);
  if (c->nodes < 4 * (c->tree.levels + 1) || kept < 1) return INFINITY;
  double again = 1 + path / (nodes - 2 * (c->tree.levels + 1));
  return vat_bounds_single(c, n) + n * density + 2 * path +
         (again * density + (4 * again + 5) * path / kept) *
             split_at_random(n, kept);
}
