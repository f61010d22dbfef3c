/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge sort: blocks of Z keys by odd-even merge sort in shared memory, then
 * runs of them by blocked merges, two by two.
 *
 * Satish, Harris, Garland, IPDPS 2009, as in Ma, PhD thesis, section 4.4.2:
 * T1 = n lg^2 Z + n lg Z lg(n / Z), Tinf = lg^2 Z + lg n lg(n / Z), M = n / C
 * (1 + lg(n / Z)).
 */
#include "gpu_algos/merge/blocked_merge.h"
#include "gpu_algos/merge/odd_even.h"
#include "gpu_algos/sort/sort_algos.h"

namespace {

template <class KEY>
size_t bytes(uint64_t n) {
  if (n >= GPU_WORDS_MAX) return 0;
  return gpu_sort_bytes(n, sizeof(KEY), blocked_merge_words(n));
}

uint32_t passes_of(uint32_t n, uint32_t tile) {
  uint32_t passes = 0;
  for (uint64_t run = tile; run < n; run *= 2) passes++;
  return passes;
}

/* Between the two arrays, so that the last pass ends in the second. */
template <class KEY>
void sort(struct algo_run *run) {
  KEY *in = (KEY *)gpu_sort_array(run, sizeof(KEY), 0);
  KEY *out = (KEY *)gpu_sort_array(run, sizeof(KEY), 1);
  uint2 *cuts = (uint2 *)gpu_sort_array(run, sizeof(KEY), 2);
  merge_shape shape = shape_of<KEY>(run);
  uint32_t n = (uint32_t)run->n, length = shape.keys;
  if (!n) return;
  uint32_t passes = passes_of(n, length);
  odd_even_sort_tiles(in, passes % 2 ? in : out, n, shape);
  for (; passes; passes--, length *= 2)
    blocked_merge(passes % 2 ? in : out, passes % 2 ? out : in, n, length, cuts,
                  shape);
}

}  // namespace

#define ROW(sort_, title, KEY, bits, ...)                                    \
  GPU_SORT_ROW(sort_, title,                                                 \
               "sort blocks by odd-even merges and merge them by two: keys " \
               "of " #bits " bits",                                          \
               "n log2 n", cpu_ops_nlogn, bytes<KEY>, sort<KEY>, bits,       \
               gpu_sort_check_##bits, __VA_ARGS__)
ROW(merge_sort, "merge sort", uint64_t, 64, .data = "keys",
    .generators = cpu_keys_generators, .gpu = &any_shape,
    .answer = gpu_sort_answer);
ROW(merge_sort_32, "merge sort, 32 bits", uint32_t, 32, .data = NULL,
    .generators = cpu_keys_generators, .gpu = &any_shape);
