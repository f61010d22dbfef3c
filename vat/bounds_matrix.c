/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sections 2.5 and 2.6.2.  Recursive algorithms are bound by theorem 2.32, and
 * once more in the manner of its proof, without sharing W out among the layers:
 * under LRU what all fits W is missed once.
 */
#include <math.h>
#include <stdbool.h>

#include "vat/bounds_parts.h"

/* A recursion that halves both sides of `matrices` square matrices, `dims`
 * sides in all, at multiples of a tile. */
struct recursion {
  double matrices;
  int dims;
  double tile;
  bool by_rows; /* or each part in one piece of memory */
};

static const struct recursion halves = {2, 2, 8, true};
static const struct recursion tiles = {2, 2, 32, false};
static const struct recursion product = {3, 3, 32, false};

/* The longest side after `depth` halvings, and how many parts there are. */
static double side_of(const struct recursion *r, double n, int depth) {
  double side = ceil(n / r->tile);
  for (int i = 0; i < depth; i++) side = ceil(side / 2);
  return fmin(n, side * r->tile);
}

static double parts_of(const struct recursion *r, double n, int depth) {
  return fmin(ldexp(1, depth), ceil(n / r->tile));
}

static bool is_deepest(const struct recursion *r, double n, int depth) {
  return side_of(r, n, depth) <= r->tile;
}

/* Blocks that one of the parts touches at most. */
static double part_blocks(const struct recursion *r, double n, double side,
                          double block) {
  double one = ceil((side * side - 1) / block) + 1;
  if (r->by_rows)
    one = fmin(side * (ceil((side - 1) / block) + 1),
               ceil(((side - 1) * (n + 1)) / block) + 1);
  return r->matrices * one;
}

/* And all parts: less than two more for each piece of memory than it is long.
 */
static double all_blocks(const struct recursion *r, double n, int depth,
                         double block) {
  double parts = parts_of(r, n, depth), count = pow(parts, r->dims);
  double all = n * n * pow(parts, r->dims - 2) / block + 2 * count;
  if (r->by_rows)
    all =
        fmin(n * n / block + 2 * n * parts, n * n * parts / block + 2 * count);
  return r->matrices * all;
}

static double words_of(const struct recursion *r,
                       const struct vat_bounds_case *c) {
  return r->matrices * (double)c->n * (double)c->n;
}

struct problem {
  const struct recursion *recursion;
  double n;
};

/* The first parts of which each fits: theorem 2.32's C(M, B). */
static double io(double memory, double block, const void *arg) {
  const struct problem *p = arg;
  for (int depth = 0;; depth++) {
    double side = side_of(p->recursion, p->n, depth);
    if (part_blocks(p->recursion, p->n, side, block) * block <= memory)
      return all_blocks(p->recursion, p->n, depth, block);
    if (is_deepest(p->recursion, p->n, depth)) return INFINITY;
  }
}

static double min_of(const struct recursion *r,
                     const struct vat_bounds_case *c) {
  const struct problem problem = {r, (double)c->n};
  return vat_bounds_cache_oblivious(c, io, &problem);
}

static double min_of_halves(const struct vat_bounds_case *c) {
  return min_of(&halves, c);
}

static double min_of_tiles(const struct vat_bounds_case *c) {
  return min_of(&tiles, c);
}

static double min_of_product(const struct vat_bounds_case *c) {
  return min_of(&product, c);
}

/* Under LRU, on all layers, where each part of this depth fits W. */
static double at_depth(const struct recursion *r,
                       const struct vat_bounds_case *c, int depth) {
  double n = (double)c->n, cells = 0, misses = 0;
  double side = side_of(r, n, depth);
  double count = pow(parts_of(r, n, depth), r->dims);
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double block = vat_bounds_span(c, i);
    double all = vat_bounds_above(c, i, words_of(r, c));
    cells += fmin(all, part_blocks(r, n, side, block));
    misses += all <= 1 ? 1 : fmin(count * all, all_blocks(r, n, depth, block));
  }
  return cells <= (double)c->nodes ? misses : INFINITY;
}

static double recursive_upper(const struct recursion *r,
                              const struct vat_bounds_case *c,
                              vat_bounds_form *of_min) {
  double all = vat_bounds_all(c, words_of(r, c)), best = INFINITY;
  if (all <= (double)c->nodes) return all;
  for (int depth = 0; best == INFINITY; depth++) {
    best = at_depth(r, c, depth);
    if (is_deepest(r, (double)c->n, depth)) break;
  }
  return fmin(best, vat_bounds_by_policy(c, of_min));
}

/* The sum of 1 / (P K^i). */
static double density_of(const struct vat_bounds_case *c) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    sum += 1 / vat_bounds_span(c, i);
  return sum;
}

double vat_bounds_tiles_lower(const struct vat_bounds_case *c) {
  return vat_bounds_all(c, words_of(&tiles, c));
}

double vat_bounds_tiles_upper(const struct vat_bounds_case *c) {
  return c->n ? recursive_upper(&tiles, c, min_of_tiles) : 0;
}

/*
 * Whatever the policy, a part costs what it touches, less the W nodes that are
 * there when it begins.  Rows that are longer than a node's span have a node
 * each, in either matrix, which may share one a layer.
 */
