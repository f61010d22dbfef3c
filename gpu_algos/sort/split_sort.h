/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/sort/split_sort.h -- a run of a sort that has a splitting stage
 * (split_state.h), and its workspace: the input, the output, and what the grids
 * tell each other. */
#pragma once
#include "gpu_algos/sort/sort_algos.h"
#include "gpu_algos/sort/split_state.h"

namespace {

/* A problem is parted in `parts`. */
template <class KIND>
size_t split_sort_bytes(uint64_t n, uint32_t parts) {
  if (n > GPU_WORDS_MAX) return 0;
  unsigned words = sizeof(typename KIND::stored) / 4;
  return gpu_sort_bytes(n, 4 * words,
                        split_words(split_sizes((uint32_t)n, parts), words));
}

template <class KIND>
void split_sort(struct algo_run *run,
                void (*sort)(typename KIND::stored *in,
                             typename KIND::stored *out, uint32_t n,
                             uint32_t *memory, uint32_t seed)) {
  typedef typename KIND::stored stored;
  sort((stored *)gpu_sort_array(run, sizeof(stored), 0),
       (stored *)gpu_sort_array(run, sizeof(stored), 1), (uint32_t)run->n,
       (uint32_t *)gpu_sort_array(run, sizeof(stored), 2), (uint32_t)run->seed);
}

}  // namespace
