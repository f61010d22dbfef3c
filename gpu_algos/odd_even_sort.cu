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
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    odd_even_stride(KEY *keys, uint32_t n, uint32_t size, uint32_t stride) {
  odd_even_compare(keys, n, blockIdx.x * blockDim.x + threadIdx.x, size,
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
  merge_shape shape = shape_of<KEY>(run);
  uint32_t n = (uint32_t)run->n;
  if (!n) return;
  odd_even_sort_tiles(in, out, n, shape);
  for (uint64_t size = 2 * shape.keys; size < 2 * (uint64_t)n; size *= 2)
    for (uint64_t stride = size / 2; stride; stride /= 2)
      GPU_LAUNCH_SHARED(odd_even_stride<KEY>,
                        gpu_blocks(n + stride, 2 * shape.threads),
                        shape.threads, run->gpu.dummy_shared, out, n,
                        (uint32_t)size, (uint32_t)stride);
}

}  // namespace

#define ROW(sort_, title, KEY, bits, ...)                               \
  GPU_SORT_ROW(sort_, title,                                            \
               "sort by the network of odd-even merges: keys of " #bits \
               " bits",                                                 \
               "n log2 n", cpu_ops_nlogn, bytes<KEY>, sort<KEY>, bits,  \
               gpu_sort_check_##bits, __VA_ARGS__)
ROW(odd_even_sort, "odd-even merge sort", uint64_t, 64, .data = "keys",
    .generators = cpu_keys_generators, .gpu = &any_shape,
    .answer = gpu_sort_answer);
ROW(odd_even_sort_32, "odd-even merge sort, 32 bits", uint32_t, 32,
    .data = NULL, .generators = cpu_keys_generators, .gpu = &any_shape);
