/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Searches by halves ("Binary Search"): of a range of m keys the middle one,
 * number floor(m / 2), is looked at, then the range before it or behind it, to
 * the end.  A range and one key more, m + 1, are halved each time: so a vertex
 * of depth j is the middle of a range of m keys where m + 1 is (n + 1) / 2^j
 * rounded down or up.  It is on the way to m or m + 1 of the n keys, as the key
 * behind the range may be the one that is searched for.
 */
#include <math.h>
#include <stdbool.h>

#include "vat/bounds_parts.h"

/* m + 1, at least and at most. */
static double least_of(const struct vat_bounds_case *c, int depth) {
  return floor(ldexp((double)c->n + 1, -depth));
}

static double most_of(const struct vat_bounds_case *c, int depth) {
  return ceil(ldexp((double)c->n + 1, -depth));
}

/* Between two vertices of this depth or less there is a range one deeper. */
static double apart(const struct vat_bounds_case *c, int depth) {
  return least_of(c, depth + 1);
}

/* Depths that have all their 2^depth vertices, and all depths. */
static int full_depths(const struct vat_bounds_case *c) {
  return vat_bounds_steps((double)c->n + 1) - 1;
}

static int depths_of(const struct vat_bounds_case *c) {
  return vat_bounds_steps((double)c->n);
}

/* Lemma 2.28, lower, as for steps of powers of two (vat/bounds_search.c): the
 * layers on which vertices of this depth or less have different nodes. */
static double layers_apart(const struct vat_bounds_case *c, int depth) {
  return vat_bounds_layers_within(c, apart(c, depth));
}

static double range_of(const struct vat_bounds_case *c) {
  double sum = 0;
  for (int depth = 0; depth < full_depths(c); depth++)
    sum += layers_apart(c, depth);
  return sum;
}

/* W nodes spare the most when they are those of the least depth. */
static double expected(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0, cells = (double)c->nodes;
  for (int depth = 0; depth < full_depths(c); depth++) {
    double nodes = layers_apart(c, depth);
    double used = fmin(cells, ldexp(nodes, depth));
    sum += n * nodes - fmin(n * nodes, used * most_of(c, depth));
    cells -= used;
  }
  return sum;
}

/* A key that is searched for is looked at.  So n searches leave out a node of B
 * keys with (1 - B / n)^n < exp(-B); none where that is once in a million. */
static double all_found(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0, chance = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double span = vat_bounds_span(c, i);
    double whole = fmax(0, vat_bounds_above(c, i, n) - 2);
    if (vat_bounds_begins_at(c, 0, span)) whole = floor(n / span);
    sum += fmax(1, whole);
    chance += whole * exp(-span);
  }
  return chance < 1e-6 ? sum : c->tree.levels + 1;
}

double vat_bounds_bisect_lower(const struct vat_bounds_case *c) {
  if (!c->n) return 0;
  return fmax(all_found(c),
              vat_bounds_online(c, expected, (double)c->n, range_of(c)));
}

/*
 * Where n or n + 1 is 2^q and the array begins at a multiple of 2^q, vertices
 * of depth j are at odd multiples of 2^(q - 1 - j), or one before: then a range
 * and its vertex are below one node that spans 2^(q - j) keys, and its parent,
 * too, if it spans twice as many.
 */
static bool is_aligned(const struct vat_bounds_case *c) {
  double power = vat_bounds_power_of_two((double)c->n);
  return power - 1 <= (double)c->n && vat_bounds_begins_at(c, 0, power);
}

/* The chance that a step to this depth changes the node of a layer.  Steps to
 * one depth do not overlap, so that each end of a node is passed by one at
 * most, which is on the way to most_of() keys. */
static double changed(const struct vat_bounds_case *c, int depth,
                      unsigned layer) {
  double span = vat_bounds_span(c, layer), most = most_of(c, depth);
  if (vat_bounds_above(c, layer, (double)c->n) <= 1) return 0;
  if (span <= most || depth == 0) return 1;
  return is_aligned(c) ? 0 : fmin(1, most / span + most / (double)c->n);
}

/* Nodes of one layer that so many searches touch at most: one above each
 * vertex; and below those that are apart one more a search, since a range and
 * its parent are shorter than a node, and pass an end once. */
static double touched_on(const struct vat_bounds_case *c, unsigned layer,
                         double searches) {
  double sum = 0, span = vat_bounds_span(c, layer);
  int depth = 0;
  for (; depth < depths_of(c); depth++) {
    if (depth && span > most_of(c, depth)) break;
    sum += fmin(searches, ldexp(1, depth));
  }
  if (depth < depths_of(c) && !is_aligned(c)) sum += searches;
  return fmin(sum, vat_bounds_above(c, layer, (double)c->n));
}

static double touched(const struct vat_bounds_case *c, const void *arg,
                      double searches) {
  double sum = 0;
  (void)arg;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += touched_on(c, i, searches);
  return sum;
}

/* Of any W > d under LRU, as for steps of powers of two: each step costs what
 * changes, if none of the last s searches has been there. */
static double recent(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0;
  double s = vat_bounds_remembered(c, touched, NULL);
  for (int depth = 0; depth < depths_of(c); depth++) {
    double weight = fmax(1, least_of(c, depth) - 1) / n;
    for (unsigned i = 0; i <= c->tree.levels; i++)
      sum += changed(c, depth, i) * pow(1 - weight, s);
  }
  double first = s > 0 ? 0 : c->tree.levels + 1;
  return n * (sum + first) + vat_bounds_all(c, n) +
         vat_bounds_deviation(n, 3 * touched(c, NULL, 1));
}

/* Nodes above the `top` highest layers of the search tree. */
static double nodes_above(const struct vat_bounds_case *c, int top) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += fmin(ldexp(1, top) - 1, vat_bounds_above(c, i, (double)c->n));
  return sum;
}

/* Lemma 2.28, upper: cache all that is above the t top layers of the search
 * tree and the current path.  The text lets each other step cost a path, d
 * printed for d + 1, and remarks that less changes. */
static double cached_top(const struct vat_bounds_case *c) {
  double misses = 0, path = c->tree.levels + 1;
  int top = 0, depths = depths_of(c);
  while (top < depths && nodes_above(c, top + 1) + path <= (double)c->nodes)
    top++;
  for (int depth = top; depth < depths; depth++)
    for (unsigned i = 0; i <= c->tree.levels; i++)
      misses += changed(c, depth, i);
  double chance = is_aligned(c)
                      ? 0
                      : vat_bounds_deviation((double)c->n, touched(c, NULL, 1));
  return (double)c->n * misses + nodes_above(c, top) + path + chance;
}

double vat_bounds_bisect_upper(const struct vat_bounds_case *c) {
  if (!c->n) return 0;
  double all = vat_bounds_all(c, (double)c->n);
  if (all <= (double)c->nodes) return all;
  return fmin(recent(c), vat_bounds_by_policy(c, cached_top));
}
