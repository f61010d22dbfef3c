/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/begin.h -- the initialization of the thesis, 3.5.1: what lies
 * in the quadrilateral of the extreme points is no vertex, and what lies beyond
 * its sides are four problems. */
#ifndef GPU_ALGOS_HULL_BEGIN_H
#define GPU_ALGOS_HULL_BEGIN_H
#include "gpu_algos/hull/prefix.h"

/* Bottom left, bottom right, top right, top left. */
template <int WHICH>
static __device__ __forceinline__ struct cpu_sum height(point p) {
  return cpu_sum_of(WHICH == 1 || WHICH == 2 ? p.x : -p.x,
                    WHICH >= 2 ? p.y : -p.y);
}

/* Is q further out than p to that corner; or as far, and further on
 * counter-clockwise?  Sums are compared as if they were not rounded: a vertex
 * is what comes out. */
template <int WHICH>
static __device__ __forceinline__ bool more_extreme(point p, point q) {
  struct cpu_sum a = height<WHICH>(p), b = height<WHICH>(q);
  if (a.high != b.high) return b.high > a.high;
  if (a.low != b.low) return b.low > a.low;
  return WHICH < 2 ? q.x > p.x : q.x < p.x;
}

struct extremes {
  point at[CORNERS];
};

static __device__ __forceinline__ void take(extremes *best, point p) {
  if (more_extreme<0>(best->at[0], p)) best->at[0] = p;
  if (more_extreme<1>(best->at[1], p)) best->at[1] = p;
  if (more_extreme<2>(best->at[2], p)) best->at[2] = p;
  if (more_extreme<3>(best->at[3], p)) best->at[3] = p;
}

/* Of all lanes of the warp. */
static __device__ __forceinline__ void take_of_lanes(extremes *best) {
  for (int distance = WARP / 2; distance; distance /= 2) {
    extremes other;
    for (uint32_t k = 0; k < CORNERS; k++)
      other.at[k] = across(best->at[k], distance);
    for (uint32_t k = 0; k < CORNERS; k++) take(best, other.at[k]);
  }
}

static __device__ __forceinline__ point pick(const extremes &of, uint32_t k) {
  return k < 2 ? (k ? of.at[1] : of.at[0]) : (k == 2 ? of.at[2] : of.at[3]);
}

/* Step 2: those of each processor's points, at corners[CORNERS * (1 + i)]. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_extremes(const P *from, cut cut, double2 *corners) {
  uint32_t i = warp_of(), lane = lane_of();
  if (i >= cut.processors) return;
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  point p = load(from + min(begin, cut.points - 1));
  extremes best = {{p, p, p, p}};
  for (uint32_t j = begin + lane; j < end; j += WARP)
    take(&best, load(from + j));
  take_of_lanes(&best);
  if (lane < CORNERS)
    store(corners + CORNERS * (1 + i) + lane, pick(best, lane));
}

/* Step 3: of all; they form the quadrilateral, corners[0..CORNERS). */
static __global__ void __launch_bounds__(SINGLE)
    hull_corners(cut cut, double2 *corners) {
  __shared__ point of_warps[WARP][CORNERS];
  uint32_t lane = lane_of(), warp = threadIdx.x / WARP;
  const double2 *from = corners + CORNERS;
  point p = load(from);
  extremes best = {{p, p, p, p}};
  for (uint32_t i = threadIdx.x; i < CORNERS * cut.processors; i += blockDim.x)
    take(&best, load(from + i));
  take_of_lanes(&best);
  if (lane < CORNERS) store(&of_warps[warp][lane], pick(best, lane));
  __syncthreads();
  if (warp) return;
  for (uint32_t k = 0; k < CORNERS; k++)
    take(&best, load(&of_warps[lane % (blockDim.x / WARP)][k]));
  take_of_lanes(&best);
  if (lane < CORNERS) store(corners + lane, pick(best, lane));
}

/* The quadrilateral in the registers of each lane. */
static __device__ __forceinline__ extremes
load_corners(const double2 *corners) {
  point mine = load(corners + lane_of() % CORNERS);
  extremes all;
  for (uint32_t k = 0; k < CORNERS; k++) all.at[k] = from_lane(mine, k);
  return all;
}

/* Which side p is beyond, at most one; CORNERS: none. */
static __device__ __forceinline__ uint32_t beyond(const extremes &corners,
                                                  point p) {
  uint32_t found = CORNERS;
  for (uint32_t k = 0; k < CORNERS; k++) {
    point a = corners.at[k], b = corners.at[(k + 1) % CORNERS];
    if (!right_of(a, b, p)) continue;
    HULL_ASSERT(found == CORNERS);
    found = k;
  }
  return found;
}
#endif
