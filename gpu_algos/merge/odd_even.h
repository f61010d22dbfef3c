/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/merge/odd_even.h -- odd-even merge sort: Batcher, Sorting networks
 * and their applications, AFIPS 1968, as Kipfer and Westermann, GPU Gems 2,
 * chapter 46, have it.
 *
 * Runs of `size` keys come of two of half as many, which lie side by side: keys
 * size / 2 apart are compared, then such as are `stride` apart for ever smaller
 * strides, but for those of the first stride of each run and the last.
 * Comparisons put the lesser key first, so that
 * keys behind the n-th might be thought of as larger than all: those with one
 * of them are left out.
 */
#pragma once
#include "gpu_algos/merge/shape.h"

namespace {

/* Comparison number `pair` of a stride of runs of `size`, among n keys. */
template <class KEY>
__device__ __forceinline__ void odd_even_compare(KEY *keys, uint32_t n,
                                                 uint32_t pair, uint32_t size,
                                                 uint32_t stride) {
  uint32_t low = 2 * pair - (pair & (stride - 1));
  if (stride < size / 2) {
    if ((pair & (size / 2 - 1)) < stride) return;
    low -= stride;
  }
  if (low + stride >= n) return;
  KEY a = keys[low], b = keys[low + stride];
  if (a <= b) return;
  keys[low] = b;
  keys[low + stride] = a;
}

/* A block sorts a tile of `tile` keys, a power of two. */
template <class KEY>
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    odd_even_tiles(const KEY *in, KEY *out, uint32_t n, uint32_t tile) {
  KEY *keys = shared_keys<KEY>();
  uint32_t first = blockIdx.x * tile, count = min(n - first, tile);
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
    keys[i] = in[first + i];
  for (uint32_t size = 2; size <= tile; size *= 2)
    for (uint32_t stride = size / 2; stride; stride /= 2) {
      __syncthreads();
      for (uint32_t pair = threadIdx.x; pair < tile / 2; pair += blockDim.x)
        odd_even_compare(keys, count, pair, size, stride);
    }
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
    out[first + i] = keys[i];
}

template <class KEY>
inline void odd_even_sort_tiles(const KEY *in, KEY *out, uint32_t n,
                                const merge_shape &shape) {
  GPU_LAUNCH_SHARED(odd_even_tiles<KEY>, gpu_blocks(n, shape.keys),
                    shape.threads, shape.shared_bytes, in, out, n, shape.keys);
}

}  // namespace
