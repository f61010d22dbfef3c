/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/problems.h -- the SIMD grid between the two halves: where
 * each processor puts its points, and which problems there are then. */
#pragma once
#include "gpu_algos/hull/split.h"

namespace {

/* Where one that was not split has been copied to. */
__device__ __forceinline__ uint2 copy_of(const cut &cut, const state &state,
                                         uint2 problem) {
  uint32_t i = problem.x / cut.each;
  uint4 shared = state.shared[i];
  uint2 rest = rest_of(cut, i, shared, make_uint4(0, 0, 0, 0));
  uint32_t at = state.places[place_of(shared, i, PARTS)] + problem.x - rest.x;
  return make_uint2(at, at + problem.y - problem.x);
}

/* What becomes of a problem: part number `lane`, which may have no points. */
template <bool CLOSED>
__device__ __forceinline__ uint2 part_of_lane(const cut &cut,
                                              const state &state,
                                              uint2 problem) {
  uint32_t lane = lane_id();
  if (!CLOSED && !is_large(cut, problem))
    return lane ? make_uint2(0, 0) : copy_of(cut, state, problem);
  uint4 shared = state.shared[first_in(cut, problem.x)];
  uint32_t pivots = state.fresh[shared.z];
  GPU_ASSERT(shared.x == problem.x && shared.y == problem.y);
  if (lane > pivots) return make_uint2(0, 0);
  uint32_t begin = state.places[place_of(shared, shared.z, lane)];
  uint32_t behind = state.places[place_of(shared, shared.z, lane + 1)];
  GPU_ASSERT(begin <= behind);
  GPU_ASSERT(CLOSED || behind - begin <= problem.y - problem.x);
  /* The vertex that the array begins with, and that behind the part. */
  return make_uint2(begin + (CLOSED && !lane), behind - (lane < pivots));
}

/* As bits.  A single point between two vertices is one, too. */
__device__ __forceinline__ uint32_t lanes_with_problem(uint2 part) {
  return __ballot_sync(ALL_LANES, part.y - part.x > 1);
}

/* Steps 6 and 9; a warp a problem. */
template <bool CLOSED>
__global__ void __launch_bounds__(SINGLE)
    hull_problems(cut before, state state, uint32_t which) {
  const uint2 *old = state.problems[which];
  uint2 *made = state.problems[!which];
  uint32_t points = prefix_sums(state.places, PLACES * before.processors);
  uint2 mine = items_of_warp(state.totals->problems);
  uint32_t count = 0, larges = 0, all, large, lane = lane_id();
  cut after = cut_of(points);
  for (uint32_t t = mine.x; t < mine.y; t++) {
    uint2 part = part_of_lane<CLOSED>(before, state, old[t]);
    uint32_t lanes = lanes_with_problem(part);
    count += lanes >> lane & 1;
    larges += (lanes >> lane & 1) && is_large(after, part);
  }
  uint32_t of_warp = __shfl_sync(ALL_LANES, sum_through_lanes(count), WARP - 1);
  uint32_t at = sum_before(lane ? 0 : of_warp, &all);
  at = __shfl_sync(ALL_LANES, at, 0);
  sum_before(larges, &large);
  for (uint32_t t = mine.x; t < mine.y; t++) {
    uint2 part = part_of_lane<CLOSED>(before, state, old[t]);
    uint32_t lanes = lanes_with_problem(part);
    if (lanes >> lane & 1) made[at + __popc(lanes & lanes_before())] = part;
    at += __popc(lanes);
  }
  if (threadIdx.x) return;
  state.totals->points = points;
  state.totals->problems = all;
  state.totals->large = large;
}

}  // namespace
