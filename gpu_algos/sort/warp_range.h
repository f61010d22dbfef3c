/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/warp_range.h -- a warp sorts a range by itself: tiles in its
 * registers, then k-merges of them (warp_merge.h). */
#pragma once
#include "gpu_algos/sort/warp_merge.h"

namespace {

enum {
  MERGE_K = 16,
  /* Twice what algorithm 9 needs: each round puts out 17 blocks. */
  TABLE_ROWS = 32,
  TILE = 32 * TABLE_ROWS,
  SORT_BLOCK = 128, /* threads */
  SORT_WARPS = SORT_BLOCK / 32
};

__device__ __forceinline__ uint32_t warp_id() {
  return blockIdx.x * SORT_WARPS + threadIdx.x / 32;
}

__device__ __forceinline__ uint32_t sum_of_lanes(uint32_t value) {
  return __reduce_add_sync(ALL_LANES, value);
}

/* By a whole warp: in[at .. end), at most a tile, sorted, to out[at .. end). */
template <class KIND>
__device__ __noinline__ void sort_tile(const typename KIND::stored *in,
                                       typename KIND::stored *out, uint32_t at,
                                       uint32_t end) {
  typename KIND::held rows[TABLE_ROWS];
#pragma unroll
  for (int i = 0; i < TABLE_ROWS; i++)
    rows[i] = read_block<KIND>(in, at + 32 * (uint32_t)i, end);
  warp_sort<KIND>(rows);
#pragma unroll
  for (int i = 0; i < TABLE_ROWS; i++)
    write_block<KIND>(out, at + 32 * (uint32_t)i, end, rows[i]);
}

/* Where the tile begins that a place is in: tiles are those of the array, so
 * that most of what is read and written is whole rows of it. */
__device__ __host__ __forceinline__ uint32_t tile_of(uint32_t place) {
  return place / TILE * TILE;
}

/* How many passes of k-merges a range takes, or any that begins and ends within
 * as many elements. */
__device__ __host__ __forceinline__ uint32_t range_passes(uint32_t begin,
                                                          uint32_t end) {
  uint32_t passes = 0;
  for (uint64_t run = TILE; run < end - tile_of(begin); run *= MERGE_K)
    passes++;
  return passes;
}

/* By a whole warp: a pass over runs of that length. */
template <class KIND>
__device__ void merge_range(const typename KIND::stored *from,
                            typename KIND::stored *to, uint32_t begin,
                            uint32_t end, uint64_t run) {
  uint64_t first = tile_of(begin), low = begin, high = end;
  for (; first < end; first += run * MERGE_K) {
    uint64_t at = first + lane_id() * run;
    if (lane_id() >= MERGE_K) at = end;
    stream<KIND> mine((uint32_t)min(max(at, low), high),
                      (uint32_t)min(max(at + run, low), high));
    warp_merge<KIND, MERGE_K, TABLE_ROWS>(
        from, mine, to, (uint32_t)max(first, low),
        (uint32_t)min(first + run * MERGE_K, high));
  }
}

/*
 * By a whole warp: in[begin .. end) sorted to the same place of `out` by at
 * least range_passes(begin, end) passes, between `out` and `other`; `in` is one
 * of both.  What the warp has written it reads again: no other may be at work
 * there.
 */
template <class KIND>
__device__ void sort_range(const typename KIND::stored *in,
                           typename KIND::stored *out,
                           typename KIND::stored *other, uint32_t begin,
                           uint32_t end, uint32_t passes) {
  typename KIND::stored *from = passes % 2 ? other : out;
  typename KIND::stored *to = passes % 2 ? out : other;
  for (uint32_t at = begin; at < end; at = tile_of(at) + TILE)
    sort_tile<KIND>(in, from, at, min(end, tile_of(at) + TILE));
  for (uint64_t run = TILE; passes; passes--, run *= MERGE_K) {
    __syncwarp();
    merge_range<KIND>(from, to, begin, end, run);
    typename KIND::stored *was = from;
    from = to;
    to = was;
  }
}

}  // namespace
