/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/warp_partition.h -- a warp parts a stream in its registers:
 * Jurkiewicz, PhD thesis, algorithm 10 (k-partition).
 *
 * All that the registers hold is sorted, so that all rows but K - 1 at most are
 * of one partition each; those go there, a block at once, and what is read next
 * takes their place.
 *
 * Partitions are told by limits, one a lane: a key is in partition i if i
 * limits are smaller.  Keys are numbers (number_kind).
 */
#pragma once
#include "gpu_algos/sort/warp_range.h"

namespace {

/* By a whole warp, of a key that all lanes have; `limits` of them are. */
template <class KEY>
__device__ __forceinline__ uint32_t partition_of(KEY key, KEY limit,
                                                 uint32_t limits) {
  return __popc(__ballot_sync(ALL_LANES, lane_id() < limits && key > limit));
}

/* Keys of partition p among those of a row that are `mine`, to its place, which
 * lane p has. */
template <class KEY>
__device__ __forceinline__ void write_partition(KEY *out, KEY key, bool mine,
                                                uint32_t p, uint32_t &place) {
  uint32_t lanes = __ballot_sync(ALL_LANES, mine);
  uint32_t at = __shfl_sync(ALL_LANES, place, (int)p);
  if (mine) out[at + __popc(lanes & lanes_before())] = key;
  if (lane_id() == p) place += __popc(lanes);
}

/* Line 8, of a row whose first `have` keys are any. */
template <class KEY>
__device__ __forceinline__ void write_mixed(KEY *out, KEY key, uint32_t have,
                                            KEY limit, uint32_t limits,
                                            uint32_t &place) {
  KEY first = __shfl_sync(ALL_LANES, key, 0);
  KEY last = __shfl_sync(ALL_LANES, key, (int)have - 1);
  uint32_t p = partition_of(first, limit, limits);
  uint32_t end = partition_of(last, limit, limits);
  bool left = lane_id() < have;
  for (; p <= end; p++) {
    KEY behind = __shfl_sync(ALL_LANES, limit, (int)min(p, 31u));
    bool mine = left && (p == limits || key <= behind);
    write_partition(out, key, mine, p, place);
    left &= !mine;
  }
}

/* What of the row of the array that `at` is in is at .. end. */
template <class KIND>
__device__ __forceinline__ typename KIND::held read_row(
    const typename KIND::stored *in, uint32_t at, uint32_t end) {
  uint32_t place = at / 32 * 32 + lane_id();
  return place >= at && place < end ? KIND::take(in[place], place)
                                    : KIND::last();
}

/*
 * By a whole warp: in[at .. end), at < end, to K partitions, of which lane i
 * has the place in `out` of the i-th, and the limit to the next; K - 1 of them.
 */
template <class KIND, int K, int ROWS>
__device__ __noinline__ void warp_partition(const typename KIND::stored *in,
                                            uint32_t at, uint32_t end,
                                            typename KIND::held limit,
                                            typename KIND::stored *out,
                                            uint32_t place) {
  static_assert(ROWS > K && K <= 32, "memory can fit more than K blocks");
  typename KIND::held rows[ROWS];
  uint32_t free = ~0u, have = 0;
  uint32_t behind = end - at; /* what all places are to come to */
  if (GPU_ASSERTS) behind += __reduce_add_sync(ALL_LANES, place);
  for (;;) {
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
      if (!(free >> i & 1)) continue;
      rows[i] = read_row<KIND>(in, at, end);
      uint32_t next = min(at / 32 * 32 + 32, end);
      have += next - at;
      at = next;
    }
    warp_sort<KIND>(rows);
    if (at == end) break;
    /* What fills up the first row, read in part, stays behind the last key. */
    uint32_t full = have / 32;
    free = 0;
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
      if ((uint32_t)i >= full) continue;
      uint32_t p = partition_of(KIND::of_lane(rows[i], 0), limit, K - 1);
      if (p != partition_of(KIND::of_lane(rows[i], 31), limit, K - 1)) continue;
      write_partition(out, rows[i], true, p, place);
      free |= 1u << i;
      have -= 32;
    }
    GPU_ASSERT(__popc(free) >= ROWS - K);
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++)
    if (have > 32 * (uint32_t)i)
      write_mixed(out, rows[i], min(have - 32 * (uint32_t)i, 32u), limit,
                  (uint32_t)(K - 1), place);
  GPU_ASSERT(__reduce_add_sync(ALL_LANES, place) == behind);
}

}  // namespace
