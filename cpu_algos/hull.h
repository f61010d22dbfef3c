/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/hull.h -- convex hulls of points: what the algorithms that find
 * them have in common around their run.
 *
 * The answer is the hull's vertices counter-clockwise from the leftmost point,
 * the lowest of those: each once, and no point between two others.  The
 * workspace has room for arrays of n and n + 1 points; before a run the input
 * is at its beginning, as doubles or as floats, after it the answer somewhere,
 * and run->result is how many vertices it has.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/points.h"

/* The first or second array of points. */
static inline struct cpu_point *cpu_hull_points(const struct algo_run *run,
                                                unsigned index) {
  return (struct cpu_point *)(void *)run->memory + run->n * index;
}

static inline const struct cpu_point_float *cpu_hull_floats(
    const struct algo_run *run) {
  return (const struct cpu_point_float *)(const void *)run->memory;
}

/* Make doubles of the floats, in their place. */
void cpu_hull_widen(const struct algo_run *run);

/* A number that tells sets of points apart, whatever their order (but for a
 * chance of about 2^-64). */
uint64_t cpu_hull_print(const struct cpu_point *points, uint64_t n);

/* For algo: the answer is in the second array. */
size_t cpu_hull_bytes(uint64_t n);
void cpu_hull_setup(struct algo_run *run);
void cpu_hull_setup_float(struct algo_run *run);
void cpu_hull_restore(struct algo_run *run);
void cpu_hull_restore_float(struct algo_run *run);
const char *cpu_hull_check(const struct algo_run *run);
const char *cpu_hull_check_float(const struct algo_run *run);
void cpu_hull_answer(const struct algo_run *run, struct algo_data *answer);

/* The hull of n sorted points into `hull`, which has room for n + 1; returns
 * its vertices (Andrew's monotone chain). */
uint64_t cpu_hull_of_sorted(const struct cpu_point *points, uint64_t n,
                            struct cpu_point *hull);

/*
 * The hull of n points, or of as many floats, into the second array by
 * Jurkiewicz' marriage before conquest (marriage.c).  Overwrites the first.
 */
uint64_t cpu_hull_marry(const struct algo_run *run, bool floats);
