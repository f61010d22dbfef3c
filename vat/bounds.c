/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/bounds.h"

#include <math.h>

#include "vat/bounds_parts.h"

double vat_bounds_span(const struct vat_bounds_case *c, unsigned layer) {
  int lg = (int)(c->tree.page_bits + layer * c->tree.index_bits);
  return lg > VAT_BOUNDS_WORD_BITS ? ldexp(1, lg - VAT_BOUNDS_WORD_BITS) : 1;
}

double vat_bounds_above(const struct vat_bounds_case *c, unsigned layer,
                        double words) {
  if (words < 1) return 0;
  uint64_t beyond = (UINT64_MAX - c->base) / VAT_BOUNDS_WORD;
  uint64_t last = UINT64_MAX; /* where the addresses end before the words do */
  if (words - 1 < ldexp(1, 62) && (uint64_t)words - 1 <= beyond)
    last = c->base + VAT_BOUNDS_WORD * ((uint64_t)words - 1);
  uint64_t first = c->base >> c->tree.page_bits;
  last >>= c->tree.page_bits;
  return fmin(words, (double)(vat_tree_node(&c->tree, last, layer) -
                              vat_tree_node(&c->tree, first, layer) + 1));
}

double vat_bounds_all(const struct vat_bounds_case *c, double words) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += vat_bounds_above(c, i, words);
  return sum;
}

double vat_bounds_at_most(const struct vat_bounds_case *c, unsigned layer,
                          double words) {
  if (words < 1) return 0;
  if (layer == c->tree.levels) return 1;
  return fmin(words, ceil((words - 1) / vat_bounds_span(c, layer)) + 1);
}

double vat_bounds_single(const struct vat_bounds_case *c, double words) {
  double count = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    count += vat_bounds_above(c, i, words) <= 1;
  return count;
}

double vat_bounds_several(const struct vat_bounds_case *c, double words) {
  return c->tree.levels + 1 - vat_bounds_single(c, words);
}

double vat_bounds_density(const struct vat_bounds_case *c, double words) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    if (vat_bounds_above(c, i, words) > 1) sum += 1 / vat_bounds_span(c, i);
  return sum;
}

bool vat_bounds_begins_at(const struct vat_bounds_case *c, double word,
                          double words) {
  uint64_t address = c->base + VAT_BOUNDS_WORD * (uint64_t)word;
  int lg = ilogb(words) + VAT_BOUNDS_WORD_BITS;
  return lg >= 64 ? !address : !(address & ((UINT64_C(1) << lg) - 1));
}

int vat_bounds_steps(double n) { return ilogb(n) + 1; }

/* Hoeffding's form: exp(-2 s^2 / (n range^2)) = 1e-6. */
double vat_bounds_deviation(double n, double range) {
  return range * sqrt(n * log(1e6) / 2);
}

double vat_bounds_power_of_two(double n) {
  double power = 1;
  while (power < n) power *= 2;
  return power;
}

double vat_bounds_layers_within(const struct vat_bounds_case *c, double words) {
  double count = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    count += vat_bounds_span(c, i) <= words;
  return count;
}

double vat_bounds_remembered(const struct vat_bounds_case *c,
                             vat_bounds_rounds *touched, const void *arg) {
  double rounds = 0;
  for (double step = ldexp(1, 53); step >= 1; step /= 2)
    if (touched(c, arg, rounds + step + 1) <= (double)c->nodes) rounds += step;
  return rounds;
}

/* By theorem 2.14 LRU(2 W) <= 2 MIN(W). */
double vat_bounds_online(const struct vat_bounds_case *c,
                         vat_bounds_form *expected, double n, double range) {
  struct vat_bounds_case wide = *c;
  double parts = c->policy == VAT_BOUNDS_RECENT ? 1 : 2;
  bool fits = c->nodes <= UINT64_MAX / 2; /* else nothing is left to miss */
  wide.nodes = fits ? c->nodes * (uint64_t)parts : UINT64_MAX;
  return fmax(0, expected(&wide) - vat_bounds_deviation(n, range)) / parts;
}

double vat_bounds_by_policy(const struct vat_bounds_case *c,
                            vat_bounds_form *of_min) {
  struct vat_bounds_case less = *c;
  double parts = 1;
  if (c->policy == VAT_BOUNDS_RECENT) less.nodes /= 2, parts = 2;
  if (c->policy == VAT_BOUNDS_ISMIN) less.nodes -= c->tree.levels;
  return less.nodes > c->tree.levels ? parts * of_min(&less) : INFINITY;
}

double vat_bounds_cache_oblivious(const struct vat_bounds_case *c,
                                  vat_bounds_io *io, const void *arg) {
  double sum = 0;
  double a = floor((double)(c->nodes - 1) / c->tree.levels);
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double block = vat_bounds_span(c, i);
    sum += i < c->tree.levels ? io(a * block, block, arg) : 1;
  }
  return sum;
}

/* Each node on a path is loaded once, as the current path is kept: W > d. */
double vat_bounds_scan(const struct vat_bounds_case *c) {
  return vat_bounds_all(c, (double)c->n);
}

/* On layer i there are at least ceil(n / (P K^i)) of them, all in one if the
 * range begins where a node does. */
double vat_bounds_scan_lower(const struct vat_bounds_case *c) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += ceil((double)c->n / vat_bounds_span(c, i));
  return sum;
}

/* And at most one more, but for the root: d + sum of ceil(n / (P K^i)), as
 * printed ("Sequential Access"). */
double vat_bounds_scan_upper(const struct vat_bounds_case *c) {
  return c->n ? c->tree.levels + vat_bounds_scan_lower(c) : 0;
}

/* 2 d + K / (K - 1) n / P: the geometric sum over all layers. */
double vat_bounds_scan_printed(const struct vat_bounds_case *c) {
  double fanout = ldexp(1, (int)c->tree.index_bits);
  return 2 * c->tree.levels +
         fanout / (fanout - 1) * (double)c->n / vat_bounds_span(c, 0);
}

/* Each of d + 1 ceilings adds up to 1, so that printed it is one too few: two
 * keys across the middle of the address space touch 2d + 1 nodes.  Where a page
 * is less than a key, several layers may have a node for each key, which is no
 * geometric sum. */
double vat_bounds_scan_closed(const struct vat_bounds_case *c) {
  if (c->tree.page_bits < VAT_BOUNDS_WORD_BITS) return INFINITY;
  return vat_bounds_scan_printed(c) + 1;
}
