/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Section 2.5: theorem 2.32 sums the IO-complexity over the layers of the
 * translation tree, a layer's nodes being its blocks.  That of a search in the
 * van Emde Boas layout is printed as log_B n, without a constant.  Here it is
 * counted on a layout of nodes of 8 words and 3 levels, trees cut at half their
 * height, which begins at a multiple of 8 words, and pages of as many.
 */
#include <math.h>

#include "vat/bounds_parts.h"

enum { NODE = 8, NODE_BITS = 3 };

/* A node is never cut in two. */
static double block_of(const struct vat_bounds_case *c, unsigned layer) {
  return fmax(NODE, vat_bounds_span(c, layer));
}

/* Heights are in nodes of the layout, 8^height - 1 keys. */
static double words(unsigned height) {
  return NODE * (ldexp(1, (int)(NODE_BITS * height)) - 1) / (NODE - 1);
}

static unsigned height_of(uint64_t n) {
  unsigned height = 1;
  while (ldexp(1, (int)(NODE_BITS * height)) - 1 < (double)n) height++;
  return height;
}

/* Of the layout: of the bottom trees of the first cut, those with keys and one
 * more. */
static double all_words(uint64_t n) {
  unsigned height = height_of(n), top = height / 2;
  if (!top) return words(1);
  double span = ldexp(1, (int)(NODE_BITS * (height - top)));
  return words(top) + (floor((double)n / span) + 1) * words(height - top);
}

/*
 * Blocks of `size` words on a way from the root to a node of the last level.  A
 * tree that is no longer than a block lies in two at most, a single node in
 * one.  Addresses ascend on the way, as the top tree lies before the bottom
 * trees; so no block is come back to, and the path of the last address is all
 * that a TC needs to have kept.
 */
static double blocks(unsigned height, double size) {
  if (height <= 1) return height;
  if (words(height) <= size) return 2;
  unsigned top = height / 2;
  return blocks(top, size) + blocks(height - top, size);
}

double vat_bounds_veb_any(const struct vat_bounds_case *c) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += blocks(height_of(c->n), block_of(c, i));
  return (double)c->n * sum;
}

/*
 * With s the height of the highest tree that is no longer than a block, higher
 * ones are cut, so that no tree is left that has less than half of s + 1 levels
 * of nodes: a way goes through at most h / floor((s + 1) / 2) of them, of two
 * blocks each.  As 8^s grows with B and 8^h with n, that is about
 * 2 log n / (log B / 2).
 */
double vat_bounds_veb_closed(const struct vat_bounds_case *c) {
  double sum = 0, h = height_of(c->n);
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double s = floor(log2(block_of(c, i) * (NODE - 1) / NODE + 1) / NODE_BITS);
    sum += fmin(h, h <= s ? 2 : 2 * floor(h / floor((s + 1) / 2)));
  }
  return (double)c->n * sum;
}

/* n (log_P n + log_K n ln log_P(P K^d)). */
double vat_bounds_veb_printed(const struct vat_bounds_case *c) {
  double lg_n = log2((double)c->n), lg_page = log2(vat_bounds_span(c, 0));
  double lg_all = lg_page + c->tree.levels * c->tree.index_bits;
  return (double)c->n *
         (lg_n / lg_page + lg_n / c->tree.index_bits * log(lg_all / lg_page));
}

/* The same below the top tree of `kept` levels, a top tree of a top tree. */
static double blocks_below(unsigned height, unsigned kept, double size) {
  if (height <= kept) return 0;
  if (words(height) <= size) return 2;
  unsigned top = height / 2;
  return blocks_below(top, kept, size) + blocks(height - top, size);
}

/* Is there such a tree?  Each begins the memory of the one it is cut from. */
static int is_top(unsigned height, unsigned kept) {
  while (height > kept) height /= 2;
  return height == kept;
}

/* With the layers from `whole` on and the top `kept` levels in the TC; INFINITY
 * where they are too many for W. */
