/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lazy funnelsort: n keys are cut into k = 2^h segments, where h is the least
 * with k^3 >= n; these are sorted one after the other and merged by a k-funnel,
 * a tree of mergers that is halved again and again (cpu_algos/funnel.h).
 *
 * Brodal and Fagerberg bound its IO for M >= B^2.  Without that, look at the
 * funnels of s streams that the tree is cut into, such that the cache holds one
 * and a block of each of its streams: s is limited by the number of blocks, a.
 * Each visit of such a funnel moves up to s^3 keys and misses some s + s^2 / B
 * blocks, which is O(1 / B + 1 / s^2) for a key; and keys pass log k / log s
 * of them.  As heights are halved, s is between the root of what would fit and
 * that.  Hence O(n (1 / B + 1 / s^2) log n / log s) with s^2 >= a, up to
 * constants; M >= B^2 makes s^2 as large as B.
 *
 * Here it is counted.  Under LRU a stretch of the run that touches at most W
 * nodes misses each of them once at most; so cut the run into such stretches.
 */
#include <math.h>

#include "vat/bounds_stretch.h"

/* Keys that are left to insertion sort; words of a merger. */
enum { CUTOFF = 16, MERGER = 8 };

static int height_of(double keys) {
  int height = 1;
  while (ldexp(1, 3 * height) < keys) height++;
  return height;
}

/* Keys of the buffer below which a tree of this height is cut, and words of the
 * tree. */
static double buffer_of(int height) { return ldexp(1, 3 * (height / 2)); }

static double funnel_words(int height) {
  if (height == 1) return MERGER;
  double half = buffer_of(height) + funnel_words(height / 2);
  return funnel_words(height - height / 2) + ldexp(half, height - height / 2);
}

static double words_of(const struct vat_bounds_case *c) {
  double n = (double)c->n;
  return 2 * n + (n > CUTOFF ? funnel_words(height_of(n)) : 0);
}

static void touch(const struct vat_bounds_case *c, unsigned layer, double nodes,
                  struct stretch *stretch) {
  vat_bounds_touch(c, layer, nodes, words_of(c), stretch);
}

/* By the sorting of `count` segments that follow each other, of so many keys
 * each: in both arrays, and with one funnel after the other in one place. */
static struct stretch by_sorts(const struct vat_bounds_case *c, double keys,
                               double count) {
  struct stretch sum = {0, 0};
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double nodes = 2 * vat_bounds_at_most(c, i, keys * count);
    if (keys > CUTOFF)
      nodes += vat_bounds_at_most(c, i, funnel_words(height_of(keys)));
    touch(c, i, nodes, &sum);
  }
  return sum;
}

/* A tree that was cut into funnels, in rows one below the other. */
struct cut {
  double keys;      /* that go through each row */
  double visits;    /* times that a funnel is asked for keys */
  int rows, height; /* of the highest funnel */
};

/*
 * `count` trees of this height, whose output has room for `room` keys each, are
 * halved `depth` times.  A funnel fills its output as often as its keys do, and
 * once more where no more come.
 */
static void cut_tree(struct cut *cut, int height, int depth, double count,
                     double room) {
  if (height > 1 && depth > 0) {
    int upper = height - height / 2;
    cut_tree(cut, upper, depth - 1, count, room);
    cut_tree(cut, height / 2, depth - 1, ldexp(count, upper),
             buffer_of(height));
    return;
  }
  cut->rows++;
  cut->visits += cut->keys / room + count;
  if (height > cut->height) cut->height = height;
}

/* By a funnel that is part of the one for so many keys: all of it, and where
 * its streams and its output are; but no more than the merge has. */
static struct stretch by_funnel(const struct vat_bounds_case *c, int height,
                                double keys) {
  struct stretch sum = {0, 0};
  double words = funnel_words(height), most = funnel_words(height_of(keys));
  for (unsigned i = 0; i <= c->tree.levels; i++)
    touch(c, i,
          fmin(vat_bounds_at_most(c, i, words) + ldexp(1, height) + 1,
               vat_bounds_at_most(c, i, most) +
                   2 * vat_bounds_at_most(c, i, keys)),
          &sum);
  return sum;
}

