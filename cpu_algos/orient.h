/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/orient.h -- on which side of a line a point lies, exactly: by
 * turn.h. */
#pragma once
#include "cpu_algos/turn.h"

/* The same without a first try by rounded numbers: seldom needed, and slow. */
int cpu_orient_exact(struct cpu_point a, struct cpu_point b,
                     struct cpu_point c);

/* Twice the area of a triangle, rounded: positive if its corners go round
 * counter-clockwise. */
static inline struct cpu_area cpu_area_of(struct cpu_point a,
                                          struct cpu_point b,
                                          struct cpu_point c) {
  return cpu_area_between(a, b, a, c);
}

/*
 * 1 if c lies to the left of the line from a to b, -1 to its right, 0 on it or
 * where a equals b.  The coordinates are what cpu_points_refuse() lets pass.
 */
static inline int cpu_orient(struct cpu_point a, struct cpu_point b,
                             struct cpu_point c) {
  struct cpu_area rounded = cpu_area_of(a, b, c);
  if (rounded.area > rounded.error) return 1;
  if (rounded.area < -rounded.error) return -1;
  return cpu_orient_exact(a, b, c);
}
