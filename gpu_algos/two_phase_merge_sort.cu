/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sort parts independently, then merge what of each lies between two pivots:
 * Jurkiewicz, PhD thesis, 2 phase merging (section 4.2.2). */
#include "gpu_algos/sort/sort_algos.h"
#include "gpu_algos/sort/two_phase.h"

namespace {

template <class KIND>
size_t bytes(uint64_t n) {
  if (n > GPU_WORDS_MAX) return 0;
  return gpu_sort_bytes(n, sizeof(typename KIND::stored),
                        two_phase_words((uint32_t)n));
}

template <class KIND>
void sort(struct algo_run *run) {
  typedef typename KIND::stored stored;
  two_phase_sort<KIND>((stored *)gpu_sort_array(run, sizeof(stored), 0),
                       (stored *)gpu_sort_array(run, sizeof(stored), 1),
                       (uint32_t)run->n,
                       (uint32_t *)gpu_sort_array(run, sizeof(stored), 2));
}

}  // namespace

#define TITLE "two-phase merge sort"
#define SUMMARY "sort parts, then merge them between pivots, in registers: keys"
GPU_SORT_64(two_phase_merge_sort, TITLE, SUMMARY, bytes<keys64>, sort<keys64>);
GPU_SORT_32(two_phase_merge_sort_32, TITLE, SUMMARY, bytes<keys32>,
            sort<keys32>);
GPU_SORT_PAIRS(two_phase_merge_sort_pairs, TITLE, SUMMARY,
               gpu_sort_check_stable, bytes<pairs32>, sort<pairs32>);
