/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/figure.h"

/* In the order of reading. */
#define FIGURES(X)           \
  X(operation_time)          \
  X(pieces)                  \
  X(em_complexity)           \
  X(logarithms)              \
  X(page_ratio)              \
  X(page_sizes)              \
  X(virtual_machine)         \
  X(transposes)              \
  X(all_w)                   \
  X(calibration)             \
  X(predicted)               \
  X(machines_time)           \
  X(machines_pages)          \
  X(machines_tau)            \
  X(machines_virtual)        \
  X(hull_operations)         \
  X(hull_iterations)         \
  X(gpu_coalescing)          \
  X(gpu_banks)               \
  X(gpu_matmul)              \
  X(gpu_list_ranking)        \
  X(gpu_histogram)           \
  X(tmm_matmul_sizes)        \
  X(tmm_johnson_densities)   \
  X(tmm_johnson_edges)       \
  X(tmm_matmul_blocks)       \
  X(tmm_matmul_differences)  \
  X(tmm_matmul_machines)     \
  X(tmm_matmul_over_johnson) \
  X(tmm_matching)            \
  X(tmm_fft_latencies)       \
  X(tmm_merge_sort)          \
  X(tmm_list_ranking)        \
  X(calibrated_hash_random)  \
  X(calibrated_hit_rates)    \
  X(calibrated_cache_time)   \
  X(calibrated_rate_lines)   \
  X(calibrated_rates)        \
  X(calibrated_functions)    \
  X(calibrated_sub_queries)  \
  X(calibrated_bloom_blastn) \
  X(calibrated_fit)          \
  X(calibrated_tradeoff)     \
  X(calibrated_facs)         \
  X(calibrated_schedule)     \
  X(calibrated_over_ratio)   \
  X(calibrated_over_threads) \
  X(calibrated_over_blocks)  \
  X(calibrated_active)

#define DECLARE(id) extern const struct figure figure_##id;
FIGURES(DECLARE)

#define ENTRY(id) &figure_##id,
const struct figure *const figures[] = {FIGURES(ENTRY) NULL};
