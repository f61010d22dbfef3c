/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in an Eytzinger layout of n keys.
 * The tree is that of a heap (cpu_algos/eytzinger.h); the searches do not
 * depend on each other, and nothing is done to interleave them or to prefetch.
 */
#include "cpu_algos/algo.h"
#include "cpu_algos/eytzinger.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"

static void search(struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  struct cpu_eytzinger keys = cpu_eytzinger_of(cpu_keys(run), run->n);
  uint64_t count = cpu_queries_count(run), sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t position = cpu_queries_next(&queries);
    uint64_t wanted = cpu_queries_key(&queries, position);
    sum += cpu_eytzinger_position(&keys, wanted);
  }
  run->result = sum;
}

const struct algo cpu_algo_eytzinger_search = {
    .name = "eytzinger_search",
    .title = "Eytzinger search",
    .summary = "n random searches in keys in the order of a binary heap",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_eytzinger_bytes,
    .setup = cpu_eytzinger_setup,
    .restore = NULL,
    .run = search,
    .check = cpu_queries_check,
};
