/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/split_level.h -- a level of the splitting stage: each large
 * problem gets limits, from samples; its chunks are counted, and where each
 * puts its keys follows from the counts of all; then they are parted
 * (Jurkiewicz, PhD thesis, 3.4.1, steps 1 to 8, with algorithm 10). */
#pragma once
#include "gpu_algos/sort/split_state.h"

namespace {

/*
 * A warp a problem.  Of sorted samples those are limits that part them evenly.
 * Where several are the same key, there are many such keys: the first limit is
 * the number below, so that the partition behind it has nothing else.
 */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    choose_limits(const typename KIND::stored *in, split_state state,
                  uint32_t which, uint32_t seed) {
  typedef typename KIND::held key;
  uint32_t problem = warp_id(), samples = 0;
  if (problem >= state.totals->problems) return;
  uint2 range = state.problems[which][problem];
  key rows[SAMPLE_ROWS], limit = 0;
#pragma unroll
  for (int i = 0; i < SAMPLE_ROWS; i++) {
    uint32_t number = (problem * SAMPLE_ROWS + (uint32_t)i) * 32 + lane_id();
    rows[i] = in[range.x +
                 random_below(seed + number * NEXT_LANE, range.y - range.x)];
  }
  warp_sort<KIND>(rows);
  /* Limit i is the last but one sample of the (i + 1)-th K-th of all. */
#pragma unroll
  for (int i = 0; i < SAMPLE_ROWS; i++)
    for (uint32_t at = 32 * SAMPLE_ROWS / PART_K; at <= 32;
         at += 32 * SAMPLE_ROWS / PART_K, samples++) {
      key sample = __shfl_sync(ALL_LANES, rows[i], (int)at - 2);
      if (lane_id() == samples) limit = sample;
    }
  key before = __shfl_up_sync(ALL_LANES, limit, 1);
  key behind = __shfl_down_sync(ALL_LANES, limit, 1);
  GPU_ASSERT(!lane_id() || lane_id() >= PART_K || before <= limit);
  bool first = !lane_id() || before != limit;
  bool more = lane_id() + 2 < PART_K && behind == limit;
  if (first && more && limit) limit--;
  if (lane_id() < PART_K)
    ((key *)state.limits)[problem * PART_K + lane_id()] = limit;
}

/* The limits of a problem, a lane each. */
template <class KEY>
__device__ __forceinline__ KEY limit_of_lane(const split_state &state,
                                             uint32_t problem) {
  return ((const KEY *)state.limits)[problem * PART_K + lane_id() % PART_K];
}

/* A warp a chunk: how many of its keys are in each partition.  Each lane counts
 * its own: no two lanes meet in a bank. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    count_chunks(const typename KIND::stored *in, split_state state,
                 uint32_t which) {
  __shared__ typename KIND::held all_limits[SORT_WARPS][PART_K];
  __shared__ uint32_t all_counts[SORT_WARPS][PART_K][32];
  typename KIND::held *limits = all_limits[threadIdx.x / 32];
  uint32_t(*counts)[32] = all_counts[threadIdx.x / 32];
  chunk_range chunk;
  if (!find_chunk(state, which, warp_id(), &chunk)) return;
  for (int p = 0; p < PART_K; p++) counts[p][lane_id()] = 0;
  typename KIND::held limit =
      limit_of_lane<typename KIND::held>(state, chunk.problem);
  if (lane_id() < PART_K) limits[lane_id()] = limit;
  __syncwarp();
  for (uint32_t row = row_of(chunk.begin); row < chunk.end; row += 32) {
    uint32_t place = row + lane_id(), p = 0;
    if (place < chunk.begin || place >= chunk.end) continue;
    typename KIND::held key = in[place];
#pragma unroll
    for (int step = PART_K / 2; step; step /= 2)
      if (key > limits[p + (uint32_t)step - 1]) p += (uint32_t)step;
    counts[p][lane_id()]++;
  }
  __syncwarp();
  uint32_t sum = 0, p = lane_id() % PART_K;
  for (uint32_t i = 0; i < 32; i++) sum += counts[p][(i + lane_id()) % 32];
  if (lane_id() < PART_K)
    state.counts[chunk.counts + p * chunk.of + chunk.index] = sum;
}

static __global__ void __launch_bounds__(SINGLE)
    place_chunks(split_state state) {
  uint32_t problems = state.totals->problems;
  if (problems)
    prefix_sums_and_all(state.counts, state.chunks[problems] * state.parts);
}

template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    part_chunks(const typename KIND::stored *in, typename KIND::stored *out,
                split_state state, uint32_t which) {
  chunk_range chunk;
  if (!find_chunk(state, which, warp_id(), &chunk)) return;
  uint32_t begin = state.problems[which][chunk.problem].x;
  uint32_t p = lane_id() % PART_K, first = state.counts[chunk.counts];
  uint32_t place = state.counts[chunk.counts + p * chunk.of + chunk.index];
  warp_partition<KIND, PART_K, TABLE_ROWS>(
      in, chunk.begin, chunk.end,
      limit_of_lane<typename KIND::held>(state, chunk.problem), out,
      begin + place - first);
}

/* The level, from one array to the other. */
template <class KIND>
void launch_level(const typename KIND::stored *from, typename KIND::stored *to,
                  const split_state &state, uint32_t which, uint32_t seed) {
  uint32_t problems = gpu_blocks(split_most(state), SORT_WARPS);
  uint32_t chunks = gpu_blocks(chunks_most(state), SORT_WARPS);
  GPU_LAUNCH((choose_limits<KIND>), problems, SORT_BLOCK, from, state, which,
             seed);
  GPU_LAUNCH((count_chunks<KIND>), chunks, SORT_BLOCK, from, state, which);
  GPU_LAUNCH(place_chunks, 1, SINGLE, state);
  GPU_LAUNCH((part_chunks<KIND>), chunks, SORT_BLOCK, from, to, state, which);
}

}  // namespace
