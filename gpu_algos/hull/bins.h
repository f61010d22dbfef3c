/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/bins.h -- the rest of the initialization: the points beyond
 * each side of the quadrilateral are counted and put together. */
#ifndef GPU_ALGOS_HULL_BINS_H
#define GPU_ALGOS_HULL_BINS_H
#include "gpu_algos/hull/begin.h"

/* Step 4: how many of each processor's points are beyond side k, at
 * places[k * processors + i]. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_count(const P *from, cut cut, state state) {
  uint32_t i = warp_of(), lane = lane_of(), mine = 0;
  if (i >= cut.processors) return;
  extremes corners = load_corners(state.corners);
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  for (uint32_t chunk = begin; chunk < end; chunk += WARP) {
    uint32_t side = CORNERS;
    if (chunk + lane < end) side = beyond(corners, load(from + chunk + lane));
    for (uint32_t k = 0; k < CORNERS; k++) {
      uint32_t count = __popc(__ballot_sync(ALL, side == k));
      if (lane == k) mine += count;
    }
  }
  if (lane < CORNERS) state.places[lane * cut.processors + i] = mine;
}

/* Does the corner begin a side?  Or the next one is the same. */
static __device__ __forceinline__ bool begins_side(const extremes &corners,
                                                   uint32_t k) {
  return !same(corners.at[k], corners.at[(k + 1) % CORNERS]);
}

/* Steps 5 and 7: room for each bin, behind the vertex that it begins with. */
template <class P>
__global__ void __launch_bounds__(SINGLE)
    hull_bins(P *to, cut cut, state state) {
  extremes corners = load_corners(state.corners);
  uint32_t items = CORNERS * cut.processors;
  uint32_t *places = state.places;
  uint32_t points = prefix_sums(places, items);
  uint32_t begins[CORNERS + 1], vertices = 0, problems = 0, large = 0;
  for (uint32_t k = 0; k < CORNERS; k++) begins[k] = places[k * cut.processors];
  begins[CORNERS] = points;
  __syncthreads(); /* before they are added to */
  for (uint32_t k = 0; k < CORNERS; k++) {
    uint32_t at = begins[k] + vertices, size = begins[k + 1] - begins[k];
    bool is_vertex = begins_side(corners, k);
    vertices += is_vertex;
    HULL_ASSERT(is_vertex || !size);
    for (uint32_t i = threadIdx.x; i < cut.processors; i += blockDim.x)
      places[k * cut.processors + i] += vertices;
    if (threadIdx.x) continue;
    if (is_vertex) store(to + at, corners.at[k]);
    if (size > 1)
      state.problems[0][problems++] = make_uint2(at + 1, at + 1 + size);
  }
  if (threadIdx.x) return;
  if (!vertices) { /* all points are the same */
    store(to, corners.at[0]);
    vertices = 1;
  }
  struct cut next = cut_of(points + vertices);
  for (uint32_t t = 0; t < problems; t++)
    large += is_large(next, state.problems[0][t]);
  state.totals->points = points + vertices;
  state.totals->problems = problems;
  state.totals->large = large;
}

/* The points of a warp on their way to the bins, S of them at a time. */
struct waiting {
  point points[CORNERS][2 * WARP];
};

template <class P>
static __device__ __forceinline__ void put_away(P *to, const point *points,
                                                uint32_t count) {
  if (lane_of() < count) store(to + lane_of(), load(points + lane_of()));
}

/* Step 6: to the bins. */
template <class P>
__global__ void __launch_bounds__(BLOCK)
    hull_scatter(const P *from, P *to, cut cut, state state) {
  __shared__ waiting of_warps[WARPS];
  uint32_t i = warp_of(), lane = lane_of(), have[CORNERS] = {0, 0, 0, 0};
  if (i >= cut.processors) return;
  waiting &wait = of_warps[threadIdx.x / WARP];
  extremes corners = load_corners(state.corners);
  uint32_t place = state.places[lane % CORNERS * cut.processors + i];
  uint32_t begin = cut_begin(cut, i), end = cut_begin(cut, i + 1);
  for (uint32_t chunk = begin; chunk < end; chunk += WARP) {
    uint32_t side = CORNERS;
    point p = no_point();
    if (chunk + lane < end) p = load(from + chunk + lane);
    if (chunk + lane < end) side = beyond(corners, p);
    for (uint32_t k = 0; k < CORNERS; k++) {
      uint32_t lanes = __ballot_sync(ALL, side == k);
      if (!lanes) continue;
      if (side == k)
        store(&wait.points[k][have[k] + __popc(lanes & lanes_below())], p);
      have[k] += __popc(lanes);
      __syncwarp();
      if (have[k] < WARP) continue;
      put_away(to + __shfl_sync(ALL, place, k), wait.points[k], WARP);
      if (lane == k) place += WARP;
      have[k] -= WARP;
      point rest = load(wait.points[k] + WARP + lane);
      __syncwarp();
      store(wait.points[k] + lane, rest);
      __syncwarp();
    }
  }
  for (uint32_t k = 0; k < CORNERS; k++)
    put_away(to + __shfl_sync(ALL, place, k), wait.points[k], have[k]);
}
#endif
