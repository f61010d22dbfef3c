/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node i of the heap, from 1 on, is word i of the workspace.  A sift from node
 * i of height x, floor(log2(n / i)), looks at the two children on each of at
 * most x levels below.  A level of the heap is a run of consecutive keys, and
 * so are the descendants of a node on each of them.
 */
#include <math.h>

#include "vat/bounds_parts.h"

static double words_of(const struct vat_bounds_case *c) {
  return (double)c->n + 1;
}

double vat_bounds_pair(const struct vat_bounds_case *c) {
  return c->tree.page_bits > VAT_BOUNDS_WORD_BITS && c->base % 16 == 0 ? 1 : 2;
}

double vat_bounds_heapify_lower(const struct vat_bounds_case *c) {
  struct vat_bounds_case keys = *c; /* word 0 is not accessed */
  keys.base += VAT_BOUNDS_WORD;
  return c->n > 1 ? vat_bounds_all(&keys, (double)c->n) : 0;
}

/* Nodes of a layer above the 2^y descendants of a node on one level, the first
 * of which is number 2^y times the node's. */
static double above_run(const struct vat_bounds_case *c, unsigned layer,
                        int y) {
  double keys = ldexp(1, y), span = vat_bounds_span(c, layer);
  if (vat_bounds_begins_at(c, 0, fmin(keys, span))) return fmax(1, keys / span);
  return vat_bounds_at_most(c, layer, keys);
}

/* Nodes of layers of several above a subtree of this height. */
static double subtree(const struct vat_bounds_case *c, int height) {
  double sum = 0;
  for (unsigned i = 0; i < c->tree.levels; i++) {
    double all = vat_bounds_above(c, i, words_of(c)), nodes = 0;
    for (int y = 0; y <= height; y++) nodes += above_run(c, i, y);
    if (all > 1) sum += fmin(all, nodes);
  }
  return sum;
}

/* Misses of sifts from nodes higher than `height`, and of what lies beside the
 * subtree that was left for them. */
static double high_sifts(const struct vat_bounds_case *c, int height) {
  double n = (double)c->n, path = vat_bounds_several(c, words_of(c));
  double pair = vat_bounds_pair(c), sum = 0;
  for (int x = height + 1; x < vat_bounds_steps(n); x++) {
    double nodes = floor(ldexp(n, -x)) - floor(ldexp(n, -x - 1));
    sum += nodes * (x * pair + 1 + height + 2) * path;
  }
  return sum;
}

/*
 * "Heapify and Heapsort" goes level by level; ours in post-order from right to
 * left, in which a subtree is finished while it is in the cache.  Let h be such
 * that the nodes above two subtrees of height h fit W.  Every node of height h
 * or less is sifted within a subtree of at most that height, and these come
 * from right to left: so do their runs on each of the h + 2 levels of the heap
 * that they reach, so that under LRU no node above a run is missed twice
 * (proposition 2.30, for each level), unless higher nodes are sifted in
 * between.  There are n / 2^(h + 1) of these, which are given all they touch
 * and, once more, the ends of the h + 2 runs.
 */
static double post_order(const struct vat_bounds_case *c, int height) {
  double n = (double)c->n, single = vat_bounds_single(c, words_of(c));
  double path = vat_bounds_several(c, words_of(c)), sum = single;
  double paths = (2 + vat_bounds_pair(c)) * (c->tree.levels + 1);
  if (single + 2 * subtree(c, height) > (double)c->nodes ||
      paths > (double)c->nodes)
    return INFINITY;
  sum += n * vat_bounds_density(c, words_of(c)) + 2 * path * (height + 2);
  return sum + high_sifts(c, height);
}

double vat_bounds_heapify_upper(const struct vat_bounds_case *c) {
  if (c->n < 2) return 0;
  double all = vat_bounds_all(c, words_of(c)), best = INFINITY;
  if (all <= (double)c->nodes) return all;
  for (int height = 0; height < vat_bounds_steps((double)c->n); height++)
    best = fmin(best, post_order(c, height));
  return best;
}

/* The sum over heaps of 1 .. n - 1 keys of the levels of each below the first
 * `top`. */
static double levels_below(double n, int top) {
  double sum = 0;
  for (int level = top; ldexp(1, level) < n; level++)
    sum += n - ldexp(1, level);
  return sum;
}

/*
 * n - 1 times the last key changes places with the first and is sifted; ours
 * sinks a hole to the bottom and lets the key climb from there, on the same
 * way.  Keep the `top` levels of the heap, 2^top - 1 consecutive keys, the
 * nodes of the layers from `whole` on, and the path of the last key, which
 * scans the array; and the way, so that climbing costs nothing, or else a
 * parent's path and its children's, and twice as much.  Top-down there is no
 * climbing, and these paths are enough.
 */
static double kept(const struct vat_bounds_case *c, unsigned whole, int top,
                   bool climbs) {
  double n = (double)c->n, cells = 1, misses = 1, pair = vat_bounds_pair(c);
  double below = levels_below(n, top), way = vat_bounds_steps(n) - top;
  double changing = 0;
  for (unsigned i = 0; i < c->tree.levels; i++) {
    double all = vat_bounds_above(c, i, words_of(c));
    double above = vat_bounds_above(c, i, ldexp(1, top));
    if (i < whole && all > 1) {
      cells += above + 1;
      misses += above + all + pair * below;
      changing++;
    } else {
      cells += all;
      misses += all;
    }
  }
  if (cells + way * pair * changing <= (double)c->nodes) return misses;
  if (cells + (pair + 1) * changing > (double)c->nodes) return INFINITY;
  return climbs ? 2 * misses : misses;
}

static double best_kept(const struct vat_bounds_case *c, bool climbs) {
  double best = INFINITY;
  for (unsigned whole = 0; whole <= c->tree.levels; whole++)
    for (int top = 0; top <= vat_bounds_steps((double)c->n); top++)
      best = fmin(best, kept(c, whole, top, climbs));
  return best;
}

static double unwind(const struct vat_bounds_case *c) {
  return best_kept(c, true);
}

static double unwind_topdown(const struct vat_bounds_case *c) {
  return best_kept(c, false);
}

double vat_bounds_unwind_upper(const struct vat_bounds_case *c) {
  return c->n > 1 ? vat_bounds_by_policy(c, unwind) : 0;
}

double vat_bounds_unwind_topdown_upper(const struct vat_bounds_case *c) {
  return c->n > 1 ? vat_bounds_by_policy(c, unwind_topdown) : 0;
}

double vat_bounds_heapsort_upper(const struct vat_bounds_case *c) {
  if (c->n < 2) return 0;
  double all = vat_bounds_all(c, words_of(c));
  if (all <= (double)c->nodes) return all;
  return vat_bounds_heapify_upper(c) + vat_bounds_unwind_upper(c);
}
