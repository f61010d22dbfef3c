/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in a static B+ tree of n keys
 * (cpu_algos/bplus.h).  The searches do not depend on each other; nothing is
 * done to interleave them. */
#include "cpu_algos/algo.h"
#include "cpu_algos/bplus.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"
#include "cpu_algos/widths.h"

static void setup(struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  struct cpu_bplus tree = cpu_bplus_of(run->n);
  cpu_bplus_fill(&tree, cpu_keys(run), cpu_queries_key_at, &queries);
  cpu_queries_expect(run);
}

CPU_EACH_WIDTH
static uint64_t sum_of_positions(const struct cpu_bplus *tree,
                                 const struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  uint64_t count = cpu_queries_count(run), sum = 0;
  const uint64_t *keys = cpu_keys(run);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t position = cpu_queries_next(&queries);
    sum += cpu_bplus_position(tree, keys, cpu_queries_key(&queries, position));
  }
  return sum;
}

static void search(struct algo_run *run) {
  struct cpu_bplus tree = cpu_bplus_of(run->n);
  run->result = sum_of_positions(&tree, run);
}

const struct algo cpu_algo_bplus_search = {
    .name = "bplus_search",
    .title = "B+ tree search",
    .summary = "n random searches in a static B+ tree, 16 keys a node",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_bplus_bytes,
    .setup = setup,
    .restore = NULL,
    .run = search,
    .check = cpu_queries_check,
};
