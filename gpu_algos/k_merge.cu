/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sort by merging k runs at a time: Jurkiewicz, PhD thesis, algorithm 9, in
 * registers (section 4.2).  The input is cut into k parts, each is sorted in
 * the same way, and they are merged; from the smallest parts, tiles, on. */
#include "gpu_algos/sort/k_merge.h"
#include "gpu_algos/sort/sort_algos.h"

namespace {

template <class KIND>
size_t bytes(uint64_t n) {
  if (n > GPU_WORDS_MAX) return 0;
  return gpu_sort_bytes(n, sizeof(typename KIND::stored),
                        merge_words((uint32_t)n, TILE));
}

template <class KIND>
void sort(struct algo_run *run) {
  typedef typename KIND::stored stored;
  k_merge_sort<KIND>((stored *)gpu_sort_array(run, sizeof(stored), 0),
                     (stored *)gpu_sort_array(run, sizeof(stored), 1),
                     (uint32_t)run->n,
                     (uint32_t *)gpu_sort_array(run, sizeof(stored), 2));
}

}  // namespace

#define TITLE "k-merge sort"
#define SUMMARY "sort by merging 16 runs at a time in registers: keys"
GPU_SORT_64(k_merge, TITLE, SUMMARY, bytes<keys64>, sort<keys64>);
GPU_SORT_32(k_merge_32, TITLE, SUMMARY, bytes<keys32>, sort<keys32>);
GPU_SORT_PAIRS(k_merge_pairs, TITLE, SUMMARY, gpu_sort_check_stable,
               bytes<pairs32>, sort<pairs32>);
