/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n binary searches for the keys of random positions in a sorted array of n
 * (Jurkiewicz, PhD thesis, section 2.1).  The searches do not depend on each
 * other; nothing is done to interleave them. */
#include "cpu_algos/algo.h"
#include "cpu_algos/branch.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"

/* Keys in a page of 4 KiB. */
enum { NEAR_KEYS = 512 };

struct array {
  const uint64_t *keys;
  uint64_t n, first_step; /* the largest power of two that is at most n */
};

/*
 * The first position of `wanted`, which is there, in steps of powers of two.
 *
 * Far steps branch, so that a guess half right lets the next miss start early.
 * Within a page there is little to wait for: there a mispredicted branch would
 * only throw away the next search, begun meanwhile, so none is made.  On a KVM
 * guest of Emerald Rapids at 2^27 keys: 24 ns per operation, 37 with branches
 * only (also std::lower_bound), 38 without any; at 2^24 15, 24 and 21.
 */
static inline uint64_t position_of(const void *array, uint64_t wanted) {
  const struct array *all = array;
  const uint64_t *keys = all->keys;
  uint64_t step = all->first_step;
  uint64_t position = cpu_select_less(keys[step - 1], wanted, all->n - step, 0);
  for (step /= 2; step >= NEAR_KEYS; step /= 2) {
    if (keys[position + step - 1] < wanted) {
      CPU_BRANCH();
      position += step;
    }
  }
  for (; step > 0; step /= 2)
    position = cpu_select_less(keys[position + step - 1], wanted,
                               position + step, position);
  return position;
}

static void search(struct algo_run *run) {
  const uint64_t n = run->n;
  const struct array array = {cpu_keys(run), n,
                              n ? UINT64_C(1) << (63 - __builtin_clzll(n)) : 0};
  run->result = cpu_queries_sum(run, position_of, &array);
}

const struct algo cpu_algo_binary_search = {
    .name = "binary_search",
    .title = "binary search",
    .summary = "n random binary searches in a sorted array of n",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_keys_array_bytes,
    .setup = cpu_queries_setup_array,
    .restore = NULL,
    .run = search,
    .check = cpu_queries_check,
    .data = "keys",
    .bytes_given = cpu_queries_bytes_array,
    .answer = cpu_keys_answer,
    .tunes = "binary_search_plain",
};
