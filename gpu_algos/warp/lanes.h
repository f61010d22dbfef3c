/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/warp/lanes.h -- the small words of algorithms that take a warp for
 * a processor, as Jurkiewicz, PhD thesis, chapters 3 and 4, does. */
#pragma once
#include "gpu_algos/gpu.h"

/* What the thesis asserts, and proves; on a GPU only where it is asked for. */
#if !defined __CUDACC__ || defined GPU_DEBUG
#define GPU_ASSERTS 1
#else
#define GPU_ASSERTS 0
#endif
#define GPU_ASSERT(holds) \
  if (GPU_ASSERTS && !(holds)) __trap()

namespace {

enum : uint32_t { WARP = 32 };

/* All lanes take part in the operations of a warp. */
enum : uint32_t { ALL_LANES = UINT32_MAX };

__device__ __forceinline__ uint32_t lane_id() { return threadIdx.x % WARP; }

/* As bits. */
__device__ __forceinline__ uint32_t lanes_before() {
  return (1u << lane_id()) - 1;
}

/* What this lane and those before it have, summed. */
__device__ __forceinline__ uint32_t sum_through_lanes(uint32_t value) {
#pragma unroll
  for (uint32_t distance = 1; distance < WARP; distance *= 2) {
    uint32_t before = __shfl_up_sync(ALL_LANES, value, distance);
    if (lane_id() >= distance) value += before;
  }
  return value;
}

/* From one draw to the next, and from one lane or problem to the next: not the
 * same, or one would draw what the other did before. */
enum : uint32_t { NEXT_DRAW = 0xc2b2ae35u, NEXT_PROBLEM = 0x85ebca6bu };
enum : uint32_t { NEXT_LANE = 0x9e3779b9u };

/* A number of 0..most-1: the finalizer of Appleby's MurmurHash3, and
 * multiply-shift. */
__device__ __forceinline__ uint32_t random_below(uint32_t seed, uint32_t most) {
  uint32_t z = seed;
  z = (z ^ z >> 16) * 0x85ebca6bu;
  z = (z ^ z >> 13) * 0xc2b2ae35u;
  return __umulhi(z ^ z >> 16, most);
}

}  // namespace
