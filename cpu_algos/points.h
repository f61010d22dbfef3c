/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/points.h -- points of the plane: the input of convex hulls. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

struct cpu_point {
  double x, y;
};

struct cpu_point_float {
  float x, y;
};

/* By x, points of one x by y: the order from left to right. */
static inline bool cpu_point_before(struct cpu_point a, struct cpu_point b) {
  return (a.x < b.x) | ((a.x == b.x) & (a.y < b.y));
}

static inline bool cpu_point_equal(struct cpu_point a, struct cpu_point b) {
  return (a.x == b.x) & (a.y == b.y);
}

static inline struct cpu_point cpu_point_negated(struct cpu_point p) {
  p.x = -p.x;
  p.y = -p.y;
  return p;
}

/*
 * For algo.generators: square (the unit square), disc (the unit disc), ring
 * (the unit circle, as near as rounding leaves points to it), collinear (on
 * one line, exactly), duplicates (of at most 1000 points), parabola (all are
 * vertices), triangles (one in the other), cluster (most are close together, at
 * the right), equal.
 */
extern const char *const cpu_points_generators[];

/*
 * Point i of the input: the given one, or number i of the seed's, which is
 * rounded to floats if `floats`.  Nothing but exact operations and those that
 * IEEE 754 rounds correctly makes it, the same on every machine.
 */
struct cpu_point cpu_points_at(const struct algo_run *run, uint64_t i,
                               bool floats);

/*
 * For algo.refuse: NULL if each number is 0 or of 2^-480 .. 2^500, so that a
 * product of two neither overflows nor loses bits below the least double, and
 * sums of such products do not overflow.
 */
const char *cpu_points_refuse(const struct algo_data *given);

/* Likewise, if each number is a float as it is. */
const char *cpu_points_refuse_float(const struct algo_data *given);

/* Sort by cpu_point_before(). */
void cpu_points_sort(struct cpu_point *points, uint64_t n);
