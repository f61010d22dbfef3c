/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part keys in 16 by 15 pivots: Jurkiewicz, PhD thesis, algorithm 10, by all
 * processors: the first level of k_quicksort. */
#include "gpu_algos/sort/k_quicksort.h"
#include "gpu_algos/sort/sort_algos.h"

namespace {

/* The whole input is a problem, however small. */
split_state sizes(uint32_t n) {
  split_state state = split_sizes(n, PART_K);
  if (state.large < n) state.large = n;
  return state;
}

/* Where the partitions begin, and the last one ends, is behind all else. */
template <class KEY>
__global__ void note_bounds(split_state state, uint32_t *bounds) {
  uint32_t p = threadIdx.x;
  if (p < PART_K) bounds[p] = partition_at<KEY>(state, 0, 0, p).begin;
  if (p == PART_K) bounds[p] = state.n;
}

template <class KEY>
uint32_t *bounds_of(const struct algo_run *run) {
  return (uint32_t *)gpu_sort_array(run, sizeof(KEY), 2);
}

template <class KEY>
size_t bytes(uint64_t n) {
  if (n > GPU_WORDS_MAX) return 0;
  return gpu_sort_bytes(
      n, sizeof(KEY),
      GPU_ALIGN + split_words(sizes((uint32_t)n), sizeof(KEY) / 4));
}

template <class KIND>
void part(struct algo_run *run) {
  typedef typename KIND::stored key;
  uint32_t *bounds = bounds_of<key>(run), n = (uint32_t)run->n;
  if (!n) return;
  split_state state =
      split_state_of(sizes(n), bounds + GPU_ALIGN, sizeof(key) / 4);
  GPU_LAUNCH(begin_split, 1, SINGLE, state, 1);
  launch_level<KIND>((const key *)gpu_sort_array(run, sizeof(key), 0),
                     (key *)gpu_sort_array(run, sizeof(key), 1), state, 0,
                     (uint32_t)run->seed);
  GPU_LAUNCH((note_bounds<key>), 1, 32, state, bounds);
}

/* Everything in a partition is before all of the next ones. */
template <class KEY>
const char *check(const struct algo_run *run) {
  const KEY *keys = (const KEY *)gpu_sort_array(run, sizeof(KEY), 1);
  const uint32_t *bounds = bounds_of<KEY>(run);
  KEY most_before = 0, most = 0;
  if (!run->n) return nullptr;
  if (bounds[0] || bounds[PART_K] != run->n)
    return "the partitions are not of all keys";
  for (uint32_t p = 0; p < PART_K; p++, most_before = most) {
    if (bounds[p] > bounds[p + 1]) return "a partition ends before it begins";
    for (uint32_t i = bounds[p]; i < bounds[p + 1]; i++) {
      if (bounds[p] && keys[i] <= most_before)
        return "a key is not behind the partitions before";
      if (keys[i] > most) most = keys[i];
    }
  }
  return gpu_sort_check_same(run, sizeof(KEY));
}

}  // namespace

#define TITLE "k-partition"
#define SUMMARY "part in 16 by samples, in registers: keys"
GPU_SORT_ROW(k_partition, TITLE, SUMMARY " of 64 bits", "n", cpu_ops_linear,
             bytes<uint64_t>, part<keys64>, 64, check<uint64_t>, .data = "keys",
             .generators = cpu_keys_generators, .answer = gpu_sort_answer);
GPU_SORT_ROW(k_partition_32, TITLE ", 32 bits", SUMMARY " of 32 bits", "n",
             cpu_ops_linear, bytes<uint32_t>, part<keys32>, 32, check<uint32_t>,
             .data = NULL, .generators = cpu_keys_generators);
