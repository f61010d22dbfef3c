/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The transform of radix 2 in place: numbers change places with those whose
 * places have their bits backwards, and log2 N passes go over all of them, each
 * with a run of the table of roots for each block of the pass.
 */
#include <math.h>

#include "vat/bounds_parts.h"

enum { NUMBER = 2 /* words of a complex number */ };

double vat_bounds_run(const struct vat_bounds_case *c, unsigned layer,
                      double words) {
  double span = vat_bounds_span(c, layer);
  if (layer == c->tree.levels) return 1;
  if (vat_bounds_begins_at(c, 0, fmin(words, span)))
    return fmax(1, words / span);
  return vat_bounds_at_most(c, layer, words);
}

double vat_bounds_run_least(const struct vat_bounds_case *c, unsigned layer,
                            double words) {
  double span = vat_bounds_span(c, layer);
  if (words < span) return 0;
  return words / span - (vat_bounds_begins_at(c, 0, span) ? 0 : 1);
}

/* The numbers, and the words of these and of as many roots. */
static double length_of(const struct vat_bounds_case *c) {
  return vat_bounds_power_of_two((double)c->n);
}

static double words_of(const struct vat_bounds_case *c) {
  return 2 * NUMBER * length_of(c);
}

/* Numbers below a node, and nodes above a number. */
static double numbers_below(const struct vat_bounds_case *c, unsigned layer) {
  return fmax(1, vat_bounds_span(c, layer) / NUMBER);
}

static double nodes_above(const struct vat_bounds_case *c, unsigned layer) {
  return vat_bounds_span(c, layer) < NUMBER ? NUMBER : 1;
}

/* Of `hands` numbers: of all layers; and of those of several nodes. */
static double cells_of(const struct vat_bounds_case *c, double hands) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) sum += nodes_above(c, i);
  return hands * sum;
}

static double missed_by(const struct vat_bounds_case *c, double hands) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    if (vat_bounds_above(c, i, words_of(c)) > 1) sum += nodes_above(c, i);
  return hands * sum;
}

/* All but 2^ceil(L / 2) of 2^L numbers change places, in pairs. */
static double exchanges(double length) {
  int lg = ilogb(length);
  return (length - ldexp(1, lg - lg / 2)) / 2;
}

/*
 * Let i go over R = 2^t numbers, from m R on.  Their partners are N / R apart,
 * and those from (m + 1) R on change places with them: at least
 * R - 1 - R (m + 1) R / N of them.  On layers whose nodes are above N / R
 * numbers at most, each has nodes of its own; on others all nodes on the way
 * are touched.  So much, less W, is missed whatever the policy; summed up over
 * all m, of which the sum is at least the integral.
 */
static double reversal_in_runs(const struct vat_bounds_case *c, double run) {
  double length = length_of(c), runs = length / run;
  double most = 0, less = (double)c->nodes;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double below = numbers_below(c, i);
    bool own = below <= runs;
    most += own ? run : length / below;
    less += own ? 1 : 2 * runs / below;
  }
  double first = most * (1 - 1 / runs) - less;
  return first > 0 ? runs * first * first / (2 * most) : 0;
}

static double reversal_lower(const struct vat_bounds_case *c) {
  double best = 0;
  for (double run = 1; run < length_of(c); run *= 2)
    best = fmax(best, reversal_in_runs(c, run));
  return best;
}

/* A pass touches all numbers and a run of roots, and each of its blocks does
 * with its own. */
static double pass_lower(const struct vat_bounds_case *c, double half) {
  double length = length_of(c), pass = 0, block = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double roots = vat_bounds_run_least(c, i, NUMBER * half);
    pass += vat_bounds_run_least(c, i, NUMBER * length) + roots;
    block += vat_bounds_run_least(c, i, 2 * NUMBER * half) + roots;
  }
  pass -= (double)c->nodes;
  block -= (double)c->nodes;
  return fmax(0, fmax(pass, length / (2 * half) * block));
}

double vat_bounds_fft_lower(const struct vat_bounds_case *c) {
  double length = length_of(c), sum = reversal_lower(c);
  if (c->n < 2) return 0; /* one number is its own transform */
  for (double half = 1; half < length; half *= 2) sum += pass_lower(c, half);
  return fmax(vat_bounds_all(c, NUMBER * length), sum);
}

/* Nodes that so many steps of i touch at most. */
static double reversal_touches(const struct vat_bounds_case *c, double steps) {
  double sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double all = vat_bounds_above(c, i, NUMBER * length_of(c));
    double scan = vat_bounds_at_most(c, i, NUMBER * steps);
    sum += fmin(all, steps * nodes_above(c, i) + scan);
  }
  return sum;
}

