/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/begin.h -- the initialization of the thesis, 3.5.1: what lies
 * within the polygon of the extreme points is no vertex, and what lies beyond
 * its sides are problems.
 *
 * Beside the thesis's four it has the leftmost point for a corner, so that what
 * lies in the order of the hull begins where the answer does.  The polygon is
 * to split.h what pivots are; but where it begins it also ends.
 */
#pragma once
#include "gpu_algos/hull/pivots.h"

namespace {

/* Left, bottom left, bottom right, top right, top left. */
template <int WHICH>
__device__ __forceinline__ struct cpu_sum height(point p) {
  double x = WHICH == 2 || WHICH == 3 ? p.x : -p.x;
  return cpu_sum_of(x, WHICH == 0 ? 0 : WHICH >= 3 ? p.y : -p.y);
}

/* Is q further out than p to that corner; or as far, and further on
 * counter-clockwise?  Sums are compared as if they were not rounded: a vertex
 * is what comes out. */
template <int WHICH>
__device__ __forceinline__ bool more_extreme(point p, point q) {
  struct cpu_sum a = height<WHICH>(p), b = height<WHICH>(q);
  if (a.high != b.high) return b.high > a.high;
  if (a.low != b.low) return b.low > a.low;
  if (WHICH == 0) return q.y < p.y;
  return WHICH < 3 ? q.x > p.x : q.x < p.x;
}

struct extremes {
  point at[CORNERS];
};

__device__ __forceinline__ void take(extremes *best, point p) {
  if (more_extreme<0>(best->at[0], p)) best->at[0] = p;
  if (more_extreme<1>(best->at[1], p)) best->at[1] = p;
  if (more_extreme<2>(best->at[2], p)) best->at[2] = p;
  if (more_extreme<3>(best->at[3], p)) best->at[3] = p;
  if (more_extreme<4>(best->at[4], p)) best->at[4] = p;
}

/* Of all lanes of the warp. */
__device__ __forceinline__ void take_of_lanes(extremes *best) {
  for (int distance = WARP / 2; distance; distance /= 2) {
    extremes other;
    for (uint32_t k = 0; k < CORNERS; k++)
      other.at[k] = across(best->at[k], distance);
    for (uint32_t k = 0; k < CORNERS; k++) take(best, other.at[k]);
  }
}

/* Corner k to lane k. */
__device__ __forceinline__ point corner_of_lane(const extremes &of) {
  point p = of.at[0];
  for (uint32_t k = 1; k < CORNERS; k++)
    if (lane_id() == k) p = of.at[k];
  return p;
}

/* Step 2: those of each processor's points. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_extremes(const P *from, cut cut, double2 *corners) {
  uint32_t i = warp_of(), lane = lane_id();
  if (i >= cut.processors) return;
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  point p = load(from + min(begin, cut.points - 1));
  extremes best = {{p, p, p, p, p}};
  for (uint32_t j = begin + lane; j < end; j += WARP)
    take(&best, load(from + j));
  take_of_lanes(&best);
  p = corner_of_lane(best);
  if (lane < CORNERS) store(corners + CORNERS * i + lane, p);
}

/* Step 3: of all; they form the polygon.  The whole input is a problem, which
 * all processors share. */
static __global__ void __launch_bounds__(SINGLE)
    hull_corners(cut cut, state state) {
  __shared__ point of_warps[WARP][CORNERS];
  uint32_t lane = lane_id(), warp = threadIdx.x / WARP;
  for (uint32_t i = threadIdx.x; i <= cut.processors; i += blockDim.x)
    state.shared[i] = i == cut.processors
                          ? make_uint4(0, 0, i, i)
                          : make_uint4(0, cut.points, 0, cut.processors - 1);
  point p = load(state.corners);
  extremes best = {{p, p, p, p, p}};
  for (uint32_t i = threadIdx.x; i < CORNERS * cut.processors; i += blockDim.x)
    take(&best, load(state.corners + i));
  take_of_lanes(&best);
  p = corner_of_lane(best);
  if (lane < CORNERS) store(&of_warps[warp][lane], p);
  __syncthreads();
  if (warp) return;
  for (uint32_t k = 0; k < CORNERS; k++)
    take(&best, load(&of_warps[lane % (blockDim.x / WARP)][k]));
  take_of_lanes(&best);
  p = corner_of_lane(best);
  line base = {best.at[0], best.at[0]};
  if (lane == 0) store(state.corners, base.from);
  keep_pivots(state, 0, base, from_lane(p, min(lane + 1, CORNERS - 1)));
  if (lane) return;
  state.problems[1][0] = make_uint2(0, cut.points);
  state.totals->problems = 1;
}

}  // namespace
