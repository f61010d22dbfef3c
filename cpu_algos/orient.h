/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/orient.h -- on which side of a line a point lies, exactly.
 *
 * A rounded determinant that is larger than the roundings can have made it has
 * the right sign; any other is computed anew, without rounding (Shewchuk,
 * Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates, 1997).  A fused multiply-add only leaves out a rounding, so it
 * does not matter where the compiler uses one.
 */
#ifndef CPU_ALGOS_ORIENT_H
#define CPU_ALGOS_ORIENT_H
#include "cpu_algos/points.h"

/* By how much of |left| + |right| the rounded left - right may be wrong, each a
 * product of two differences: (3 + 16 e) e for e = 2^-53 (ibid., 4.3). */
#define CPU_ORIENT_ERROR 3.3306690738754716e-16

/* The same without a first try by rounded numbers: seldom needed, and slow. */
int cpu_orient_exact(struct cpu_point a, struct cpu_point b,
                     struct cpu_point c);

/* Twice the area of a triangle, rounded: positive if its corners go round
 * counter-clockwise.  Its sign is right if it is larger than the error. */
struct cpu_area {
  double area, error;
};

static inline struct cpu_area cpu_area_of(struct cpu_point a,
                                          struct cpu_point b,
                                          struct cpu_point c) {
  double left = (b.x - a.x) * (c.y - a.y);
  double right = (b.y - a.y) * (c.x - a.x);
  double size = __builtin_fabs(left) + __builtin_fabs(right);
  return (struct cpu_area){left - right, CPU_ORIENT_ERROR * size};
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
#endif
