/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merge the two halves of an array, each sorted before, by a blocked merge
 * (merge/blocked_merge.h): T1 = n lg Z + (n / Z) lg n, Tinf = lg n, M = n / C +
 * (n / Z) lg n, (4.33) of Ma, PhD thesis. */
#include "gpu_algos/merge/blocked_merge.h"
#include "gpu_algos/sort/sort_algos.h"
extern "C" {
#include <stdlib.h>
}

namespace {

template <class KEY>
int compare(const void *left, const void *right) {
  KEY a = *(const KEY *)left, b = *(const KEY *)right;
  return (a > b) - (a < b);
}

template <class KEY>
void sort_halves(struct algo_run *run) {
  KEY *keys = (KEY *)gpu_sort_array(run, sizeof(KEY), 0);
  uint64_t half = (run->n + 1) / 2;
  qsort(keys, half, sizeof(KEY), compare<KEY>);
  qsort(keys + half, run->n - half, sizeof(KEY), compare<KEY>);
}

template <class KEY, void (*MAKE)(struct algo_run *)>
void make(struct algo_run *run) {
  MAKE(run);
  sort_halves<KEY>(run);
}

template <class KEY>
size_t bytes(uint64_t n) {
  if (n >= GPU_WORDS_MAX) return 0;
  return gpu_sort_bytes(n, sizeof(KEY), blocked_merge_words(n));
}

template <class KEY>
void merge(struct algo_run *run) {
  uint32_t n = (uint32_t)run->n;
  if (!n) return;
  blocked_merge((const KEY *)gpu_sort_array(run, sizeof(KEY), 0),
                (KEY *)gpu_sort_array(run, sizeof(KEY), 1), n, n - n / 2,
                (uint2 *)gpu_sort_array(run, sizeof(KEY), 2),
                shape_of<KEY>(run));
}

}  // namespace

#define MERGE_ROW(algo, title_, KEY, kind, ...)                         \
  GPU_ALGO(algo) = {                                                    \
      .name = #algo,                                                    \
      .title = title_,                                                  \
      .summary = "merge two sorted halves of n keys of " #kind " bits", \
      .device = GPU_DEVICE,                                             \
      .complexity = "n",                                                \
      .ram_ops = cpu_ops_linear,                                        \
      .bytes = bytes<KEY>,                                              \
      .setup = make<KEY, gpu_sort_setup_##kind>,                        \
      .restore = make<KEY, gpu_sort_restore_##kind>,                    \
      .run = merge<KEY>,                                                \
      .check = gpu_sort_check_##kind,                                   \
      __VA_ARGS__}
MERGE_ROW(merge, "merge", uint64_t, 64, .data = "keys",
          .generators = cpu_keys_generators, .gpu = &any_shape,
          .answer = gpu_sort_answer);
MERGE_ROW(merge_32, "merge, 32 bits", uint32_t, 32, .data = NULL,
          .generators = cpu_keys_generators, .gpu = &any_shape);
