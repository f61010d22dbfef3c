/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/experiments/bounds_24.h"

#include <math.h>

/* Keys below one node of `layer`: P K^layer. */
static double block(const struct bounds_case *c, unsigned layer) {
  return ldexp((double)c->page, (int)(layer * c->lg_nodes));
}

/* Azuma's inequality in Hoeffding's form: exp(-2 s^2 / (n range^2)) = 1e-6. */
double bounds_deviation(double n, double range) {
  return range * sqrt(n * log(1e6) / 2);
}

/* Each node on a path is loaded once.  On layer i there are at least
 * ceil(n / (P K^i)) of them, all in one if the range begins where a node does.
 */
double bounds_scan_lower(const struct bounds_case *c) {
  double sum = 0;
  for (unsigned i = 0; i <= c->levels; i++)
    sum += ceil((double)c->n / block(c, i));
  return sum;
}

/* And at most one more, but for the root: d + sum of ceil(n / (P K^i)), as
 * printed ("Sequential Access").  The current path is kept, W > d. */
static double scan(const struct bounds_case *c, double n) {
  double sum = c->levels;
  for (unsigned i = 0; i <= c->levels; i++) sum += ceil(n / block(c, i));
  return sum;
}

double bounds_scan_upper(const struct bounds_case *c) {
  return c->nodes > c->levels ? scan(c, (double)c->n) : INFINITY;
}

/* K / (K - 1) n / P: the geometric sum over all layers. */
static double over_layers(const struct bounds_case *c, double n) {
  double fanout = ldexp(1, (int)c->lg_nodes);
  return fanout / (fanout - 1) * n / (double)c->page;
}

double bounds_scan_printed(const struct bounds_case *c) {
  return 2 * c->levels + over_layers(c, (double)c->n);
}

/* Each of d + 1 ceilings adds up to 1, so that printed it is one too few: two
 * keys across the middle of the address space touch 2d + 1 nodes. */
double bounds_scan_closed(const struct bounds_case *c) {
  return bounds_scan_printed(c) + 1;
}

/*
 * The next access is to any of `left` keys, whatever is in the TC.  A cached
 * node of layer i spares its miss for at most P K^i of them.  So it is best to
 * cache the highest layers ("Random Access"), and what they leave uncovered is
 * missed.  The root needs one cell, layer i as many as it has nodes; cells in
 * parts only lower the bound.
 */
static double uncovered(const struct bounds_case *c, double left) {
  double missed = 0, cells = (double)c->nodes;
  for (unsigned i = c->levels + 1; i-- > 0;) {
    double part = fmin(1, block(c, i) / left); /* by one cell */
    double used = fmin(cells, 1 / part);
    missed += 1 - used * part;
    cells -= used;
  }
  return missed;
}

/* The text draws from n keys each time; permute draws from a prefix that
 * shrinks, and a permutation's next place is one of those not yet seen. */
double bounds_random_lower(const struct bounds_case *c) {
  double sum = 0;
  for (uint64_t left = 1; left <= c->n; left++)
    sum += uncovered(c, (double)left);
  return sum;
}

/* Lemma 2.27: n log_K(n / (P W)). */
double bounds_random_printed(const struct bounds_case *c) {
  double n = (double)c->n;
  return n * log2(n / ((double)c->page * (double)c->nodes)) / c->lg_nodes;
}

/* A random path has d + 1 nodes to miss, printed d.  As many cells again keep
 * the path of the scan beside it: LRU, too, has not lost them meanwhile. */
double bounds_random_upper(const struct bounds_case *c) {
  if (c->nodes < 2 * (c->levels + 1)) return INFINITY;
  return (double)c->n * (c->levels + 1) + scan(c, (double)c->n);
}

/* Steps of a search: 1 + floor(log2 n). */
static int steps(double n) { return ilogb(n) + 1; }

