/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/gpu.h"
extern "C" {
#include "gpu_algos/algos.h"
}

/* The table: a line is a file. */
#define ALGOS(X)                \
  X(copy)                       \
  X(reduce)                     \
  X(scan)                       \
  X(coalescing)                 \
  X(bank_conflicts)             \
  X(random_window)              \
  X(hash_random)                \
  X(bloom_blastn)               \
  X(facs)                       \
  X(matmul_tiled)               \
  X(list_ranking_hj)            \
  X(list_ranking_wyllie)        \
  X(histogram_shared)           \
  X(fft_stockham)               \
  X(fft_stockham_float)         \
  X(suffix_array)               \
  X(suffix_tree)                \
  X(merge)                      \
  X(merge_32)                   \
  X(merge_sort)                 \
  X(merge_sort_32)              \
  X(odd_even_sort)              \
  X(odd_even_sort_32)           \
  X(hull_gpu)                   \
  X(hull_gpu_float)             \
  X(k_merge)                    \
  X(k_merge_32)                 \
  X(k_merge_pairs)              \
  X(two_phase_merge_sort)       \
  X(two_phase_merge_sort_32)    \
  X(two_phase_merge_sort_pairs) \
  X(k_partition)                \
  X(k_partition_32)             \
  X(k_quicksort)                \
  X(k_quicksort_32)             \
  X(k_quicksort_pairs)          \
  X(quicksort_gpu)              \
  X(quicksort_gpu_32)           \
  X(quicksort_gpu_pairs)        \
  X(apsp_matmul)                \
  X(johnson_array)              \
  X(bellman_ford)               \
  X(johnson_heap)               \
  X(connected_components)       \
  X(mst_boruvka)

#define DECLARE(name) extern "C" const struct algo GPU_SYMBOL(name);
#define LIST(name) &GPU_SYMBOL(name),

ALGOS(DECLARE)
extern "C" const struct gpu_device GPU_SYMBOL(device);

static const struct algo *const algos[] = {ALGOS(LIST) nullptr};

extern "C" const struct gpu_set GPU_SYMBOL(set);
const struct gpu_set GPU_SYMBOL(set) = {algos, &GPU_SYMBOL(device)};
