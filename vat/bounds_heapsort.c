/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lower bounds of the second phase of heapsort, for n different keys in random
 * order (doc/heapsort-bound.md proves them; sequences of places are counted as
 * in Schaffer, Sedgewick: The analysis of heapsort, 1993).
 *
 * Step m, from n down to 2, sifts a key in a heap of N = m - 1 keys to place
 * v_m.  There are
 *
 *   H(n) = n! / product over all places v of the keys in the subtree of v
 *
 * heaps of n keys, and the first phase makes each with the same chance,
 * whatever it has accessed.  The places of the first steps and the heap of the
 * `left` keys after them determine it: H(n) / H(left) sequences of places occur
 * at least.  Let nodes of a layer span B keys.  From place B on, each step of a
 * way down leaves a node, so that a way misses one for each of its places but
 * those before B and those below the W nodes that are cached: s = (W + 1) B - 1
 * places.  They are known before the step, and are at best the s highest.  So
 * few ways miss little, and few sequences have such ways only.
 *
 * The places of a step determine which nodes it accesses if siblings are on one
 * page: the larger of two is read once more, which then repeats a path.
 *
 * Random keys of ours are different: they are splitmix64 of different counters,
 * which is a bijection.
 */
#include <math.h>

#include "vat/bounds_parts.h"

enum { BITS = 40, EXPONENTS = 24, EXPONENTS_PER_ONE = 16, LINES_MOST = 64 };

/* Stirling's formula is below log2 n! by at most log2(e) / (12 n). */
static double factorial_least(double n) {
  return (n + 0.5) * log2(n) - n / log(2) + log2(2 * acos(-1)) / 2;
}

static double factorial_most(double n) {
  return factorial_least(n) + 1 / (12 * n * log(2));
}

/* The sum of log2(keys in the subtree) over all places.  On a level there are
 * full subtrees, then one with the last key, then full ones that are a level
 * less high. */
static double subtrees(double n) {
  double sum = 0;
  for (int x = 0; ldexp(n, -x) >= 1; x++) {
    double first = ldexp(1, ilogb(n) - x), last = floor(ldexp(n, -x));
    double full = ldexp(1, x + 1) - 1,
           partial = n - ldexp(last, x) + ldexp(1, x);
    sum += (last - first) * log2(full) + log2(partial);
    if (x > 0) sum += (2 * first - 1 - last) * log2(ldexp(1, x) - 1);
  }
  return sum;
}

/* The mean of log2 between two values of a linear function. */
static double mean_log2(double from, double to) {
  double growth = to / from - 1, mean = growth / 2; /* ln(1 + x) <= x */
  if (growth > 1e-6) mean = ((1 + growth) * log1p(growth) - growth) / growth;
  return log2(from) + mean / log(2);
}

/* log2 of (H(n) / H(left)), at least. */
static double heaps(double n, double left) {
  return factorial_least(n) - factorial_most(left) -
         (subtrees(n) - subtrees(left));
}

/*
 * The most, over `left`, of log2(H(n) / H(left)) less the sum of log2 Z_N over
 * N = left .. n - 1.  Z_N is the sum over v <= N of 2^(-exponent f), where f is
 * the number of places after s on the way to v and on to a child of it.  From s
 * on it grows with N by (3 - 2^exponent) / 2 * 2^(-exponent j) where j halvings
 * bring N to s or less.  So its logarithm is concave between `held` 2^j - 1, j
 * = 0, 1, ..., `held` = s + 1, and the sum is at most the integral and half of
 * what it grows by.  counts[j] is log2(H(n) / H(held 2^j)).
 */