double vat_bounds_halves_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n, best = vat_bounds_all(c, words_of(&halves, c));
  for (int depth = 0; c->n; depth++) {
    double side = side_of(&halves, n, depth), sum = 0;
    double count = pow(parts_of(&halves, n, depth), 2);
    for (unsigned i = 0; i <= c->tree.levels; i++) {
      double span = vat_bounds_span(c, i);
      double rows = span <= n ? 2 * n * n / side : 0;
      sum += fmax(0, fmax(2 * n * n / span, rows) - count);
    }
    best = fmax(best, sum - count * (double)c->nodes);
    if (is_deepest(&halves, n, depth)) break;
  }
  return best;
}

double vat_bounds_halves_upper(const struct vat_bounds_case *c) {
  return c->n ? recursive_upper(&halves, c, min_of_halves) : 0;
}

/* The same of the product, whose third matrix has been cleared before. */
double vat_bounds_matmul_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n, best = 0, density = density_of(c);
  for (int depth = 0; c->n; depth++) {
    double parts = parts_of(&product, n, depth);
    best = fmax(best,
                3 * parts * n * n * density - pow(parts, 3) * (double)c->nodes);
    if (is_deepest(&product, n, depth)) break;
  }
  return fmax(vat_bounds_all(c, words_of(&product, c)), n * n * density + best);
}

double vat_bounds_matmul_upper(const struct vat_bounds_case *c) {
  double n = (double)c->n, words = words_of(&product, c);
  if (!c->n) return 0;
  double all = vat_bounds_all(c, words);
  if (all <= (double)c->nodes) return all;
  return recursive_upper(&product, c, min_of_product) + n * n * density_of(c) +
         2 * (c->tree.levels + 1);
}

double vat_bounds_matmul_printed(const struct vat_bounds_case *c) {
  double n = (double)c->n, page = vat_bounds_span(c, 0);
  double fanout = pow(ldexp(1, (int)c->tree.index_bits), 1.5);
  double a = floor((double)c->nodes / c->tree.levels);
  return fanout / (fanout - 1) * n * n * n / (sqrt(a) * pow(page, 1.5));
}

/* Nodes of a layer above a column of the transpose, words n apart. */
double vat_bounds_column_least(const struct vat_bounds_case *c,
                               unsigned layer) {
  double n = (double)c->n, span = vat_bounds_span(c, layer);
  return span <= n ? n : ceil(((n - 1) * n + 1) / span);
}

double vat_bounds_column_most(const struct vat_bounds_case *c, unsigned layer) {
  double n = (double)c->n;
  return fmin(n, vat_bounds_at_most(c, layer, (n - 1) * n + 1));
}

/*
 * Under LRU a node above r rows is missed in each column if since the column
 * before W others have been accessed: the leaves of all other rows.  Rows
 * shorter than a page share leaves; two stretches of them are left, each of
 * which may miss a part of a page at either end.
 */
bool vat_bounds_column_evicted(const struct vat_bounds_case *c,
                               unsigned layer) {
  double n = (double)c->n, page = vat_bounds_span(c, 0);
  double rows = floor((vat_bounds_span(c, layer) - 1) / n) + 1;
  double others = page <= n ? n - rows : (n - rows - 2) * n / page - 4;
  return others >= (double)c->nodes;
}

/* 2.6.2: "no translation path can be reused", Theta(n d) for n elements; here
 * layer by layer.  Under any policy a column costs what it touches less W. */
double vat_bounds_rows_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n, all = vat_bounds_all(c, 2 * n * n);
  double touched = 0, evicted = 0;
  if (!c->n) return 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    touched += vat_bounds_column_least(c, i);
    if (vat_bounds_column_evicted(c, i))
      evicted += vat_bounds_column_least(c, i);
  }
  double any = fmax(all, n * (touched - (double)c->nodes));
  return c->policy == VAT_BOUNDS_RECENT ? fmax(any, n * evicted) : any;
}

/* Nodes that are left and come back to: one above the end of a row and the
 * next one's beginning, but no row as a whole; and one above the beginning of
 * the first row that is written and the end of the last one that is read. */
static double split_rows(const struct vat_bounds_case *c, unsigned layer) {
  double n = (double)c->n, span = vat_bounds_span(c, layer);
  double middle = vat_bounds_begins_at(c, n * n, span) ? 0 : 1;
  if (span >= 2 * n) return middle;
  return fmod(n, span) > 0 || middle ? n + middle : 0;
}

/*
 * The reads are a scan.  A node is missed at most once a column, since between
 * two of its accesses lie one read and one write; or once for all columns in
 * turn, if the TC holds what is touched from one to the next and the reads
 * meanwhile.
 */
double vat_bounds_rows_upper(const struct vat_bounds_case *c) {
  double n = (double)c->n, all = vat_bounds_all(c, 2 * n * n);
  double cells = 0, sum = 0, twice = 0;
  if (!c->n) return 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double nodes = vat_bounds_above(c, i, 2 * n * n),
           most = vat_bounds_column_most(c, i);
    cells += fmin(nodes, most + 2 + vat_bounds_at_most(c, i, n + 2));
    if (nodes > 1) sum += most, twice += split_rows(c, i);
  }
  if (all <= (double)c->nodes) return all;
  if (cells <= (double)c->nodes) return all + twice;
  if (c->nodes < 3 * (c->tree.levels + 1)) /* each access a whole path */
    return 2 * n * n * (c->tree.levels + 1);
  return all + n * sum;
}
