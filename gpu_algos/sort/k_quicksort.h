/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/k_quicksort.h -- k-quicksort: Jurkiewicz, PhD thesis, section
 * 4.2.2.
 *
 * The splitting stage, a level after the other, parts problems by k-partitions
 * (split_level.h) until they are small; then a warp each sorts them by itself,
 * in the independent stage.
 */
#pragma once
#include "gpu_algos/sort/split_level.h"

namespace {

/* What becomes of partition p of a problem: its range, and whether all its keys
 * are the same number, the only one between two limits. */
template <class KEY>
__device__ __forceinline__ ready_range partition_at(const split_state &state,
                                                    uint32_t which,
                                                    uint32_t problem,
                                                    uint32_t p) {
  uint2 range = state.problems[which][problem];
  uint32_t first = state.chunks[problem];
  uint32_t chunks = state.chunks[problem + 1] - first;
  const uint32_t *counts = state.counts + first * state.parts;
  const KEY *limits = (const KEY *)state.limits + problem * state.parts;
  ready_range part = {range.x + counts[p * chunks] - counts[0], range.y, 0, 0};
  if (p + 1 < state.parts) {
    part.end = range.x + counts[(p + 1) * chunks] - counts[0];
    part.equal = p ? limits[p] - limits[p - 1] == 1 : limits[p] == 0;
  }
  return part;
}

__device__ __forceinline__ bool is_large(const split_state &state,
                                         const ready_range &part) {
  return part.end - part.begin > state.large && !part.equal;
}

/* By a single block: where the chunks of each problem begin. */
inline __device__ void number_chunks(const split_state &state, uint32_t which,
                                     uint32_t problems) {
  for (uint32_t i = threadIdx.x; i < problems; i += SINGLE)
    state.chunks[i] = chunks_of(state, state.problems[which][i]);
  __syncthreads();
  prefix_sums_and_all(state.chunks, problems);
}

/* The input is the first problem, or there is none and it is ready. */
static __global__ void __launch_bounds__(SINGLE)
    begin_split(split_state state, uint32_t problems) {
  if (threadIdx.x == 0) {
    state.problems[0][0] = make_uint2(0, state.n);
    state.ready[0] = {0, state.n, 0, 0};
    *state.totals = {problems, 1 - problems};
  }
  __syncthreads();
  number_chunks(state, 0, problems);
}

/* Steps 8 and 9: what has been parted is large, or ready; everything is behind
 * the last level. */
template <class KIND>
__global__ void __launch_bounds__(SINGLE)
    collect_parts(split_state state, uint32_t which, uint32_t in_output,
                  uint32_t last) {
  typedef typename KIND::held key;
  split_totals totals = *state.totals;
  uint2 mine = items_of_thread(totals.problems * state.parts);
  uint32_t larges = 0, readies = 0, problems, ready;
  if (!totals.problems) return;
  for (uint32_t i = mine.x; i < mine.y; i++) {
    ready_range part =
        partition_at<key>(state, which, i / state.parts, i % state.parts);
    bool large = is_large(state, part) && !last;
    larges += large;
    readies += !large && part.begin < part.end;
  }
  uint32_t problem = sum_before(larges, &problems);
  uint32_t place = totals.ready + sum_before(readies, &ready);
  for (uint32_t i = mine.x; i < mine.y; i++) {
    ready_range part =
        partition_at<key>(state, which, i / state.parts, i % state.parts);
    part.in_output = in_output;
    if (is_large(state, part) && !last)
      state.problems[!which][problem++] = make_uint2(part.begin, part.end);
    else if (part.begin < part.end)
      state.ready[place++] = part;
  }
  GPU_ASSERT(problems <= state.n / state.large);
  __syncthreads();
  if (threadIdx.x == 0) *state.totals = {problems, totals.ready + ready};
  number_chunks(state, !which, problems);
}

/* What is one key over and over is copied where it is not in the output. */
template <class KIND>
__device__ void copy_equal(const typename KIND::stored *in,
                           typename KIND::stored *out,
                           const ready_range &part) {
  if (part.in_output) return;
  for (uint32_t at = row_of(part.begin) + lane_id(); at < part.end; at += 32)
    if (at >= part.begin) out[at] = in[at];
}

/* The independent stage. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    sort_ready(typename KIND::stored *in, typename KIND::stored *out,
               split_state state) {
  uint32_t count = state.totals->ready;
  for (uint32_t i = warp_id(); i < count; i += gridDim.x * SORT_WARPS) {
    ready_range part = state.ready[i];
    if (part.equal)
      copy_equal<KIND>(in, out, part);
    else
      sort_range<KIND>(part.in_output ? out : in, out, in, part.begin, part.end,
                       range_passes(part.begin, part.end));
  }
}

/* Of the independent stage, whose warps take one range after the other. */
inline uint32_t ready_blocks(const split_state &state) {
  uint64_t most = ready_most(state);
  if (most > 2 * PROCESSORS) most = 2 * PROCESSORS;
  return gpu_blocks(most, SORT_WARPS);
}

/* in[0 .. n) sorted to out; `in` is overwritten. */
template <class KIND>
void k_quicksort(typename KIND::stored *in, typename KIND::stored *out,
                 uint32_t n, uint32_t *memory, uint32_t seed) {
  if (!n) return;
  split_state state = split_state_of(split_sizes(n, PART_K), memory,
                                     sizeof(typename KIND::stored) / 4);
  uint32_t levels = split_levels(state);
  GPU_LAUNCH(begin_split, 1, SINGLE, state, n > state.large);
  for (uint32_t level = 0; level < levels; level++) {
    bool odd = level % 2;
    launch_level<KIND>(odd ? out : in, odd ? in : out, state, odd,
                       seed + level * NEXT_PROBLEM);
    GPU_LAUNCH((collect_parts<KIND>), 1, SINGLE, state, odd, !odd,
               level + 1 == levels);
  }
  GPU_LAUNCH((sort_ready<KIND>), ready_blocks(state), SORT_BLOCK, in, out,
             state);
}

}  // namespace