static double most_left(double n, double held, const double *counts,
                        double exponent) {
  double slope = (3 - exp2(exponent)) / 2, best = 0, sum = 0;
  double end = n - 1, z[LINES_MOST] = {held - 1};
  int lines = 0;
  for (; ldexp(held, lines) < n; lines++) {
    double keys = fmin(ldexp(held, lines + 1), n) - ldexp(held, lines);
    z[lines + 1] = z[lines] + slope * exp2(-exponent * (lines + 1)) * keys;
  }
  while (lines-- > 0) {
    double begin = ldexp(held, lines) - 1, from = z[lines], to = z[lines + 1];
    sum += (end - begin) * mean_log2(from, to) + (log2(to) - log2(from)) / 2;
    best = fmax(best, counts[lines] - sum);
    end = begin;
  }
  return best;
}

double vat_bounds_unwind_topdown_least(double n, double held, double bits) {
  double best = 0, counts[LINES_MOST];
  for (int j = 0; ldexp(held, j) < n; j++) counts[j] = heaps(n, ldexp(held, j));
  for (int i = 1; i <= EXPONENTS; i++) {
    double exponent = (double)i / EXPONENTS_PER_ONE;
    double most = most_left(n, held, counts, exponent);
    best = fmax(best, (most - bits) / exponent);
  }
  return best;
}

/*
 * Bottom-up the hole goes to a leaf, from which the key climbs c_m levels to
 * v_m; what is accessed follows from both.
 *
 * Climbs are no more than the height of v_m, and few: the sum over v <= N of
 * 2^(2/3 height) is at most N / 2 / (1 - 2^(-1/3)), so that all but a share of
 * 2^-bits of the heaps have no more than `climbs` together.
 *
 * The sum over leaves of 2^-f is at most (s + 1) / 2, as that of 2^-depth is at
 * most 1 in any binary tree.  The sum over leaves and climbs of 2^(-f - c / 3)
 * is 1 / (1 - 2^(-1/3)) times as much.  The last `left` steps would only lower
 * the bound: f is 4 at most.
 */
double vat_bounds_unwind_least(double n, double held, double bits) {
  double left = 16 * held, steps = n - left, climb = -log2(1 - cbrt(0.5));
  if (left >= n) return 0;
  double sizes = subtrees(n) - subtrees(left);
  double climbs = (sizes - log2(n / left) + steps * (climb - 1) + bits) * 1.5;
  double ways = steps * (log2(held) - 1 + climb);
  return fmax(0, heaps(n, left) - ways - climbs / 3 - bits);
}

/* All layers, but for a share of 2^-BITS of all orders; 2^-30 n of bits is more
 * than sums are off by rounding. */
static double layers(const struct vat_bounds_case *c,
                     double (*least)(double n, double held, double bits)) {
  double n = (double)c->n, sum = 0;
  if (vat_bounds_pair(c) > 1) return 0;
  double bits = BITS + 1 + log2(c->tree.levels) + ldexp(n, -30);
  for (unsigned i = 0; i < c->tree.levels; i++)
    sum += least(n, ((double)c->nodes + 1) * vat_bounds_span(c, i), bits);
  return sum;
}

static double online(const struct vat_bounds_case *c) {
  return vat_bounds_heapify_lower(c) + layers(c, vat_bounds_unwind_least);
}

static double online_topdown(const struct vat_bounds_case *c) {
  return vat_bounds_heapify_levels_lower(c) +
         layers(c, vat_bounds_unwind_topdown_least);
}

/* Whatever the policy, the last key takes the place of the first for all n, so
 * that the whole heap is touched a second time: all of it but W nodes is missed
 * again. */
static double again(const struct vat_bounds_case *c) {
  return fmax(0, vat_bounds_heapify_lower(c) - (double)c->nodes);
}

double vat_bounds_heapsort_lower(const struct vat_bounds_case *c) {
  return fmax(vat_bounds_heapify_lower(c) + again(c),
              vat_bounds_online(c, online, 0, 0));
}

double vat_bounds_heapsort_topdown_lower(const struct vat_bounds_case *c) {
  return fmax(vat_bounds_heapify_levels_lower(c) + again(c),
              vat_bounds_online(c, online_topdown, 0, 0));
}
