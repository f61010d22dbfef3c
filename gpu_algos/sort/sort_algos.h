/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/sort_algos.h -- a sort's rows in the table: one for each kind
 * of what it sorts (sort_keys.h), each with a workspace and a run for the
 * kind's type, `bytes_of` and `sort_of`:
 *
 *   GPU_SORT_64(k_merge, "k-merge", "sort ...", bytes_of<keys64>, ...);
 */
#pragma once
#include "gpu_algos/gpu.h"
extern "C" {
#include "gpu_algos/sort/sort_keys.h"
}

#define GPU_SORT_ROW(sort, title_, summary_, complexity_, ops, bytes_of, \
                     sort_of, kind, check_, ...)                         \
  GPU_ALGO(sort) = {.name = #sort,                                       \
                    .title = title_,                                     \
                    .summary = summary_,                                 \
                    .device = GPU_DEVICE,                                \
                    .complexity = complexity_,                           \
                    .ram_ops = ops,                                      \
                    .bytes = bytes_of,                                   \
                    .setup = gpu_sort_setup_##kind,                      \
                    .restore = gpu_sort_restore_##kind,                  \
                    .run = sort_of,                                      \
                    .check = check_,                                     \
                    __VA_ARGS__}

#define GPU_SORT_64(sort, title_, summary_, bytes_of, sort_of)          \
  GPU_SORT_ROW(sort, title_, summary_ " of 64 bits", "n log2 n",        \
               cpu_ops_nlogn, bytes_of, sort_of, 64, gpu_sort_check_64, \
               .data = "keys", .generators = cpu_keys_generators,       \
               .answer = gpu_sort_answer)
#define GPU_SORT_32(sort, title_, summary_, bytes_of, sort_of)               \
  GPU_SORT_ROW(sort, title_ ", 32 bits", summary_ " of 32 bits", "n log2 n", \
               cpu_ops_nlogn, bytes_of, sort_of, 32, gpu_sort_check_32,      \
               .data = NULL, .generators = cpu_keys_generators)
#define GPU_SORT_PAIRS(sort, title_, summary_, check_, bytes_of, sort_of)      \
  GPU_SORT_ROW(sort, title_ ", pairs", summary_ " and values of 32 bits each", \
               "n log2 n", cpu_ops_nlogn, bytes_of, sort_of, pairs, check_,    \
               .data = NULL, .generators = cpu_keys_generators)
