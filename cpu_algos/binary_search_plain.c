/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n plain binary searches for random positions in a sorted array of n, as
 * Jurkiewicz, PhD thesis, section 2.4 analyses them: the search tree's root is
 * the middle key, its children are the middle ones of both halves, and so on;
 * for n a power of two less one it is complete.  Each search goes down to a
 * leaf whatever it met on the way.  binary_search.c is the tuned one. */
#include "cpu_algos/algo.h"
#include "cpu_algos/branch.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"

struct array {
  const uint64_t *keys;
  uint64_t n;
};

/* The first position of `wanted`, which is there.  It branches, as compilers
 * made such a loop then; today's choose, each differently. */
static inline uint64_t position_of(const void *array, uint64_t wanted) {
  const struct array *all = array;
  uint64_t low = 0, high = all->n;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (all->keys[middle] < wanted) {
      CPU_BRANCH();
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void search(struct algo_run *run) {
  const struct array array = {cpu_keys(run), run->n};
  run->result = cpu_queries_sum(run, position_of, &array);
}

const struct algo cpu_algo_binary_search_plain = {
    .name = "binary_search_plain",
    .title = "plain binary search",
    .summary = "n random binary searches by halves, as the thesis does",
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
};