/*
 * Lemma 2.28, lower, with its layers counted.  The vertex of depth i of the
 * search tree is the last key before an odd multiple of D = 2^(q-i-1) keys, n =
 * 2^q - 1.  So on every layer whose nodes span at most D keys, different
 * vertices of depth at most i have different nodes: those of one search count
 * once each, and a vertex of depth i is met by at most D * 2 of n searches.
 * This many layers there are:
 */
static double layers_apart(const struct bounds_case *c, int depth) {
  double apart = ldexp(1, steps((double)c->n) - depth - 1);
  double count = 0;
  for (unsigned i = 0; i <= c->levels; i++) count += block(c, i) <= apart;
  return count;
}

double bounds_search_range(const struct bounds_case *c) {
  double sum = 0;
  for (int depth = 0; depth < steps((double)c->n); depth++)
    sum += layers_apart(c, depth);
  return sum;
}

/*
 * What is in the TC when a search begins does not depend on it, and W nodes
 * spare the most when they are those of the least depth.  The text looks at one
 * depth, where half of the searches meet an expensive vertex, and takes ISLRU
 * for its initial segments; neither is needed.
 */
double bounds_search_lower(const struct bounds_case *c) {
  double n = (double)c->n, cells = (double)c->nodes, spared = 0;
  for (int depth = 0; depth < steps(n); depth++) {
    double apart = layers_apart(c, depth);
    double used = fmin(cells, ldexp(apart, depth));
    spared += fmin(apart, used * ldexp(1, steps(n) - depth) / n);
    cells -= used;
  }
  return n * (bounds_search_range(c) - spared);
}

/* Lemma 2.28: n / (4 k) log^2(n / (4 P W)). */
double bounds_search_printed(const struct bounds_case *c) {
  double n = (double)c->n;
  double lg = log2(n / (4 * (double)c->page * (double)c->nodes));
  return lg > 0 ? n / (4 * c->lg_nodes) * lg * lg : 0;
}

/* Nodes above the `top` highest layers of the search tree; the text has d each,
 * without those that they have in common. */
static double nodes_above(const struct bounds_case *c, int top) {
  double sum = 0;
  for (unsigned i = 0; i <= c->levels; i++)
    sum += fmin(ldexp(1, top) - 1, ceil((double)c->n / block(c, i)));
  return sum;
}

/*
 * Lemma 2.28, upper: cache all that is above the t top layers of the search
 * tree, and the current path.  The text lets each other step cost a path, d
 * printed for d + 1, and then remarks that a step of D keys changes only nodes
 * that do not span as many: the vertex and its parent, of depth i - 1, lie
 * between two multiples of 2^(q-i+1), and so below the same nodes of all layers
 * but layers_apart(i - 1).
 */
double bounds_search_upper(const struct bounds_case *c) {
  double misses = 0, path = c->levels + 1;
  int top = 0, depth = steps((double)c->n);
  while (top < depth && nodes_above(c, top + 1) + path <= (double)c->nodes)
    top++;
  if (!top) return INFINITY;
  for (int i = top; i < depth; i++) misses += layers_apart(c, i - 1);
  return (double)c->n * misses + nodes_above(c, top);
}

/*
 * "Heapify and Heapsort".  The nodes of height h of the heap are sifted from
 * right to left.  Where each goes down to the bottom level, the (n + 1) / 2
 * last keys, it touches one page of it, and for 2^h <= P all pages are touched
 * in turn; between two touches of one lie those of all others.  So each of the
 * first lg P heights costs all of the level's pages under LRU, W < n / (2P).
 * The text names the steps a_0 to a_(p-1), but a_0 stays in the first half of
 * the array; and where sifts stop early, pages may be left out.
 */
double bounds_heapify_lower(const struct bounds_case *c) {
  double pages = (double)(c->n + 1) / 2 / (double)c->page;
  return (double)c->nodes < pages ? ilogb((double)c->page) * pages : 0;
}

