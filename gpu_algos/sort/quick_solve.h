/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/quick_solve.h -- the independent stage of quicksort.h:
 * Jurkiewicz, PhD thesis, 3.5.3, algorithm 7 with keys for points.  Ranges that
 * fit the registers are sorted there. */
#pragma once
#include "gpu_algos/sort/quicksort.h"

namespace {

/* Of two subproblems the smaller one is solved first, so that no more than the
 * logarithm of the first is ever stacked. */
__device__ __forceinline__ void push(uint2 stack[STACK], uint32_t &depth,
                                     uint32_t begin, uint32_t end) {
  if (begin == end) return;
  GPU_ASSERT(depth < STACK);
  if (lane_id() == 0) stack[depth] = make_uint2(begin, end);
  depth++;
}

/* keys[whole.x .. whole.y) sorted to `out`, which may be the same array. */
template <class KIND>
__device__ void solve(typename KIND::stored *keys, typename KIND::stored *out,
                      uint2 whole, uint32_t seed, uint2 stack[STACK],
                      typename KIND::held slots[POOL_SLOTS]) {
  uint32_t depth = 0;
  push(stack, depth, whole.x, whole.y);
  for (uint32_t turn = 1; depth; turn++) {
    __syncwarp();
    depth--;
    uint2 range = stack[depth];
    __syncwarp();
    if (range.y - range.x <= TILE) {
      sort_tile<KIND>(keys, out, range.x, range.y);
      continue;
    }
    typename KIND::held pivot =
        random_pivot<KIND>(keys, range.x, range.y, seed + turn * NEXT_PROBLEM);
    about_pivot<typename KIND::held> rules = {pivot};
    ends at = part_in_place(rules, keys, range.x, range.y, slots);
    GPU_ASSERT(at.front < at.back);
    for (uint32_t i = at.front + lane_id(); i < at.back; i += 32)
      out[i] = pivot;
    bool left_first = at.front - range.x < range.y - at.back;
    if (left_first) push(stack, depth, at.back, range.y);
    push(stack, depth, range.x, at.front);
    if (!left_first) push(stack, depth, at.back, range.y);
  }
  __syncwarp();
}

template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    solve_ready(typename KIND::stored *in, typename KIND::stored *out,
                split_state state, uint32_t seed) {
  __shared__ uint2 stacks[SORT_WARPS][STACK];
  __shared__ typename KIND::held slots[SORT_WARPS][POOL_SLOTS];
  uint32_t count = state.totals->ready, warp = threadIdx.x / 32;
  for (uint32_t i = warp_id(); i < count; i += gridDim.x * SORT_WARPS) {
    ready_range part = state.ready[i];
    if (part.equal)
      copy_equal<KIND>(in, out, part);
    else
      solve<KIND>(part.in_output ? out : in, out,
                  make_uint2(part.begin, part.end), seed + i * NEXT_LANE,
                  stacks[warp], slots[warp]);
  }
}

/* in[0 .. n) sorted to out; `in` is overwritten. */
template <class KIND>
void quicksort(typename KIND::stored *in, typename KIND::stored *out,
               uint32_t n, uint32_t *memory, uint32_t seed) {
  if (!n) return;
  split_state state = split_state_of(split_sizes(n, SIDES), memory,
                                     sizeof(typename KIND::stored) / 4);
  uint32_t levels = split_levels(state);
  uint32_t problems = gpu_blocks(split_most(state), SORT_WARPS);
  uint32_t chunks = gpu_blocks(chunks_most(state), SORT_WARPS);
  GPU_LAUNCH(begin_split, 1, SINGLE, state, n > state.large);
  for (uint32_t level = 0; level < levels; level++) {
    bool odd = level % 2;
    typename KIND::stored *from = odd ? out : in, *to = odd ? in : out;
    GPU_LAUNCH((choose_pivots<KIND>), problems, SORT_BLOCK, from, state, odd,
               seed + level * NEXT_DRAW);
    GPU_LAUNCH((count_sides<KIND>), chunks, SORT_BLOCK, from, state, odd);
    GPU_LAUNCH(place_chunks, 1, SINGLE, state);
    GPU_LAUNCH((part_sides<KIND>), chunks, SORT_BLOCK, from, to, state, odd);
    GPU_LAUNCH((collect_parts<KIND>), 1, SINGLE, state, odd, !odd,
               level + 1 == levels);
  }
  GPU_LAUNCH((solve_ready<KIND>), ready_blocks(state), SORT_BLOCK, in, out,
             state, seed);
}

}  // namespace
