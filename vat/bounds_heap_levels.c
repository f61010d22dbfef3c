/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Heaps built level by level ("Heapify and Heapsort"): sift(i) for i = n / 2
 * down to 1.  Level l of the heap is nodes 2^l to 2^(l + 1) - 1, and the last
 * one, q, may end at node n.  The sifts from one level are a pass over the
 * heap, from right to left.
 *
 * Where n different keys are in random order, sift(i) ends at each node of the
 * subtree of i with the same chance, whatever the heap is that it makes.  For
 * each of these heaps and nodes comes from one arrangement alone: put that
 * node's key back on top, and those on the way to it one down.  What happens
 * above i depends on the heap only, so all sifts end independently.
 */
#include <math.h>

#include "vat/bounds_parts.h"

static int last_level(const struct vat_bounds_case *c) {
  return vat_bounds_steps((double)c->n) - 1;
}

/* The keys of `level` that are below the nodes which are sifted in a pass. */
static double keys_of(const struct vat_bounds_case *c, int pass, int level) {
  if (level == last_level(c)) return (double)c->n + 1 - ldexp(1, level);
  if (level == pass && pass + 1 == last_level(c))
    return floor((double)c->n / 2) + 1 - ldexp(1, level);
  return ldexp(1, level);
}

/* The chance that a sift does not look at a level below it, at most: then it
 * ends at one of the 2^(x - 1) - 1 nodes that are less than x - 1 below. */
static double ends_above(const struct vat_bounds_case *c, int pass, int level) {
  int whole = last_level(c) + (level == last_level(c)) - pass;
  if (level <= pass + 1) return 0;
  return (ldexp(1, level - pass - 1) - 1) / (ldexp(1, whole) - 1);
}

/*
 * Different nodes that a pass looks at.  Cut a level into parts of as many keys
 * as a node of the layer spans, or as are below one that is sifted, if those
 * are more.  A part is looked at, and a node above it, unless all sifts into it
 * end above; and where nodes begin in the middle of parts, one is above two of
 * them at most.  `chance` is the sum of the standard deviations, at most.
 */
static double looked_at(const struct vat_bounds_case *c, int pass,
                        double *chance) {
  double sum = 0;
  *chance = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double span = vat_bounds_span(c, i);
    double share = vat_bounds_begins_at(c, 0, span) ? 1 : 0.5;
    for (int level = pass; level <= last_level(c); level++) {
      double below = ldexp(1, level - pass), part = fmax(span, below);
      double parts = floor(keys_of(c, pass, level) / part);
      double left_out = pow(ends_above(c, pass, level), part / below);
      sum += share * parts * (1 - left_out);
      if (parts * left_out > 1e-12) *chance += share * sqrt(parts) / 2;
    }
  }
  return sum;
}

/*
 * Whatever the policy, a pass misses what it looks at but for the W nodes that
 * were there; and the first one finds nothing.  The text has LRU, W < n / (2 P)
 * and sifts that all go down to the bottom; and it names the steps a_0 to
 * a_(p-1), but a_0 stays in the first half of the array.
 *
 * Parts of one level and layer are looked at independently of each other, and
 * passes, too: by Hoeffding's lemma, and Hoelder's inequality for the sums of
 * one pass, the sum of all varies no more than a normal one of this deviation.
 */
static double passes(const struct vat_bounds_case *c) {
  double sum = 0, most = 0, variance = 0, chance;
  for (int pass = 0; pass < last_level(c); pass++) {
    double seen = looked_at(c, pass, &chance);
    sum += fmax(0, seen - (double)c->nodes);
    most = fmax(most, seen);
    variance += chance * chance;
  }
  return sum + fmin(most, (double)c->nodes) - sqrt(2 * log(1e6) * variance);
}

double vat_bounds_heapify_levels_lower(const struct vat_bounds_case *c) {
  return c->n > 1 ? fmax(vat_bounds_heapify_lower(c), passes(c)) : 0;
}

/* Nodes of a layer that are on no extremal path (definition 2.29): at most
 * ceil((n - 1) / (P K^i)) + 1 less two. */
static double inner_nodes(const struct vat_bounds_case *c, unsigned layer) {
  return floor(((double)c->n - 2) / vat_bounds_span(c, layer));
}

/* The non-extremal nodes of one path.  Printed floor(log_K(n / P)), which
 * forgets the leaf. */
static double inner_path(const struct vat_bounds_case *c) {
  double count = 0;
  for (unsigned i = 0; i < c->tree.levels; i++) count += inner_nodes(c, i) > 0;
  return count;
}

/* Proposition 2.31, exact where the text estimates: non-extremal nodes above
 * any x of the n keys, summed layer by layer. */
static double inner_union(const struct vat_bounds_case *c, double x) {
  double sum = 0;
  for (unsigned i = 0; i < c->tree.levels; i++)
    sum += fmin(x, inner_nodes(c, i));
  return sum;
}

/*
 * Keep the extremal paths, 2d + 1 nodes (printed 2d - 1, then 2d + 1), and for
 * each of z steps of a sift the rest of the path of what that step touches, or
 * of both siblings where they do not share a page.  Step x is made in at most
 * floor(n / 2^x) sifts and moves only to the left, so that it misses no node
 * twice (proposition 2.30).  Further paths serve steps from z on, which touch a
 * parent and its children in turn: two, or three; the text has one.
 */
static double by_levels(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = 2 * c->tree.levels + 1;
  double pair = vat_bounds_pair(c), path = pair * inner_path(c);
  double room = (double)c->nodes - sum, last = last_level(c);
  if (room < path + path / pair) return INFINITY;
  double steps = path > 0 ? floor((room - path / pair) / path) - 1 : last + 1;
  if ((last + 1) * path <= room) steps = last + 1;
  for (int x = 0; x <= last; x++) {
    double sifts = floor(ldexp(n, -x));
    sum += x < steps ? pair * inner_union(c, sifts) : sifts * path;
  }
  return sum;
}

double vat_bounds_heapify_levels_upper(const struct vat_bounds_case *c) {
  if (c->n < 2) return 0;
  double all = vat_bounds_all(c, (double)c->n + 1);
  if (all <= (double)c->nodes) return all;
  return vat_bounds_by_policy(c, by_levels);
}

/* d + n p / P, P = 2^p: printed as Theta() of it. */
double vat_bounds_heapify_levels_printed(const struct vat_bounds_case *c) {
  double page = vat_bounds_span(c, 0);
  return c->n ? c->tree.levels + (double)c->n * log2(page) / page : 0;
}

double vat_bounds_heapsort_topdown_upper(const struct vat_bounds_case *c) {
  if (c->n < 2) return 0;
  double all = vat_bounds_all(c, (double)c->n + 1);
  if (all <= (double)c->nodes) return all;
  return vat_bounds_heapify_levels_upper(c) +
         vat_bounds_unwind_topdown_upper(c);
}
