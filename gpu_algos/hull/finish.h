/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/finish.h -- the finalization of the thesis, 3.5.4: what are
 * points by now are the vertices, in their order; stable compaction. */
#ifndef GPU_ALGOS_HULL_FINISH_H
#define GPU_ALGOS_HULL_FINISH_H
#include "gpu_algos/hull/prefix.h"

/* Is q left of p, or as far left and lower?  No point is right of all. */
static __device__ __forceinline__ bool more_left(point p, point q) {
  return !is_point(p) || q.x < p.x || (q.x == p.x && q.y < p.y);
}

struct leftmost {
  point p;
  uint32_t at;
};

static __device__ __forceinline__ leftmost leftmost_of_lanes(leftmost best) {
  for (int distance = WARP / 2; distance; distance /= 2) {
    leftmost other = {across(best.p, distance),
                      __shfl_xor_sync(ALL, best.at, distance)};
    if (more_left(best.p, other.p)) best = other;
  }
  return best;
}

/* Of each part how many are points, and the leftmost of them, and how many are
 * before that one: the latter at places[2 * processors + i]. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_count_vertices(const P *from, cut cut, state state) {
  uint32_t i = warp_of(), lane = lane_of(), count = 0;
  if (i >= cut.processors) return;
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  leftmost best = {no_point(), 0};
  for (uint32_t chunk = begin; chunk < end; chunk += WARP) {
    point p = no_point();
    if (chunk + lane < end) p = load(from + chunk + lane);
    uint32_t points = __ballot_sync(ALL, is_point(p));
    leftmost mine = {p, count + __popc(points & lanes_below())};
    if (is_point(p) && more_left(best.p, p)) best = mine;
    count += __popc(points);
  }
  best = leftmost_of_lanes(best);
  if (lane == 0) store(state.furthest + i, best.p);
  if (lane < 2)
    state.places[lane * cut.processors + i] = lane ? best.at : count;
}

/* The leftmost of all, of what is before it; and their number. */
static __global__ void __launch_bounds__(SINGLE)
    hull_compact(cut cut, state state, uint32_t at, uint32_t iterations) {
  __shared__ point of_warps[WARP];
  __shared__ uint32_t places[WARP];
  uint32_t vertices = prefix_sums(state.places, cut.processors);
  leftmost best = {no_point(), 0};
  for (uint32_t i = threadIdx.x; i < cut.processors; i += blockDim.x) {
    leftmost its = {load(state.furthest + i),
                    state.places[i] + state.places[cut.processors + i]};
    if (is_point(its.p) && more_left(best.p, its.p)) best = its;
  }
  for (int round = 0; round < 2; round++) {
    best = leftmost_of_lanes(best);
    if (lane_of() == 0) {
      store(&of_warps[threadIdx.x / WARP], best.p);
      places[threadIdx.x / WARP] = best.at;
    }
    __syncthreads();
    uint32_t other = lane_of() % (blockDim.x / WARP);
    best.p = load(&of_warps[other]);
    best.at = places[other];
    __syncthreads();
  }
  if (threadIdx.x) return;
  state.answer->vertices = vertices;
  state.answer->first = best.at;
  state.answer->at = at;
  state.answer->iterations = iterations;
  state.answer->problems = state.totals->problems;
}

template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_write(const P *from, double2 *to, cut cut, state state) {
  uint32_t i = warp_of(), lane = lane_of();
  if (i >= cut.processors) return;
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  uint32_t vertices = state.answer->vertices, first = state.answer->first;
  uint32_t place = state.places[i];
  for (uint32_t chunk = begin; chunk < end; chunk += WARP) {
    point p = no_point();
    if (chunk + lane < end) p = load(from + chunk + lane);
    uint32_t points = __ballot_sync(ALL, is_point(p));
    uint32_t rank = place + __popc(points & lanes_below());
    if (is_point(p))
      store(to + (rank >= first ? rank - first : rank + vertices - first), p);
    place += __popc(points);
  }
}
#endif
