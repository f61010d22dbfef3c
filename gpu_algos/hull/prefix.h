/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/hull/prefix.h -- prefixes by a single block: the SIMD grids of the
 * thesis. */
#ifndef GPU_ALGOS_HULL_PREFIX_H
#define GPU_ALGOS_HULL_PREFIX_H
#include "gpu_algos/hull/state.h"

/* Thread t of the block has items [t * each, (t + 1) * each). */
static __device__ __forceinline__ uint32_t items_each(uint32_t items) {
  return (items + blockDim.x - 1) / blockDim.x;
}

/*
 * What all threads before this one have, by `op`, whose `none` is what nothing
 * gives; *all is what the whole block has.  op(a, b) is associative, a of
 * earlier threads than b.
 */
template <class Op>
static __device__ uint32_t prefix_of_threads(uint32_t mine, const Op &op,
                                             uint32_t *all) {
  __shared__ uint32_t warps[WARP];
  uint32_t lane = lane_of(), warp = threadIdx.x / WARP;
  uint32_t through = mine;
  for (uint32_t distance = 1; distance < WARP; distance *= 2) {
    uint32_t before = __shfl_up_sync(ALL, through, distance);
    if (lane >= distance) through = op(before, through);
  }
  __syncthreads(); /* until the last call has read them */
  if (lane == WARP - 1) warps[warp] = through;
  __syncthreads();
  uint32_t before = op.none();
  *all = op.none();
  for (uint32_t w = 0; w < blockDim.x / WARP; w++) {
    if (w == warp) before = *all;
    *all = op(*all, warps[w]);
  }
  uint32_t in_warp = __shfl_up_sync(ALL, through, 1);
  return lane ? op(before, in_warp) : before;
}

struct add_up {
  __device__ __forceinline__ uint32_t none() const { return 0; }
  __device__ __forceinline__ uint32_t operator()(uint32_t a, uint32_t b) const {
    return a + b;
  }
};

/* Of each item the sum of those before it, in its place; the sum of all. */
static __device__ uint32_t prefix_sums(uint32_t *items, uint32_t count) {
  uint32_t each = items_each(count), begin = min(threadIdx.x * each, count);
  uint32_t end = min(begin + each, count), mine = 0, all;
  for (uint32_t i = begin; i < end; i++) mine += items[i];
  uint32_t sum = prefix_of_threads(mine, add_up(), &all);
  for (uint32_t i = begin; i < end; i++) {
    uint32_t item = items[i];
    items[i] = sum;
    sum += item;
  }
  __syncthreads();
  return all;
}
#endif
