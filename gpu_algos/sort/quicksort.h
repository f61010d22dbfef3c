/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/quicksort.h -- quicksort by the means of the hull: Jurkiewicz,
 * PhD thesis, algorithm 8.
 *
 * The splitting stage parts large problems by a pivot each, with all processors
 * (split_state.h, here in three: keys that are the pivot need no more); the
 * independent stage is algorithm 7, a warp a problem, with a stack of its own
 * and lossy partition in place.
 */
#pragma once
#include "gpu_algos/sort/k_quicksort.h"
#include "gpu_algos/warp/part_in_place.h"

namespace {

enum { SIDES = 3, STACK = 32 };

/* Keys about a pivot, for pool.h and part_in_place.h; those that are the pivot
 * are discarded, as are the points of a hull that are no vertices. */
template <class KEY>
struct about_pivot {
  typedef KEY item;
  KEY pivot;

  __device__ __forceinline__ KEY load(const KEY *at) const { return *at; }
  __device__ __forceinline__ void store(KEY *at, KEY key) const { *at = key; }
  __device__ __forceinline__ side side_of(KEY key) const {
    return key < pivot ? LEFT : key > pivot ? RIGHT : INSIDE;
  }
  __device__ __forceinline__ bool stays(const leaving<KEY> &out) const {
    return is_leaving(out);
  }
};

/* By a whole warp: the median of 64 keys at random. */
template <class KIND>
__device__ typename KIND::held random_pivot(const typename KIND::stored *in,
                                            uint32_t begin, uint32_t end,
                                            uint32_t seed) {
  typename KIND::held rows[2];
#pragma unroll
  for (int i = 0; i < 2; i++) {
    uint32_t number = seed + (lane_id() + 32 * (uint32_t)i) * NEXT_LANE;
    rows[i] = in[begin + random_below(number, end - begin)];
  }
  warp_sort<KIND>(rows);
  return KIND::of_lane(rows[1], 0);
}

/* Step 1; limits as k_quicksort has them, those of what is the pivot. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    choose_pivots(const typename KIND::stored *in, split_state state,
                  uint32_t which, uint32_t seed) {
  uint32_t problem = warp_id();
  if (problem >= state.totals->problems) return;
  uint2 range = state.problems[which][problem];
  typename KIND::held pivot =
      random_pivot<KIND>(in, range.x, range.y, seed + problem * NEXT_PROBLEM);
  typename KIND::held *limits =
      (typename KIND::held *)state.limits + problem * SIDES;
  if (lane_id() < SIDES) limits[lane_id()] = pivot - (!lane_id() && pivot);
}

/* Of lanes that have a key: where it goes, by the limits of the problem. */
template <class KEY>
struct sides {
  KEY below, pivot; /* the last of the left ones; 0 if the pivot is 0 */
};

template <class KEY>
__device__ __forceinline__ sides<KEY> sides_of(const split_state &state,
                                               uint32_t problem) {
  const KEY *limits = (const KEY *)state.limits + problem * SIDES;
  return {limits[0], limits[1]};
}

/* Steps 4 and 5. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    count_sides(const typename KIND::stored *in, split_state state,
                uint32_t which) {
  typedef typename KIND::held key;
  chunk_range chunk;
  if (!find_chunk(state, which, warp_id(), &chunk)) return;
  sides<key> sides = sides_of<key>(state, chunk.problem);
  uint32_t left = 0, right = 0;
  for (uint32_t row = row_of(chunk.begin); row < chunk.end; row += 32) {
    uint32_t place = row + lane_id();
    if (place < chunk.begin || place >= chunk.end) continue;
    left += in[place] <= sides.below;
    right += in[place] > sides.pivot;
  }
  left = sum_of_lanes(left);
  right = sum_of_lanes(right);
  uint32_t same = chunk.end - chunk.begin - left - right;
  uint32_t mine = lane_id() == 0 ? left : lane_id() == 1 ? same : right;
  if (lane_id() < SIDES)
    state.counts[chunk.counts + lane_id() * chunk.of + chunk.index] = mine;
}

/* Step 7. */
template <class KIND>
__global__ void __launch_bounds__(SORT_BLOCK)
    part_sides(const typename KIND::stored *in, typename KIND::stored *out,
               split_state state, uint32_t which) {
  typedef typename KIND::held key;
  __shared__ key slots[SORT_WARPS][POOL_SLOTS];
  key *mine = slots[threadIdx.x / 32];
  chunk_range chunk;
  if (!find_chunk(state, which, warp_id(), &chunk)) return;
  sides<key> sides = sides_of<key>(state, chunk.problem);
  /* Nothing is less than a pivot of 0: it goes where left ones would. */
  bool zero = sides.pivot == 0;
  uint32_t place =
      state.counts[chunk.counts + lane_id() % SIDES * chunk.of + chunk.index];
  place += state.problems[which][chunk.problem].x - state.counts[chunk.counts];
  uint32_t left = __shfl_sync(ALL_LANES, place, 0);
  uint32_t same = zero ? left : __shfl_sync(ALL_LANES, place, 1);
  uint32_t right = __shfl_sync(ALL_LANES, place, 2);
  uint32_t kept = 0, row = row_of(chunk.begin);
  about_pivot<key> rules = {sides.pivot};
  pool<key> pool = {0, 0, 0, 0};
  while (row < chunk.end || pool.left || pool.right) {
    if (row < chunk.end) {
      uint32_t at = row + lane_id();
      key item = sides.pivot;
      if (at >= chunk.begin && at < chunk.end) item = in[at];
      pool_add(&pool, rules.side_of(item), item, mine);
      row += 32;
      if (!pool_is_full(pool)) continue;
    }
    leaving<key> leaves = pool_leave(&pool);
    uint32_t &to = leaves.from == LEFT ? left : right;
    if (is_leaving(leaves)) out[to + lane_id() - leaves.first] = leaves.item;
    to += leaves.have;
    kept += leaves.have;
  }
  GPU_ASSERT(kept <= chunk.end - chunk.begin);
  uint32_t discarded = chunk.end - chunk.begin - kept;
  for (uint32_t i = lane_id(); i < discarded; i += 32)
    out[same + i] = sides.pivot;
}

}  // namespace
