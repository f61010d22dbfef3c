/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A search for one of n keys, 2^q <= n < 2^(q + 1), looks at key 2^q - 1, by
 * which it goes on in the first 2^q keys or in the last 2^q; and then, for D =
 * 2^(q-1), ... 2, 1, at the last key before an odd multiple of D in these 2^q.
 * So there are two search trees of depths 0 to q - 1, where D = 2^(q-1-depth);
 * with n = 2^q there is one.  A vertex is on the way of at most 2 D of the n
 * keys.
 */
#include <math.h>
#include <stdbool.h>

#include "vat/bounds_parts.h"

static int depths_of(const struct vat_bounds_case *c) {
  return vat_bounds_steps((double)c->n) - 1;
}

/* D */
static double apart(const struct vat_bounds_case *c, int depth) {
  return ldexp(1, depths_of(c) - 1 - depth);
}

/* Keys of the second tree alone. */
static double rest_of(const struct vat_bounds_case *c) {
  return (double)c->n - ldexp(1, depths_of(c));
}

/*
 * Lemma 2.28, lower, with its layers counted.  On a layer whose nodes span at
 * most D keys, vertices of one tree and of this depth or less, which are D keys
 * apart, have different nodes: those of one search count once each.  How many
 * such layers there are:
 */
static double layers_apart(const struct vat_bounds_case *c, int depth) {
  return vat_bounds_layers_within(c, apart(c, depth));
}

/* Of the misses that are counted, the most in one search. */
static double range_of(const struct vat_bounds_case *c) {
  double sum = 0;
  for (int depth = 0; depth < depths_of(c); depth++)
    sum += layers_apart(c, depth);
  return sum;
}

/* What W cells spare at most `searches` searches that go through one tree. */
static double spared(const struct vat_bounds_case *c, double searches) {
  double sum = 0, cells = (double)c->nodes;
  for (int depth = 0; depth < depths_of(c); depth++) {
    double nodes = layers_apart(c, depth);
    double used = fmin(cells, ldexp(nodes, depth));
    sum += fmin(searches * nodes, used * 2 * apart(c, depth));
    cells -= used;
  }
  return sum;
}

/*
 * What is in the TC when a search begins does not depend on it, and W nodes
 * spare the most when they are those of the least depth.  The text looks at one
 * depth, where half of the searches meet an expensive vertex, and takes ISLRU
 * for its initial segments; neither is needed.  A node may be above a vertex of
 * either tree; and of what a search of the second tree meets, key 2^q - 1 may
 * have brought a node of each layer.
 */
static double expected(const struct vat_bounds_case *c) {
  double first = ldexp(1, depths_of(c)), rest = rest_of(c);
  double range = range_of(c), in_first = first * range - spared(c, first);
  double all = in_first;
  if (depths_of(c) > 0) all += rest * (range - layers_apart(c, 0));
  return fmax(in_first, all - spared(c, rest));
}

/*
 * Nodes that are whole within the array.  The key that is searched for is
 * looked at, but for the last of a tree: so n searches leave out one whose B
 * keys none is for, (1 - (B - 2) / n)^n < exp(2 - B); none where that is once
 * in a million for all of them.
 */
static double all_found(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0, chance = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double span = vat_bounds_span(c, i);
    double whole = fmax(0, vat_bounds_above(c, i, n) - 2);
    if (vat_bounds_begins_at(c, 0, span)) whole = floor(n / span);
    sum += fmax(1, whole);
    chance += whole * exp(2 - span);
  }
  return chance < 1e-6 ? sum : c->tree.levels + 1;
}

double vat_bounds_search_lower(const struct vat_bounds_case *c) {
  if (c->n < 2) return 0; /* a key that all begin with may be loaded before */
  return fmax(all_found(c),
              vat_bounds_online(c, expected, (double)c->n, range_of(c)));
}

/* Lemma 2.28: n / (4 k) log^2(n / (4 P W)). */
double vat_bounds_search_printed_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n, page = vat_bounds_span(c, 0);
  if (!c->n) return 0;
  double lg = log2(n / (4 * page * (double)c->nodes));
  return lg > 0 ? n / (4 * c->tree.index_bits) * lg * lg : 0;
}

/* Lemma 2.28: n / (2 k) log^2(2 n d / (P W)). */
double vat_bounds_search_printed_upper(const struct vat_bounds_case *c) {
  double n = (double)c->n, page = vat_bounds_span(c, 0);
  if (!c->n) return 0;
  double lg = log2(2 * n * c->tree.levels / (page * (double)c->nodes));
  return lg > 0 ? n / (2 * c->tree.index_bits) * lg * lg : 0;
}

/*
 * Lemma 2.28, upper, as it holds of any n searches, random or not.  Keep the
 * root, what is above the l + 1 keys that a search looks at first - 2^(l+1) - 1
 * keys, of both trees - and two more nodes of each other layer: W is at least 1
 * + d (2^(l+1) + 1).  A step to depth l or below costs a node on each layer
 * whose nodes span at most 2 D keys: 1 + j / k at most where 2 D = P 2^j, for j
 * up to m = log(2^q / (P 2^l)) <= L.  On the other layers, what is left of the
 * search and the key before are 2 D keys in a row, below two nodes, of which
 * one is there: one more on each layer.  The sum is d + (1 + m) (1 + m / (2
 * k)); doc/proofs.md has it at length.
 */
