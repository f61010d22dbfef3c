/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/bounds_25.h"

#include <math.h>

enum { NODE = 8, NODE_BITS = 3 };

/* Words below a node of `layer`. */
static double block(const struct bounds_case *c, unsigned layer) {
  return ldexp((double)c->page, (int)(layer * c->lg_nodes));
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

double bounds_veb_any(const struct bounds_case *c) {
  double sum = 0;
  for (unsigned i = 0; i <= c->levels; i++)
    sum += blocks(height_of(c->n), block(c, i));
  return (double)c->n * sum;
}

/*
 * With s the height of the highest tree that is no longer than a block, higher
 * ones are cut, so that no tree is left that has less than half of s + 1 levels
 * of nodes: a way goes through at most h / floor((s + 1) / 2) of them, of two
 * blocks each.  As 8^s grows with B and 8^h with n, that is about
 * 2 log n / (log B / 2).
 */
double bounds_veb_closed(const struct bounds_case *c) {
  double sum = 0, h = height_of(c->n);
  for (unsigned i = 0; i <= c->levels; i++) {
    double s = floor(log2(block(c, i) * (NODE - 1) / NODE + 1) / NODE_BITS);
    sum += fmin(h, h <= s ? 2 : 2 * floor(h / floor((s + 1) / 2)));
  }
  return (double)c->n * sum;
}

double bounds_veb_printed(const struct bounds_case *c) {
  double lg_n = log2((double)c->n), lg_page = log2((double)c->page);
  double lg_all = lg_page + c->levels * c->lg_nodes;
  return (double)c->n *
         (lg_n / lg_page + lg_n / c->lg_nodes * log(lg_all / lg_page));
}

/* Nodes of a layer above so many words, wherever they begin. */
static double nodes_above(const struct bounds_case *c, unsigned layer,
                          double count) {
  return layer == c->levels ? 1 : ceil((count - 1) / block(c, layer)) + 1;
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
static double kept_misses(const struct bounds_case *c, unsigned whole,
                          unsigned kept) {
  unsigned height = height_of(c->n);
  double cells = c->levels + 1, misses = 0;
  for (unsigned i = 0; i <= c->levels; i++) {
    double all = nodes_above(c, i, all_words(c->n));
    double above = kept ? nodes_above(c, i, words(kept)) : 0;
    cells += i >= whole ? all : above;
    misses += i >= whole ? all
                         : above + (double)c->n *
                                       blocks_below(height, kept, block(c, i));
  }
  return cells <= (double)c->nodes ? misses : INFINITY;
}

double bounds_veb_upper(const struct bounds_case *c) {
  double best = c->nodes > c->levels ? bounds_veb_any(c) : INFINITY;
  unsigned height = height_of(c->n);
  for (unsigned whole = 0; whole <= c->levels + 1; whole++)
    for (unsigned kept = 0; kept <= height; kept++)
      if (!kept || is_top(height, kept))
        best = fmin(best, kept_misses(c, whole, kept));
  return best;
}