/* The most steps that touch W nodes. */
static double steps_kept(const struct vat_bounds_case *c) {
  double steps = 0;
  for (double step = ldexp(1, 53); step >= 1; step /= 2)
    if (reversal_touches(c, steps + step) <= (double)c->nodes) steps += step;
  return steps;
}

/*
 * Let M nodes of a layer be above B = N / M numbers each, and i come to the
 * q-th of them, q < M - 1.  Before, every M-th i has its partner there and
 * changes places with it.  Then, every M-th i has a partner in the last node,
 * and changes places, too.  After that there are none.  So, if LRU remembers
 * 2 M steps, the node is missed once.  In the last node there are N / M^2
 * numbers that have their partners in it; and if it is left alone for longer
 * than LRU remembers `kept` steps, then at most B / kept times.
 *
 * If LRU does not remember as much, or nodes begin elsewhere, then each partner
 * may be missed.
 */
static double reversal_upper(const struct vat_bounds_case *c) {
  double length = length_of(c), kept = steps_kept(c), sum = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double all = vat_bounds_above(c, i, NUMBER * length);
    double below = numbers_below(c, i), nodes = length / below;
    double missed = all > 1 ? exchanges(length) * nodes_above(c, i) : 0;
    bool aligned = vat_bounds_begins_at(c, 0, vat_bounds_span(c, i));
    if (vat_bounds_above(c, i, words_of(c)) <= 1) continue;
    if (aligned && 2 * nodes + 1 < kept)
      missed = fmin(missed, fmin(below / nodes / 2, below / (kept - 1)) + 1);
    sum += all + missed;
  }
  return sum;
}

/* Does W hold two blocks of the pass, and their roots? */
static bool roots_kept(const struct vat_bounds_case *c, double half) {
  double cells = 0;
  for (unsigned i = 0; i <= c->tree.levels; i++)
    cells += fmin(vat_bounds_above(c, i, words_of(c)),
                  vat_bounds_run(c, i, NUMBER * half) +
                      vat_bounds_at_most(c, i, 4 * NUMBER * half));
  return cells <= (double)c->nodes;
}

/*
 * Three hands go from left to right: over the lower half of a block, over the
 * upper half, and over the roots.  Of two butterflies, one after the other, all
 * nodes are kept.  So a node above numbers is missed once in a pass; or twice
 * where it is above the middle of a block and less than half of it, as the hand
 * over the upper half has left it when the other one comes.
 */
static double pass_upper(const struct vat_bounds_case *c, double half) {
  double length = length_of(c), blocks = length / (2 * half), sum = 0;
  bool kept = roots_kept(c, half);
  for (unsigned i = 0; i <= c->tree.levels; i++) {
    double roots = vat_bounds_run(c, i, NUMBER * half);
    double span = vat_bounds_span(c, i);
    if (vat_bounds_above(c, i, words_of(c)) <= 1) continue;
    sum += vat_bounds_above(c, i, NUMBER * length);
    sum += kept || roots <= 1 ? roots : blocks * roots;
    if (span < NUMBER * half && !vat_bounds_begins_at(c, 0, span))
      sum += blocks;
  }
  return sum;
}

/* Each exchange for itself. */
static double exchanges_upper(const struct vat_bounds_case *c) {
  return exchanges(length_of(c)) * missed_by(c, 2);
}

/* Each stretch of butterflies for itself in which no hand comes to another
 * leaf. */
static double stretches_upper(const struct vat_bounds_case *c, double half) {
  double length = length_of(c), blocks = length / (2 * half);
  double roots = vat_bounds_run(c, 0, NUMBER * half);
  double leaves = vat_bounds_above(c, 0, NUMBER * length);
  if (vat_bounds_span(c, 0) < NUMBER * half) leaves += blocks;
  leaves += roots <= 1 ? 1 : blocks * roots;
  return fmin(leaves, length / 2) * missed_by(c, 3);
}

/* Each access a whole path: four in an exchange, five in a butterfly. */
static double accesses_upper(const struct vat_bounds_case *c) {
  double length = length_of(c);
  double accesses = 4 * exchanges(length) + 5 * length / 2 * ilogb(length);
  return NUMBER * accesses * (c->tree.levels + 1);
}

double vat_bounds_fft_upper(const struct vat_bounds_case *c) {
  double length = length_of(c), nodes = (double)c->nodes;
  double all = vat_bounds_all(c, words_of(c));
  if (c->n < 2) return 0;
  if (all <= nodes) return all;
  if (nodes < cells_of(c, 3)) return accesses_upper(c);
  double sum = vat_bounds_single(c, words_of(c)) +
               (nodes < cells_of(c, 4) ? exchanges_upper : reversal_upper)(c);
  for (double half = 1; half < length; half *= 2)
    sum += (nodes < cells_of(c, 6) ? stretches_upper : pass_upper)(c, half);
  return sum;
}
