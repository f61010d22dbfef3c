/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/pairs.h -- pairs of points: those that give a direction, and
 * those of which one shows the other to be no vertex. */
#pragma once
#include "gpu_algos/hull/plane.h"

namespace {

/* From a to b or from b to a, whichever goes more along l r.  Rounded: any
 * direction is a right one. */
__device__ __forceinline__ line along(line base, point a, point b) {
  double x = base.to.x - base.from.x, y = base.to.y - base.from.y;
  bool back = (b.x - a.x) * x + (b.y - a.y) * y < 0;
  line way;
  way.from = back ? b : a;
  way.to = back ? a : b;
  return way;
}

__device__ __forceinline__ point of_points(line way) {
  point v;
  v.x = way.to.x - way.from.x;
  v.y = way.to.y - way.from.y;
  return v;
}

/*
 * The direction of a pair out of from[begin..end), at least two: the median of
 * as many random ones as there are lanes, which splits better than any one of
 * them.  That from l to r where all are pairs of equal points: it has a point
 * for a pivot, whatever the points are.
 */
template <class P>
__device__ line median_pair(line base, const P *from, uint32_t begin,
                            uint32_t end, uint32_t seed, point ways[WARP]) {
  uint32_t draw = seed + lane_id() * NEXT_LANE;
  uint32_t pair = begin + 2 * random_below(draw, (end - begin) / 2);
  point a = load(from + pair), b = load(from + pair + 1);
  line way = along(base, a, b);
  point mine = of_points(way);
  uint32_t lane = lane_id(), before = 0;
  uint32_t usable = __ballot_sync(ALL_LANES, !same(a, b));
  store(ways + lane, mine);
  __syncwarp();
  for (uint32_t other = 0; other < WARP; other++) {
    point its = load(ways + other);
    double turn = mine.x * its.y - mine.y * its.x;
    bool counts = usable >> other & 1;
    before += counts && (turn < 0 || (turn == 0 && other < lane));
  }
  __syncwarp();
  bool is_median = (usable >> lane & 1) && before == __popc(usable) / 2u;
  uint32_t median = __ballot_sync(ALL_LANES, is_median);
  if (!median) return base; /* none, or rounding made the order no order */
  uint32_t chosen = (uint32_t)__ffs((int)median) - 1;
  way.from = from_lane(way.from, chosen);
  way.to = from_lane(way.to, chosen);
  return way;
}

/*
 * Of points to the right of the line from a to b, those of an even lane and the
 * next odd one are a pair where `paired`.  False for one that lies in the
 * triangle of a, b and the other, and for one of two equal ones.
 *
 * A cross product is made by both lanes of a pair, which hold a point each
 * (thesis, 3.4.4): x times the other's y, less the other's of that.
 */
__device__ __forceinline__ cpu_area cross_with_other(point a, point p) {
  double product = (p.x - a.x) * __shfl_xor_sync(ALL_LANES, p.y - a.y, 1);
  double other = __shfl_xor_sync(ALL_LANES, product, 1);
  cpu_area rounded;
  rounded.area = product - other;
  rounded.error = CPU_TURN_ERROR * (fabs(product) + fabs(other));
  return rounded;
}

/* 1 if the other point is to the left of the line from `a` to this one, -1 to
 * its right. */
__device__ __forceinline__ int side_of_other(cpu_area rounded, point a, point p,
                                             point other) {
  if (rounded.area > rounded.error) return 1;
  if (rounded.area < -rounded.error) return -1;
  return turn_exact(a, p, a, other);
}

__device__ __forceinline__ bool stays_beside_other(point a, point b, point p,
                                                   bool paired) {
  point other = across(p, 1);
  cpu_area seen_from_a = cross_with_other(a, p);
  cpu_area seen_from_b = cross_with_other(b, p);
  if (!paired) return true;
  int from_a = side_of_other(seen_from_a, a, p, other);
  int from_b = side_of_other(seen_from_b, b, p, other);
  bool in_triangle = from_a <= 0 && from_b >= 0;
  bool equal = from_a == 0 && from_b == 0;
  return !in_triangle || (equal && lane_id() % 2 == 0);
}

}  // namespace