/* Nodes that streams and outputs come to: each row reads and writes all keys,
 * buffers begin anew on each visit, and the segments are streams, too. */
static double streamed(const struct vat_bounds_case *c, const struct cut *cut,
                       double segments) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    if (vat_bounds_above(c, i, words_of(c)) > 1)
      sum += 2 * (cut->rows * cut->keys / vat_bounds_span(c, i) + cut->visits) +
             segments;
  return sum;
}

/*
 * Each visit begins a stretch, and so does the return from it.  A stretch ends,
 * too, where streams have come to more nodes than W has room for beside those
 * of the funnel; so it costs what is of the funnel and what is new.
 */
static double merge_by(const struct vat_bounds_case *c, const struct cut *cut,
                       double segments) {
  struct stretch funnel = by_funnel(c, cut->height, cut->keys);
  double room = (double)c->nodes - funnel.cells + 1;
  double new_nodes = streamed(c, cut, segments);
  if (room < 1) return INFINITY;
  return (2 * cut->visits + new_nodes / room) * funnel.misses + new_nodes;
}

/* Mergers are written when they are made, when their buffer is, and when each
 * of two streams is; by and by, or else all of them at once. */
static double build_most(const struct vat_bounds_case *c, int height) {
  struct stretch whole = {0, 0}, one = {0, 0};
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    touch(c, i, vat_bounds_at_most(c, i, funnel_words(height)), &whole);
    touch(c, i, vat_bounds_at_most(c, i, MERGER), &one);
  }
  if (whole.cells <= (double)c->nodes) return whole.misses;
  return one.cells <= (double)c->nodes ? ldexp(4, height) * one.misses
                                       : INFINITY;
}

/* The best cut. */
static double merge_most(const struct vat_bounds_case *c, double keys) {
  int height = height_of(keys);
  double best = INFINITY;
  for (int depth = 0; depth < 6; depth++) {
    struct cut cut = {.keys = keys};
    cut_tree(&cut, height, depth, 1, keys);
    best = fmin(best, merge_by(c, &cut, ldexp(1, height)));
  }
  return best + build_most(c, height);
}

/* Insertion sort: it reads and writes each pair of keys once, and each key
 * twice more, and then may copy them. */
static double insertion_most(const struct vat_bounds_case *c, double keys) {
  return keys * (keys + 3) * vat_bounds_several(c, words_of(c));
}

static double sort_most(const struct vat_bounds_case *c, double keys);

static double sorts_most(const struct vat_bounds_case *c, double keys,
                         double count) {
  return vat_bounds_parts_most(c, keys, count, by_sorts, sort_most);
}

/* Of one that does not fit W. */
static double sort_most(const struct vat_bounds_case *c, double keys) {
  if (keys <= CUTOFF) return insertion_most(c, keys);
  double segments = ldexp(1, height_of(keys));
  return sorts_most(c, ceil(keys / segments), segments) + merge_most(c, keys);
}

double vat_bounds_funnel_upper(const struct vat_bounds_case *c) {
  double all = vat_bounds_all(c, words_of(c));
  if (c->n < 2) return 0;
  if (all <= (double)c->nodes) return all;
  return vat_bounds_single(c, words_of(c)) + sorts_most(c, (double)c->n, 1);
}

/* Whatever the policy, a merge touches its keys in both arrays, of which at
 * most W nodes are there when it begins; and it begins when its segments are
 * sorted. */
static double sort_least(const struct vat_bounds_case *c, double keys) {
  double sum = -(double)c->nodes, segments = ldexp(1, height_of(keys));
  if (keys <= CUTOFF) return 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += 2 * fmax(0, keys / vat_bounds_span(c, i) - 1);
  return fmax(0, sum) + segments * sort_least(c, floor(keys / segments));
}

double vat_bounds_funnel_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n, all = vat_bounds_all(c, n > CUTOFF ? 2 * n : n);
  return n < 2 ? 0 : fmax(all, sort_least(c, n));
}
