/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Odd-even merge sort of all keys (merge/odd_even.h): runs of up to Z keys in
 * shared memory, larger ones stride by stride in global memory.
 *
 * T1 = n lg^2 n, Tinf = lg^2 n.  Runs of `size` > Z take lg(size) strides, in
 * each of which all keys are read: M = n / C times (lg^2 n - lg^2 Z) / 2, where
 * table 4.4 of Ma, PhD thesis, has lg(n / Z).
 */
#include "gpu_algos/merge/odd_even.h"
#include "gpu_algos/sort/sort_algos.h"

namespace {

template <class KEY>
__global__ void __launch_bounds__(ODD_EVEN_BLOCK)
    odd_even_stride(KEY *keys, uint32_t n, uint32_t size, uint32_t stride) {
  odd_even_compare(keys, n, blockIdx.x * ODD_EVEN_BLOCK + threadIdx.x, size,
                   stride);
}

template <class KEY>
size_t bytes(uint64_t n) {
  return n < GPU_WORDS_MAX ? gpu_sort_bytes(n, sizeof(KEY), 0) : 0;
}

/* Of a run that ends beyond the keys the last comparison that is made may be
 * number (n + stride) / 2. */
template <class KEY>
void sort(struct algo_run *run) {
  KEY *in = (KEY *)gpu_sort_array(run, sizeof(KEY), 0);
  KEY *out = (KEY *)gpu_sort_array(run, sizeof(KEY), 1);
  uint32_t n = (uint32_t)run->n;
  if (!n) return;
  odd_even_sort_tiles(in, out, n);
  for (uint64_t size = 2 * ODD_EVEN_TILE; size < 2 * (uint64_t)n; size *= 2)
    for (uint64_t stride = size / 2; stride; stride /= 2)
      GPU_LAUNCH(odd_even_stride<KEY>, gpu_blocks(n + stride, ODD_EVEN_TILE),
                 ODD_EVEN_BLOCK, out, n, (uint32_t)size, (uint32_t)stride);
}

}  // namespace

#define TITLE "odd-even merge sort"
#define SUMMARY "sort by the network of odd-even merges: keys"
GPU_SORT_64(odd_even_sort, TITLE, SUMMARY, bytes<uint64_t>, sort<uint64_t>);
GPU_SORT_32(odd_even_sort_32, TITLE, SUMMARY, bytes<uint32_t>, sort<uint32_t>);
