/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/block_prefix.h -- prefix sums by a single block: what the
 * thesis of Jurkiewicz calls SIMD grids (section 3.4). */
#ifndef GPU_ALGOS_SORT_BLOCK_PREFIX_H
#define GPU_ALGOS_SORT_BLOCK_PREFIX_H
#include "gpu_algos/sort/sort_kinds.h"

namespace {

enum { SINGLE = 1024 }; /* threads of the block */

/* Those before this lane, and this one. */
__device__ __forceinline__ uint32_t sum_through_lanes(uint32_t value) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    uint32_t before = __shfl_up_sync(ALL_LANES, value, distance);
    if (lane_id() >= (uint32_t)distance) value += before;
  }
  return value;
}

/* The sum of what threads before this one have; *all is that of the block. */
inline __device__ uint32_t sum_before(uint32_t mine, uint32_t *all) {
  __shared__ uint32_t warps[SINGLE / 32];
  uint32_t warp = threadIdx.x / 32, through = sum_through_lanes(mine);
  __syncthreads(); /* until the last call has read them */
  if (lane_id() == 31) warps[warp] = through;
  __syncthreads();
  uint32_t sum = sum_through_lanes(warps[lane_id()]);
  *all = __shfl_sync(ALL_LANES, sum, 31);
  uint32_t before = __shfl_sync(ALL_LANES, sum, (int)(warp ? warp - 1 : 0));
  return (warp ? before : 0) + through - mine;
}

/* Items of this thread: [x, y). */
inline __device__ uint2 items_of_thread(uint32_t items) {
  uint32_t each = (items + SINGLE - 1) / SINGLE;
  uint32_t begin = min(threadIdx.x * each, items);
  return make_uint2(begin, min(begin + each, items));
}

/* Of each item the sum of those before it, in its place; behind the last, that
 * of all. */
inline __device__ void prefix_sums(uint32_t *items, uint32_t count) {
  uint2 mine = items_of_thread(count);
  uint32_t sum = 0, all;
  for (uint32_t i = mine.x; i < mine.y; i++) sum += items[i];
  uint32_t before = sum_before(sum, &all);
  for (uint32_t i = mine.x; i < mine.y; i++) {
    uint32_t item = items[i];
    items[i] = before;
    before += item;
  }
  if (threadIdx.x == 0) items[count] = all;
}

}  // namespace
#endif
