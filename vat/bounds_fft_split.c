/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cache-oblivious transform: N numbers are transposed as a matrix of R rows
 * and C columns, R = C or 2 C, between C transforms of R numbers and R of C.
 *
 * Frigo et al. bound its IO by theorem 2.32's C(M, B) if M >= B^2, that is, if
 * the cache holds as many blocks as a block holds words.  Without that, a part
 * of s x s numbers of a transpose touches 2 s rows, so that s is limited by the
 * number of blocks, a, and not by their size: O(N (1 / B + 1 / a)) for a
 * transpose, and log N / log(a B) times as much for the transform.
 *
 * Here it is counted.  Under LRU a stretch of the run that touches at most W
 * nodes misses each of them once at most; so cut the run into such stretches.
 */
#include <math.h>
#include <stdbool.h>

#include "vat/bounds_stretch.h"

/* Words of a number; numbers of a transform that is not split, and the side of
 * a leaf of a transpose. */
enum { NUMBER = 2, CUTOFF = 16, LEAF = 4 };

/* The numbers, as much for the answer, and the roots. */
static double length_of(const struct vat_bounds_case *c) {
  return vat_bounds_power_of_two((double)c->n);
}

static double words_of(const struct vat_bounds_case *c) {
  return 4 * NUMBER * length_of(c);
}

static double cols_of(double length) { return ldexp(1, ilogb(length) / 2); }

static void touch(const struct vat_bounds_case *c, unsigned layer, double nodes,
                  struct stretch *stretch) {
  vat_bounds_touch(c, layer, nodes, words_of(c), stretch);
}

/* By `count` transforms, one after the other, whose numbers are: those and the
 * answers; and the roots, of the transform itself and of those it is split
 * into. */
static struct stretch by_transforms(const struct vat_bounds_case *c,
                                    double length, double count) {
  struct stretch sum = {0, 0};
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double nodes = 2 * vat_bounds_run(c, i, NUMBER * length * count);
    nodes += vat_bounds_run(c, i, NUMBER * length);
    if (length > CUTOFF)
      nodes += vat_bounds_run(c, i, 2 * NUMBER * length / cols_of(length));
    touch(c, i, nodes, &sum);
  }
  return sum;
}

/* A part of a transpose, and the sides of all. */
struct part {
  double rows, cols, all_rows, all_cols;
  bool twiddled;
};

/* Halved as the program does; a leaf goes row by row. */
static bool halve(struct part *p) {
  if (p->rows <= 1 && p->cols <= 1) return false;
  bool leaf = p->rows <= LEAF && p->cols <= LEAF;
  if (p->rows >= p->cols || (leaf && p->rows > 1))
    p->rows /= 2;
  else
    p->cols /= 2;
  return true;
}

/* Nodes above some rows of numbers, each `step` after the other, at most. */
static double above_rows(const struct vat_bounds_case *c, unsigned layer,
                         double rows, double cols, double step) {
  if (cols >= step) return vat_bounds_run(c, layer, NUMBER * rows * cols);
  return fmin(
      rows * vat_bounds_run(c, layer, NUMBER * cols),
      vat_bounds_at_most(c, layer, NUMBER * ((rows - 1) * step + cols)));
}

static struct stretch by_part(const struct vat_bounds_case *c,
                              const struct part *p) {
  struct stretch sum = {0, 0};
  double reads = p->twiddled ? 2 : 1;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    touch(c, i,
          reads * above_rows(c, i, p->rows, p->cols, p->all_cols) +
              above_rows(c, i, p->cols, p->rows, p->all_rows),
          &sum);
  return sum;
}

static double parts_of(const struct part *p) {
  return p->all_rows * p->all_cols / (p->rows * p->cols);
}

/* Each of so many accesses to a number a whole path. */
static double accesses_most(const struct vat_bounds_case *c, double accesses) {
  return NUMBER * accesses * vat_bounds_several(c, words_of(c));
}

/* The best parts that fit W. */
static double transpose_most(const struct vat_bounds_case *c, struct part p) {
  double best = accesses_most(c, p.rows * p.cols * (p.twiddled ? 3 : 2));
  do {
    struct stretch touched = by_part(c, &p);
    if (touched.cells <= (double)c->nodes)
      best = fmin(best, parts_of(&p) * touched.misses);
  } while (halve(&p));
  return best;
}