static double closed_of_min(const struct vat_bounds_case *c) {
  double n = (double)c->n, d = c->tree.levels, nodes = (double)c->nodes;
  double page = ldexp(1, (int)c->tree.page_bits - VAT_BOUNDS_WORD_BITS);
  if (nodes < 3 * d + 1) return INFINITY;
  double far = fmax(0, log2(4 * n * d / (page * (nodes - d - 1))));
  return n * (d + (1 + far) * (1 + far / (2 * c->tree.index_bits))) + nodes;
}

double vat_bounds_search_closed(const struct vat_bounds_case *c) {
  return c->n ? vat_bounds_by_policy(c, closed_of_min) : 0;
}

/* Does the only tree begin where a node does, or a multiple of its length? */
static bool is_aligned(const struct vat_bounds_case *c) {
  return rest_of(c) <= 0 && vat_bounds_begins_at(c, 0, ldexp(1, depths_of(c)));
}

/*
 * The chance that a step to this depth changes the node of a layer.  A vertex
 * is D keys from its parent, and both lie between two multiples of 4 D from
 * where the tree begins: below one node if that spans as many.  If it begins
 * elsewhere, nodes end anywhere; but the ways to one depth do not overlap, so
 * that each end is within one of them, and is passed by that one of 2^depth;
 * and at the ends of either tree there may be one more.
 */
static double changed(const struct vat_bounds_case *c, int depth,
                      unsigned layer) {
  double span = vat_bounds_span(c, layer), step = apart(c, depth);
  if (vat_bounds_above(c, layer, (double)c->n) <= 1) return 0;
  if (span <= 2 * step || depth == 0) return 1;
  if (is_aligned(c)) return 0;
  return fmin(1, 2 * step / span + ldexp(3, -depth));
}

/* Nodes of one layer that so many searches touch at most: of each tree one
 * above each vertex, and below those that are apart one more a search, which
 * may pass a node's end once; and the one above key 2^q - 1. */
static double touched_on(const struct vat_bounds_case *c, unsigned layer,
                         double searches) {
  double sum = 1, trees = rest_of(c) > 0 ? 2 : 1;
  int depth = 0;
  for (; depth < depths_of(c); depth++) {
    if (depth && vat_bounds_span(c, layer) > 2 * apart(c, depth)) break;
    sum += fmin(searches, trees * ldexp(1, depth));
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

/*
 * Of any W > d under LRU: each step costs what changes.  The text caches the
 * top of the tree; under LRU what is there was met by one of the last s
 * searches, as many as W nodes remember, and a vertex of weight w has been
 * missed by all of them with (1 - w)^s.  The second tree has one vertex a depth
 * that is on the way of fewer keys: x (1 - x)^s is at most 1 / (e s).  A search
 * changes what it misses itself, and when its old and its new ways are missed
 * next.
 */
static double recent(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 0;
  double s = vat_bounds_remembered(c, touched, NULL);
  for (int depth = 0; depth < depths_of(c); depth++) {
    double weight = 2 * apart(c, depth) / n, missed = pow(1 - weight, s);
    if (rest_of(c) > 0) missed += fmin(weight, exp(-1) / fmax(1, s));
    for (unsigned i = 0; i <= c->tree.levels; i++)
      sum += changed(c, depth, i) * fmin(1, missed);
  }
  double most = touched(c, NULL, 1), first = s > 0 ? 0 : c->tree.levels + 1;
  return n * (sum + first) + vat_bounds_all(c, n) +
         vat_bounds_deviation(n, 3 * most);
}

/* Nodes above the `top` highest layers of the search trees; the text has d
 * each, without those that they have in common. */
static double nodes_above(const struct vat_bounds_case *c, int top) {
  double sum = 0, trees = rest_of(c) > 0 ? 2 : 1;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += fmin(trees * (ldexp(1, top) - 1) + 1,
                vat_bounds_above(c, i, (double)c->n));
  return sum;
}

/* Lemma 2.28, upper: cache all that is above the t top layers of the search
 * trees, key 2^q - 1, and the current path.  The text lets each other step cost
 * a path, d printed for d + 1, and remarks that less changes. */
static double cached_top(const struct vat_bounds_case *c) {
  double misses = 0, path = c->tree.levels + 1;
  int top = 0, depths = depths_of(c);
  while (top < depths && nodes_above(c, top + 1) + path <= (double)c->nodes)
    top++;
  if (!top && nodes_above(c, 0) + path > (double)c->nodes) return INFINITY;
  for (int depth = top; depth < depths; depth++)
    for (unsigned i = 0; i <= c->tree.levels; i++)
      misses += changed(c, depth, i);
  double chance = is_aligned(c)
                      ? 0
                      : vat_bounds_deviation((double)c->n, touched(c, NULL, 1));
  return (double)c->n * misses + nodes_above(c, top) + chance;
}

double vat_bounds_search_upper(const struct vat_bounds_case *c) {
  if (!c->n) return 0;
  double all = vat_bounds_all(c, (double)c->n);
  if (all <= (double)c->nodes) return all;
  return fmin(recent(c), vat_bounds_by_policy(c, cached_top));
}
