/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The product c = a b by rows: for each element of c a row of a, whose words
 * alternate with those of a column of b.  A column's words lie n apart, as in
 * the transpose by rows (section 2.6.2), so that each node above it is missed
 * again for each element of c unless the TC holds a whole column.
 */
#include <math.h>

#include "vat/bounds_parts.h"

static double words_of(const struct vat_bounds_case *c) {
  return 3 * (double)c->n * (double)c->n;
}

/* Any policy: what is touched less the W nodes that were there, for an element
 * of c, for a row of it, and for all; and LRU's misses of each column. */
double vat_bounds_product_rows_lower(const struct vat_bounds_case *c) {
  double n = (double)c->n, column = 0, evicted = 0, row = 0;
  if (!c->n) return 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double least = vat_bounds_column_least(c, i);
    column += least;
    row += fmax(least, n * n / vat_bounds_span(c, i));
    if (vat_bounds_column_evicted(c, i)) evicted += least;
  }
  double best = vat_bounds_all(c, words_of(c)), nodes = (double)c->nodes;
  best = fmax(best, fmax(n * n * (column - nodes), n * (row - nodes)));
  return c->policy == VAT_BOUNDS_RECENT ? fmax(best, n * n * evicted) : best;
}

/* Nodes that are left and come back to in a row of c: above the end of a row of
 * b and the next one's beginning, and at both ends of b. */
static double split_rows(const struct vat_bounds_case *c, unsigned layer) {
  double n = (double)c->n, span = vat_bounds_span(c, layer);
  if (vat_bounds_begins_at(c, n * n, span) && fmod(n, span) <= 0) return 0;
  return span < 2 * n ? n + 2 : 2;
}

/*
 * The TC holds what is touched from one element of c to the next: so b is
 * missed once for each row of c, but for layers whose nodes are above whole
 * rows of b and thus met by each column.  a and c are scanned.
 */
static double column_kept(const struct vat_bounds_case *c) {
  double n = (double)c->n, all = vat_bounds_all(c, words_of(c));
  double cells = 0, again = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double nodes = vat_bounds_above(c, i, words_of(c));
    double b = vat_bounds_at_most(c, i, n * n);
    double row = 2 + vat_bounds_at_most(c, i, n) + 2; /* of a; and c */
    cells += fmin(nodes, vat_bounds_column_most(c, i) + 2 + row);
    if (nodes <= 1) continue;
    again += n * split_rows(c, i) + 2; /* matrices share nodes at their ends */
    if (vat_bounds_span(c, i) < 2 * n) again += n * b;
  }
  return cells <= (double)c->nodes ? all + again : INFINITY;
}

/* The TC holds b, and two rows of a and c each: each node is missed once, but
 * for those that matrices share. */
static double matrix_kept(const struct vat_bounds_case *c) {
  double n = (double)c->n, cells = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    cells += fmin(
        vat_bounds_above(c, i, words_of(c)),
        vat_bounds_at_most(c, i, n * n) + 2 * vat_bounds_at_most(c, i, 2 * n));
  if (cells > (double)c->nodes) return INFINITY;
  return vat_bounds_all(c, words_of(c)) +
         2 * vat_bounds_several(c, words_of(c));
}

/*
 * It holds no column: a column and c's element miss all that they touch.  A row
 * of a within one node of a layer misses it no more than once, as it is met
 * again with each word.  Of the others, which each border between two nodes
 * makes one at most, all nodes are missed for each element of c.
 */
static double column_missed(const struct vat_bounds_case *c) {
  double n = (double)c->n, sum = vat_bounds_all(c, words_of(c));
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double borders = vat_bounds_at_most(c, i, n * n) - 1;
    if (vat_bounds_above(c, i, words_of(c)) <= 1) continue;
    sum += n * n * (vat_bounds_column_most(c, i) + 1);
    sum += n * (borders + fmin(n, borders)) + n;
  }
  return sum;
}

double vat_bounds_product_rows_upper(const struct vat_bounds_case *c) {
  double n = (double)c->n, all = vat_bounds_all(c, words_of(c));
  double accesses = 2 * n * n * n + n * n;
  if (!c->n || all <= (double)c->nodes) return all;
  if (c->nodes < 3 * (c->tree.levels + 1)) /* each access a whole path */
    return accesses * (c->tree.levels + 1);
  return fmin(column_missed(c), fmin(column_kept(c), matrix_kept(c)));
}
