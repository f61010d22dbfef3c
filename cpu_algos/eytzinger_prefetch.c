/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in an Eytzinger layout of n keys.
 * The tree is that of a heap (cpu_algos/eytzinger.h).  Whatever the next three
 * comparisons say, the line they lead to is known: it is prefetched, with its
 * translation, while those wait for theirs.  Four levels ahead are two lines,
 * twice the traffic for one that is needed: no faster (Zen 5). */
#include "cpu_algos/algo.h"
#include "cpu_algos/eytzinger.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"

static inline uint64_t position_of(const void *tree, uint64_t wanted) {
  return cpu_eytzinger_prefetched(tree, wanted);
}

static void search(struct algo_run *run) {
  const struct cpu_eytzinger tree = cpu_eytzinger_of(cpu_keys(run), run->n);
  run->result = cpu_queries_sum(run, position_of, &tree);
}

const struct algo cpu_algo_eytzinger_prefetch = {
    .name = "eytzinger_prefetch",
    .title = "Eytzinger search, prefetched",
    .summary = "eytzinger_search that prefetches three levels ahead",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_eytzinger_bytes,
    .setup = cpu_eytzinger_setup,
    .restore = NULL,
    .run = search,
    .check = cpu_queries_check,
    .data = "keys",
    .bytes_given = cpu_eytzinger_bytes_given,
    .answer = cpu_eytzinger_answer,
};