/* Nodes of a layer that are on no extremal path (definition 2.29): at most
 * ceil((n - 1) / (P K^i)) + 1 less two. */
static double inner_nodes(const struct bounds_case *c, double n,
                          unsigned layer) {
  return n < 2 ? 0 : floor((n - 2) / block(c, layer));
}

/* The non-extremal nodes of one path.  Printed floor(log_K(n / P)), which
 * forgets the leaf. */
static double inner_path(const struct bounds_case *c, double n) {
  double count = 0;
  for (unsigned i = 0; i < c->levels; i++) count += inner_nodes(c, n, i) > 0;
  return count;
}

/* Proposition 2.31, exact where the text estimates: non-extremal nodes above
 * any x of the n keys, summed layer by layer. */
static double inner_union(const struct bounds_case *c, double n, double x) {
  double sum = 0;
  for (unsigned i = 0; i < c->levels; i++) sum += fmin(x, inner_nodes(c, n, i));
  return sum;
}

/*
 * Keep the extremal paths, 2d + 1 nodes (printed 2d - 1, then 2d + 1), and for
 * each of z steps of a sift the rest of the path of what that step touches.
 * Step x is made in at most floor(n / 2^x) sifts and moves only to the left, so
 * that it misses no node twice (proposition 2.30).  Two more paths serve steps
 * from z on, which touch a parent and its children in turn; the text has one.
 */
double bounds_heapify_upper(const struct bounds_case *c) {
  double n = (double)c->n, path = inner_path(c, n), sum = 2 * c->levels + 1;
  double room = (double)c->nodes - sum, last = steps(n) - 1;
  if (room < 2 * path) return INFINITY;
  double kept = path > 0 ? floor(room / path) - 2 : last + 1;
  if ((last + 1) * path <= room) kept = last + 1;
  for (int x = 0; x <= last; x++) {
    double sifts = floor(ldexp(n, -x));
    sum += x < kept ? inner_union(c, n, sifts) : sifts * path;
  }
  return sum;
}

/*
 * Heapify, then n - 1 times the last key changes places with the first and is
 * sifted.  Keep the t top levels of the heap, 2^t - 1 consecutive keys, a path
 * for the last key, which scans the array, and two for the levels below, each
 * but for the root; each of those costs up to d.
 */
double bounds_heapsort_upper(const struct bounds_case *c) {
  double n = (double)c->n, d = c->levels, below = 0;
  int top = 0;
  while (top < steps(n) &&
         scan(c, ldexp(1, top + 1) - 1) + 3 * d <= (double)c->nodes)
    top++;
  if (!top) return INFINITY;
  for (uint64_t rest = 1; rest < c->n; rest++)
    below += fmax(0, steps((double)rest) - top);
  return bounds_heapify_upper(c) + scan(c, ldexp(1, top) - 1) + scan(c, n) +
         d * below;
}

/*
 * Section 2.5 has O(n / P log(n / P)).  For a partition of m > P keys keep the
 * extremal paths of the range, which hold two of the three keys that are looked
 * at for the pivot and one of the two that change places at the end.  The other
 * two cost the rest of a path each, and the two hands, which scan the range,
 * all the rest of it.  Ranges of up to P keys lie in two pages, and what
 * happens within them moves from left to right through the array: two paths are
 * kept for this one scan.
 */
double bounds_quicksort_upper(const struct bounds_case *c,
                              const uint64_t *partitions, size_t count) {
  double extremal = 2 * c->levels + 1, sum = scan(c, (double)c->n);
  double hands = 2 * c->levels, small = 2 * (c->levels + 1);
  if ((double)c->nodes < extremal + hands + small) return INFINITY;
  for (size_t i = 0; i < count; i++) {
    double m = (double)partitions[i];
    if (m > (double)c->page)
      sum += extremal + 2 * (inner_path(c, m) + inner_union(c, m, m));
  }
  return sum;
}
