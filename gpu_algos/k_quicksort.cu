/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quicksort that parts by k - 1 pivots at once: Jurkiewicz, PhD thesis, section
 * 4.2.2, with algorithm 10.  A pair is sorted as a number of 64 bits, whose
 * upper half is the key: it is not stable. */
#include "gpu_algos/sort/k_quicksort.h"
#include "gpu_algos/sort/split_sort.h"

namespace {

template <class KIND>
size_t bytes(uint64_t n) {
  return split_sort_bytes<KIND>(n, PART_K);
}

template <class KIND>
void sort(struct algo_run *run) {
  split_sort<KIND>(run, k_quicksort<KIND>);
}

}  // namespace

#define TITLE "k-quicksort"
#define SUMMARY "sort by parting in 16 at once in registers: keys"
GPU_SORT_64(k_quicksort, TITLE, SUMMARY, bytes<keys64>, sort<keys64>);
GPU_SORT_32(k_quicksort_32, TITLE, SUMMARY, bytes<keys32>, sort<keys32>);
GPU_SORT_PAIRS(k_quicksort_pairs, TITLE, SUMMARY, gpu_sort_check_pairs,
               bytes<keys64>, sort<keys64>);
