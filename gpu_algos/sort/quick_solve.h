/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/quick_solve.h -- the independent stage of quicksort.h:
 * Jurkiewicz, PhD thesis, 3.5.3, algorithm 7 with keys for points.  Ranges that
 * fit the registers are sorted there. */
#ifndef GPU_ALGOS_SORT_QUICK_SOLVE_H
#define GPU_ALGOS_SORT_QUICK_SOLVE_H
#include "gpu_algos/sort/quicksort.h"

namespace {

/* Of two subproblems the smaller one is solved first, so that no more than the
 * logarithm of the first is ever stacked. */
struct range_stack {
  uint32_t begins[STACK], ends[STACK];
};

__device__ __forceinline__ void push(range_stack *stack, uint32_t &depth,
                                     uint32_t begin, uint32_t end) {
  if (begin == end) return;
  SORT_ASSERT(depth < STACK);
  if (lane_id() == 0) {
    stack->begins[depth] = begin;
    stack->ends[depth] = end;
  }
  depth++;
}

/* Keys read and not yet written over, at both ends of a problem. */
struct ends {
  uint32_t read_front, read_back; /* what is between is unread */
  uint32_t front, back;           /* what is outside is written */
};

/* The next S are taken from the end where there is less room: so there is room
 * for as many at both ends before any are put there. */
template <class KEY>
__device__ __forceinline__ void pool_read(const KEY *keys, ends &at, KEY pivot,
                                          key_pool<KEY> &pool,
                                          KEY slots[POOL_SLOTS]) {
  uint32_t size = min(at.read_back - at.read_front, 32u);
  uint32_t place = at.read_front + lane_id();
  if (at.back - at.read_back < 32 && at.read_front - at.front >= 32) {
    at.read_back -= size;
    place = at.read_back + lane_id();
  } else {
    at.read_front += size;
  }
  bool mine = lane_id() < size;
  pool_add(pool, mine ? keys[place] : pivot, pivot, mine, slots);
}

/* Lossy partition in place: smaller ones to the front, greater ones to the
 * back; what is between them is the pivot, wherever it was. */
template <class KEY>
__device__ __forceinline__ ends part_in_place(KEY *keys, uint32_t begin,
                                              uint32_t end, KEY pivot,
                                              KEY slots[POOL_SLOTS]) {
  ends at = {begin, end, begin, end};
  key_pool<KEY> pool = {0, 0, 0, 0};
  while (at.read_front < at.read_back || pool.left || pool.right) {
    if (at.read_front < at.read_back) {
      pool_read(keys, at, pivot, pool, slots);
      if (!pool_is_full(pool)) continue;
    }
    if (pool.left >= pool.right)
      at.front += pool_leave_left(pool, keys + at.front);
    else
      at.back -= pool_leave_right(pool, keys + at.back);
    SORT_ASSERT(at.front <= at.read_front || at.read_front == at.read_back);
    SORT_ASSERT(at.back >= at.read_back || at.read_front == at.read_back);
  }
  SORT_ASSERT(at.front < at.back);
  return at;
}

/* keys[whole.x .. whole.y) sorted to `out`, which may be the same array. */
template <class KIND>
__device__ void solve(typename KIND::stored *keys, typename KIND::stored *out,
                      uint2 whole, uint32_t seed, range_stack *stack,
                      typename KIND::held slots[POOL_SLOTS]) {
  uint32_t depth = 0;
  push(stack, depth, whole.x, whole.y);
  for (uint32_t turn = 1; depth; turn++) {
    __syncwarp();
    depth--;
    uint2 range = make_uint2(stack->begins[depth], stack->ends[depth]);
    __syncwarp();
    if (range.y - range.x <= TILE) {
      sort_tile<KIND>(keys, out, range.x, range.y);
      continue;
    }
    typename KIND::held pivot =
        random_pivot<KIND>(keys, range.x, range.y, seed + turn * 0x85ebca6bu);
    ends at = part_in_place(keys, range.x, range.y, pivot, slots);
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
  __shared__ range_stack stacks[SORT_WARPS];
  __shared__ typename KIND::held slots[SORT_WARPS][POOL_SLOTS];
  uint32_t count = state.totals->ready, warp = threadIdx.x / 32;
  for (uint32_t i = warp_id(); i < count; i += gridDim.x * SORT_WARPS) {
    ready_range part = state.ready[i];
    if (part.equal)
      copy_equal<KIND>(in, out, part);
    else
      solve<KIND>(part.in_output ? out : in, out,
                  make_uint2(part.begin, part.end), seed + i * 0x9e3779b9u,
                  &stacks[warp], slots[warp]);
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
               seed + level * 0xc2b2ae35u);
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
#endif
