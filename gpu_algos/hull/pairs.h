/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/pairs.h -- pairs of points: those that give a direction, and
 * those of which one shows the other to be no vertex. */
#ifndef GPU_ALGOS_HULL_PAIRS_H
#define GPU_ALGOS_HULL_PAIRS_H
#include "gpu_algos/hull/plane.h"

/* From one draw of all lanes to the next; lanes differ by another number, or
 * each would draw what the one behind it did before. */
#define HULL_NEXT_SEED 0xc2b2ae35u

/* A number of 0..m-1 (m > 0) that differs from lane to lane: the finalizer of
 * Appleby's MurmurHash3, and multiply-shift. */
static __device__ __forceinline__ uint32_t random_below(uint32_t seed,
                                                        uint32_t m) {
  uint32_t z = seed + lane_of() * 0x9e3779b9u;
  z = (z ^ z >> 16) * 0x85ebca6bu;
  z = (z ^ z >> 13) * 0xc2b2ae35u;
  return __umulhi(z ^ z >> 16, m);
}

/* From a to b or from b to a, whichever goes more along l r.  Rounded: any
 * direction is a right one. */
static __device__ __forceinline__ line along(line base, point a, point b) {
  double x = base.to.x - base.from.x, y = base.to.y - base.from.y;
  bool back = (b.x - a.x) * x + (b.y - a.y) * y < 0;
  line way;
  way.from = back ? b : a;
  way.to = back ? a : b;
  return way;
}

static __device__ __forceinline__ point of_points(line way) {
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
static __device__ line median_pair(line base, const P *from, uint32_t begin,
                                   uint32_t end, uint32_t seed,
                                   point ways[WARP]) {
  uint32_t pair = begin + 2 * random_below(seed, (end - begin) / 2);
  point a = load(from + pair), b = load(from + pair + 1);
  line way = along(base, a, b);
  point mine = of_points(way);
  uint32_t lane = lane_of(), before = 0;
  uint32_t usable = __ballot_sync(ALL, !same(a, b));
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
  uint32_t median = __ballot_sync(ALL, is_median);
  if (!median) return base; /* none, or rounding made the order no order */
  uint32_t chosen = (uint32_t)__ffs((int)median) - 1;
  way.from = from_lane(way.from, chosen);
  way.to = from_lane(way.to, chosen);
  return way;
}

/*
 * Of points to the right of the line from a to b, `have` lanes from `first` on
 * have one each.  Even and odd lanes are pairs; false for one that lies in the
 * triangle of a, b and the other, and for one of two equal ones.
 *
 * A cross product is made by both lanes of a pair, which hold a point each
 * (thesis, 3.4.4): x times the other's y, less the other's of that.
 */
static __device__ __forceinline__ double cross_with_other(point v,
                                                          double *error) {
  double product = v.x * __shfl_xor_sync(ALL, v.y, 1);
  double other = __shfl_xor_sync(ALL, product, 1);
  *error = CPU_TURN_ERROR * (fabs(product) + fabs(other));
  return product - other;
}

/* 1 if the other point is to the left of the line from `a` to this one, -1 to
 * its right. */
static __device__ __forceinline__ int side_of_other(point a, point p,
                                                    point other) {
  point v;
  v.x = p.x - a.x;
  v.y = p.y - a.y;
  double error, cross = cross_with_other(v, &error);
  if (cross > error) return 1;
  if (cross < -error) return -1;
  return turn_exact(a, p, a, other);
}

static __device__ bool stays_beside_other(point a, point b, point p,
                                          uint32_t first, uint32_t have) {
  uint32_t lane = lane_of();
  point other = across(p, 1);
  bool mine = lane - first < have, its = (lane ^ 1) - first < have;
  if (!mine || !its) p = other = a;
  int from_a = side_of_other(a, p, other), from_b = side_of_other(b, p, other);
  if (!mine || !its) return mine;
  bool in_triangle = from_a <= 0 && from_b >= 0;
  bool equal = from_a == 0 && from_b == 0;
  return !in_triangle || (equal && lane % 2 == 0);
}
#endif
