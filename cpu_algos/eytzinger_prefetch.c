/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in an Eytzinger layout of n keys.
 * The tree is that of a heap (cpu_algos/eytzinger.h).  Whatever the next four
 * comparisons say, the two lines they lead to are known: they are prefetched,
 * with their translation, while those wait for theirs. */
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
    sum += cpu_eytzinger_prefetched(&keys, wanted);
  }
  run->result = sum;
}

const struct algo cpu_algo_eytzinger_prefetch = {
    .name = "eytzinger_prefetch",
    .title = "Eytzinger search, prefetched",
    .summary = "eytzinger_search that prefetches four levels ahead",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_eytzinger_bytes,
    .setup = cpu_eytzinger_setup,
    .restore = NULL,
    .run = search,
    .check = cpu_queries_check,
};
