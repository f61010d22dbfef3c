/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/bounds_parts.h -- what closed forms have in common.  Internal to vat/.
 */
#pragma once
#include <stdbool.h>

#include "vat/bounds.h"

enum { VAT_BOUNDS_WORD = 8, VAT_BOUNDS_WORD_BITS = 3 };

/* Words below a node of `layer`, P K^layer; 1 where pages are less. */
double vat_bounds_span(const struct vat_bounds_case *c, unsigned layer);

/* Nodes of a layer above the first `words` words of the workspace, and above
 * those of all layers. */
double vat_bounds_above(const struct vat_bounds_case *c, unsigned layer,
                        double words);
double vat_bounds_all(const struct vat_bounds_case *c, double words);

/* At most, wherever so many words begin. */
double vat_bounds_at_most(const struct vat_bounds_case *c, unsigned layer,
                          double words);

/*
 * A layer whose one node is above all `words` of the workspace: under LRU this
 * is missed once, and stays.  What is left are layers of several nodes: how
 * many, and the sum of their 1 / span.
 */
double vat_bounds_single(const struct vat_bounds_case *c, double words);
double vat_bounds_several(const struct vat_bounds_case *c, double words);
double vat_bounds_density(const struct vat_bounds_case *c, double words);

/* An expectation of policies that know the past only, set off by chance; by
 * theorem 2.14 also for the others. */
double vat_bounds_online(const struct vat_bounds_case *c,
                         vat_bounds_form *expected, double n, double range);

/* Is word number `word` of the workspace at a multiple of so many words, a
 * power of two? */
bool vat_bounds_begins_at(const struct vat_bounds_case *c, double word,
                          double words);

/* Pages that the siblings 2 i and 2 i + 1 of a heap are on, at most. */
double vat_bounds_pair(const struct vat_bounds_case *c);

/*
 * At least so many nodes of a layer are missed in the second phase of heapsort,
 * bottom-up and top-down, under a policy that knows the past only, whatever the
 * first phase has accessed.  `held` is W + 1 times the keys that a node of the
 * layer spans.  It holds for n different keys in all orders but a share of 2 *
 * 2^-bits (bottom-up) or 2^-bits (top-down).
 */
double vat_bounds_unwind_least(double n, double held, double bits);
double vat_bounds_unwind_topdown_least(double n, double held, double bits);

/* 1 + floor(log2 n), n >= 1; and the least power of two that is no less than n,
 * or 1. */
int vat_bounds_steps(double n);
double vat_bounds_power_of_two(double n);

/* Layers whose nodes span at most so many words. */
double vat_bounds_layers_within(const struct vat_bounds_case *c, double words);

/*
 * The most rounds whose nodes, with those of one more, an LRU cache of W nodes
 * holds.  `touched`, of any s rounds in a row, is of all layers or of one, does
 * not fall with s, and gets to more than W.
 */
typedef double vat_bounds_rounds(const struct vat_bounds_case *c,
                                 const void *arg, double rounds);
double vat_bounds_remembered(const struct vat_bounds_case *c,
                             vat_bounds_rounds *touched, const void *arg);

/* Nodes of a layer above a run of a power of two of words, which begins at a
 * multiple of its length from the workspace on: at most; and those that no
 * other such run shares with it. */
double vat_bounds_run(const struct vat_bounds_case *c, unsigned layer,
                      double words);
double vat_bounds_run_least(const struct vat_bounds_case *c, unsigned layer,
                            double words);

/* Nodes of a layer above a column of an n x n matrix that lies row by row, and
 * whether LRU has evicted them when the next column comes (bounds_matrix.c). */
double vat_bounds_column_least(const struct vat_bounds_case *c, unsigned layer);
double vat_bounds_column_most(const struct vat_bounds_case *c, unsigned layer);
bool vat_bounds_column_evicted(const struct vat_bounds_case *c, unsigned layer);
