/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/plane.h -- points on a device, and warps that look at them.
 *
 * P is how a point lies in memory, float2 or double2; in registers it is of
 * doubles.  What decides is exact (cpu_algos/turn.h), so that the answer is the
 * hull of the numbers as they are.
 *
 * A hull goes counter-clockwise, and what is still to be found of it lies to
 * the right of the line from one vertex, l, to the next that is known, r.
 */
#pragma once
#include "gpu_algos/warp/pool.h"
extern "C" {
#include "cpu_algos/turn.h"
}

namespace {

enum : uint32_t { WARPS = 8, BLOCK = WARP * WARPS, NONE = UINT32_MAX };

typedef struct cpu_point point;

/* The number of the warp in the grid: of the processor, as the thesis says. */
__device__ __forceinline__ uint32_t warp_of() {
  return blockIdx.x * WARPS + threadIdx.x / WARP;
}

template <class P>
__device__ __forceinline__ point load(const P *at) {
  P loaded = *at;
  point p;
  p.x = loaded.x;
  p.y = loaded.y;
  return p;
}
__device__ __forceinline__ point load(const point *at) {
  point p;
  p.x = at->x;
  p.y = at->y;
  return p;
}

/* How points of P lie in shared memory: those of floats in half the room. */
struct alignas(8) near_floats {
  float x, y;
};
template <class P>
struct near_of;
template <>
struct near_of<float2> {
  typedef near_floats type;
};
template <>
struct near_of<double2> {
  typedef point type;
};

__device__ __forceinline__ point load(const near_floats *at) {
  point p;
  p.x = at->x;
  p.y = at->y;
  return p;
}

__device__ __forceinline__ void store(near_floats *at, point p) {
  at->x = (float)p.x;
  at->y = (float)p.y;
}
__device__ __forceinline__ void store(float2 *at, point p) {
  *at = make_float2((float)p.x, (float)p.y);
}
__device__ __forceinline__ void store(double2 *at, point p) {
  *at = make_double2(p.x, p.y);
}
__device__ __forceinline__ void store(point *at, point p) {
  at->x = p.x;
  at->y = p.y;
}

/* What lies where a point was: no input has it. */
__device__ __forceinline__ point no_point() {
  point p;
  p.x = p.y = NAN;
  return p;
}

__device__ __forceinline__ bool is_point(point p) { return p.x == p.x; }

__device__ __forceinline__ point from_lane(point p, uint32_t lane) {
  point other;
  other.x = __shfl_sync(ALL_LANES, p.x, (int)lane);
  other.y = __shfl_sync(ALL_LANES, p.y, (int)lane);
  return other;
}

__device__ __forceinline__ point across(point p, int distance) {
  point other;
  other.x = __shfl_xor_sync(ALL_LANES, p.x, distance);
  other.y = __shfl_xor_sync(ALL_LANES, p.y, distance);
  return other;
}

__device__ __noinline__ int turn_exact(point a, point b, point c, point d) {
  return cpu_turn_exact(a, b, c, d);
}

/* Does d - c point to the right of b - a? */
__device__ __forceinline__ bool turns_right(point a, point b, point c,
                                            point d) {
  struct cpu_area rounded = cpu_area_between(a, b, c, d);
  if (rounded.area < -rounded.error) return true;
  if (rounded.area > rounded.error) return false;
  return turn_exact(a, b, c, d) < 0;
}

/* Does p lie to the right of the line from a to b? */
__device__ __forceinline__ bool right_of(point a, point b, point p) {
  return turns_right(a, b, a, p);
}

/* A line through two points that are not the same. */
struct line {
  point from, to;
};

__device__ __forceinline__ bool ahead(line way, point p, point q) {
  if (way.from.x < way.to.x) return q.x > p.x;
  if (way.from.x > way.to.x) return q.x < p.x;
  return way.from.y < way.to.y ? q.y > p.y : q.y < p.y;
}

/* Is q further out than p, in the direction normal to the line; or as far, and
 * further along it?  So the furthest of all is a vertex, and each lane and warp
 * finds the same. */
__device__ __forceinline__ bool further(line way, point p, point q) {
  struct cpu_area rounded = cpu_area_between(way.from, way.to, p, q);
  if (rounded.area < -rounded.error) return true;
  if (rounded.area > rounded.error) return false;
  int side = turn_exact(way.from, way.to, p, q);
  return side ? side < 0 : ahead(way, p, q);
}

/* The furthest that any lane has, to all of them. */
__device__ __forceinline__ point furthest_of_lanes(line way, point p) {
  for (int distance = WARP / 2; distance; distance /= 2) {
    point other = across(p, distance);
    if (further(way, p, other)) p = other;
  }
  return p;
}

/* Of from[begin..end), in any case `p`. */
template <class P>
__device__ __forceinline__ point furthest(line way, point p, const P *from,
                                          uint32_t begin, uint32_t end) {
  for (uint32_t i = begin + lane_id(); i < end; i += WARP) {
    point q = load(from + i);
    if (further(way, p, q)) p = q;
  }
  return furthest_of_lanes(way, p);
}

/* LEFT is to the right of l m, RIGHT to that of m r. */
struct corner {
  point l, m, r;
};

__device__ __forceinline__ side classify(const corner &c, point p) {
  if (right_of(c.l, c.m, p)) {
    GPU_ASSERT(!right_of(c.m, c.r, p));
    return LEFT;
  }
  return right_of(c.m, c.r, p) ? RIGHT : INSIDE;
}

__device__ __forceinline__ bool same(point a, point b) {
  return a.x == b.x && a.y == b.y;
}

}  // namespace