static double kept_misses(const struct vat_bounds_case *c, unsigned whole,
                          unsigned kept) {
  unsigned height = height_of(c->n);
  double cells = c->tree.levels + 1, misses = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double all = vat_bounds_at_most(c, i, all_words(c->n));
    double above = kept ? vat_bounds_at_most(c, i, words(kept)) : 0;
    cells += i >= whole ? all : above;
    misses += i >= whole ? all
                         : above + (double)c->n * blocks_below(height, kept,
                                                               block_of(c, i));
  }
  return cells <= (double)c->nodes ? misses : INFINITY;
}

double vat_bounds_veb_min(const struct vat_bounds_case *c) {
  double best = c->nodes > c->tree.levels ? vat_bounds_veb_any(c) : INFINITY;
  unsigned height = height_of(c->n);
  for (unsigned whole = 0; whole <= c->tree.levels + 1; whole++)
    for (unsigned kept = 0; kept <= height; kept++)
      if (!kept || is_top(height, kept))
        best = fmin(best, kept_misses(c, whole, kept));
  return best;
}

/* What the blocks of a tree miss whose root is `level` nodes down, where none
 * of the last s searches met them. */
static double missed(const struct vat_bounds_case *c, double s, unsigned level,
                     double count) {
  unsigned below = height_of(c->n) - level;
  double n = (double)c->n;
  double weight = fmin(1, ldexp(1, (int)(NODE_BITS * below)) / n);
  double most = exp(-1) / fmax(1, s), sum = pow(1 - weight, s);
  sum += fmin(weight, most); /* of the last tree of the level */
  if (count <= 1) return fmin(1, sum);
  double second = weight * (s + 1) <= 1 ? pow(1 - weight, s) : most / weight;
  return fmin(1, sum) + fmin(1, second + fmin(weight, most));
}

static double recent_blocks(const struct vat_bounds_case *c, double s,
                            unsigned level, unsigned height, double size) {
  if (height <= 1) return missed(c, s, level, 1);
  if (words(height) <= size) return missed(c, s, level, 2);
  unsigned top = height / 2;
  return recent_blocks(c, s, level, top, size) +
         recent_blocks(c, s, level + top, height - top, size);
}

/* Blocks that so many searches touch at most: of each tree that one may come
 * to. */
static double touched_blocks(double searches, unsigned level, unsigned height,
                             double size) {
  double trees = fmin(searches, ldexp(1, (int)(NODE_BITS * level)));
  if (height <= 1) return trees;
  if (words(height) <= size) return 2 * trees;
  unsigned top = height / 2;
  return touched_blocks(searches, level, top, size) +
         touched_blocks(searches, level + top, height - top, size);
}

static double touched(const struct vat_bounds_case *c, const void *arg,
                      double searches) {
  double sum = 0;
  (void)arg;
  unsigned height = height_of(c->n);
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += fmin(touched_blocks(searches, 0, height, block_of(c, i)),
                vat_bounds_above(c, i, all_words(c->n)));
  return sum;
}

/*
 * Under LRU a block is missed, but for the first time, only where none of the
 * last s searches has met it, as many as W nodes remember.  A tree of weight w,
 * below which are w n of the keys, is met by none of them with (1 - w)^s; its
 * second block by one search in 1 / w of those that come to the tree, or less:
 * x (1 - x)^s is at most 1 / (e s).
 */
static double recent(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0;
  double all = vat_bounds_all(c, all_words(c->n));
  double s = vat_bounds_remembered(c, touched, NULL);
  for (unsigned i = 0; i <= c->tree.levels; i++)
    if (vat_bounds_above(c, i, all_words(c->n)) > 1)
      sum += recent_blocks(c, s, 0, height_of(c->n), block_of(c, i));
  if (s < 1) return INFINITY;
  return n * sum + all + vat_bounds_deviation(n, 3 * touched(c, NULL, 1));
}

double vat_bounds_veb_upper(const struct vat_bounds_case *c) {
  if (!c->n) return 0;
  if (vat_bounds_span(c, 0) < NODE) return INFINITY; /* a node is many pages */
  double all = vat_bounds_all(c, all_words(c->n));
  if (all <= (double)c->nodes) return all;
  return fmin(fmin(vat_bounds_veb_any(c), recent(c)),
              vat_bounds_by_policy(c, vat_bounds_veb_min));
}