/* Numbers are copied to the answer, a pair for itself, and then go through
 * butterflies of two of them and a root. */
static double leaf_most(const struct vat_bounds_case *c, double length) {
  struct stretch one = {0, 0};
  for (unsigned i = 0; i <= c->tree.levels; i++)
    touch(c, i, vat_bounds_run(c, i, NUMBER), &one);
  double steps = ilogb(length);
  if (3 * one.cells > (double)c->nodes)
    return accesses_most(c, length * (2 + 2.5 * steps));
  return length * (2 + 1.5 * steps) * one.misses;
}

static double transform_most(const struct vat_bounds_case *c, double length);

static double transforms_most(const struct vat_bounds_case *c, double length,
                              double count) {
  return vat_bounds_parts_most(c, length, count, by_transforms, transform_most);
}

/* Of one that does not fit W. */
static double transform_most(const struct vat_bounds_case *c, double length) {
  if (length <= CUTOFF) return leaf_most(c, length);
  double cols = cols_of(length), rows = length / cols;
  struct part out = {rows, cols, rows, cols, false};
  struct part back = {cols, rows, cols, rows, true};
  return 2 * transpose_most(c, out) + transpose_most(c, back) +
         transforms_most(c, rows, cols) + transforms_most(c, cols, rows);
}

double vat_bounds_fft_split_upper(const struct vat_bounds_case *c) {
  double all = vat_bounds_all(c, words_of(c));
  if (!c->n || all <= (double)c->nodes) return c->n ? all : 0;
  return vat_bounds_single(c, words_of(c)) +
         transforms_most(c, length_of(c), 1);
}

/* Nodes of a layer above such rows that no other array shares: each row's
 * whole nodes or else its first, or where rows are closer than nodes all that
 * are on the way. */
static double above_rows_least(const struct vat_bounds_case *c, unsigned layer,
                               double rows, double cols, double step) {
  double span = vat_bounds_span(c, layer), shared = 0, nodes;
  if (!vat_bounds_begins_at(c, 0, span) || step * rows * NUMBER < span)
    shared = 1;
  if (step * NUMBER >= span)
    nodes = rows * fmax(1, NUMBER * cols / span);
  else
    nodes = (rows - 1) * step * NUMBER / span;
  return fmax(0, nodes - shared);
}

/* Whatever the policy, a part costs what it touches, less W. */
static double transpose_least(const struct vat_bounds_case *c, struct part p) {
  double best = 0, reads = p.twiddled ? 2 : 1;
  do {
    double sum = -(double)c->nodes;
    for (unsigned i = 0; i < c->tree.levels; i++)
      sum += reads * above_rows_least(c, i, p.rows, p.cols, p.all_cols) +
             above_rows_least(c, i, p.cols, p.rows, p.all_rows);
    best = fmax(best, parts_of(&p) * sum);
  } while (halve(&p));
  return best;
}

static double transform_least(const struct vat_bounds_case *c, double length) {
  double whole = -(double)c->nodes;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    whole += 2 * vat_bounds_run_least(c, i, NUMBER * length);
  if (length <= CUTOFF) return fmax(0, whole);
  double cols = cols_of(length), rows = length / cols;
  struct part out = {rows, cols, rows, cols, false};
  struct part back = {cols, rows, cols, rows, true};
  double parts = 2 * transpose_least(c, out) + transpose_least(c, back);
  parts += cols * transform_least(c, rows) + rows * transform_least(c, cols);
  return fmax(whole, parts);
}

/* And each node once: the numbers and the answer, and the roots of the whole.
 */
double vat_bounds_fft_split_lower(const struct vat_bounds_case *c) {
  double length = length_of(c), all = vat_bounds_all(c, 2 * NUMBER * length);
  if (!c->n) return 0;
  for (unsigned i = 0; length > CUTOFF && i <= c->tree.levels; i++)
    all += fmax(0, vat_bounds_run_least(c, i, NUMBER * length));
  return fmax(all, transform_least(c, length));
}
