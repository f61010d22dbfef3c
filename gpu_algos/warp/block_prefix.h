/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/warp/block_prefix.h -- prefixes by a single block: what Jurkiewicz,
 * PhD thesis, 3.2, calls a SIMD grid. */
#pragma once
#include "gpu_algos/warp/lanes.h"

namespace {

enum : uint32_t { SINGLE = 1024 }; /* threads of the block, at most */

/* Items of this thread: [x, y). */
__device__ __forceinline__ uint2 items_of_thread(uint32_t items) {
  uint32_t each = (items + blockDim.x - 1) / blockDim.x;
  uint32_t begin = min(threadIdx.x * each, items);
  return make_uint2(begin, min(begin + each, items));
}

/* Items of this warp. */
__device__ __forceinline__ uint2 items_of_warp(uint32_t items) {
  uint32_t warps = blockDim.x / WARP, each = (items + warps - 1) / warps;
  uint32_t begin = min(threadIdx.x / WARP * each, items);
  return make_uint2(begin, min(begin + each, items));
}

/* The sum of what threads before this one have; *all is that of the block. */
inline __device__ uint32_t sum_before(uint32_t mine, uint32_t *all) {
  __shared__ uint32_t warps[WARP];
  uint32_t warp = threadIdx.x / WARP, through = sum_through_lanes(mine);
  __syncthreads(); /* until the last call has read them */
  if (lane_id() == WARP - 1) warps[warp] = through;
  __syncthreads();
  uint32_t sum = lane_id() < blockDim.x / WARP ? warps[lane_id()] : 0;
  sum = sum_through_lanes(sum);
  *all = __shfl_sync(ALL_LANES, sum, WARP - 1);
  uint32_t before = __shfl_sync(ALL_LANES, sum, (int)(warp ? warp - 1 : 0));
  return (warp ? before : 0) + through - mine;
}

/* Of each item the sum of those before it, in its place; returns that of all.
 * A warp has items side by side, a row of them at a time. */
inline __device__ uint32_t prefix_sums(uint32_t *items, uint32_t count) {
  uint2 mine = items_of_warp(count);
  uint32_t sum = 0, all;
  for (uint32_t i = mine.x + lane_id(); i < mine.y; i += WARP) sum += items[i];
  uint32_t before = __shfl_sync(ALL_LANES, sum_before(sum, &all), 0);
  for (uint32_t row = mine.x; row < mine.y; row += WARP) {
    uint32_t i = row + lane_id(), item = i < mine.y ? items[i] : 0;
    uint32_t through = sum_through_lanes(item);
    if (i < mine.y) items[i] = before + through - item;
    before += __shfl_sync(ALL_LANES, through, WARP - 1);
  }
  __syncthreads();
  return all;
}

/* And behind the last item the sum of all. */
inline __device__ void prefix_sums_and_all(uint32_t *items, uint32_t count) {
  uint32_t all = prefix_sums(items, count);
  if (threadIdx.x == 0) items[count] = all;
}

}  // namespace
