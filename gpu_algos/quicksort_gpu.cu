/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quicksort by the means of the convex hull: Jurkiewicz, PhD thesis, algorithm
 * 8.  A pair is sorted as a number of 64 bits, whose upper half is the key: it
 * is not stable. */
#include "gpu_algos/sort/quick_solve.h"
#include "gpu_algos/sort/split_sort.h"

namespace {

template <class KIND>
size_t bytes(uint64_t n) {
  return split_sort_bytes<KIND>(n, SIDES);
}

template <class KIND>
void sort(struct algo_run *run) {
  split_sort<KIND>(run, quicksort<KIND>);
}

}  // namespace

#define TITLE "quicksort"
#define SUMMARY "sort by parting about a pivot, in place in the end: keys"
GPU_SORT_64(quicksort_gpu, TITLE, SUMMARY, bytes<keys64>, sort<keys64>);
GPU_SORT_32(quicksort_gpu_32, TITLE, SUMMARY, bytes<keys32>, sort<keys32>);
GPU_SORT_PAIRS(quicksort_gpu_pairs, TITLE, SUMMARY, gpu_sort_check_pairs,
               bytes<keys64>, sort<keys64>);
