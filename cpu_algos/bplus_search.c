/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in a static B+ tree of n keys
 * (cpu_algos/bplus.h).  The searches do not depend on each other; nothing is
 * done to interleave them. */
#include "cpu_algos/algo.h"
#include "cpu_algos/bplus.h"
#include "cpu_algos/bplus_avx2.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"

static void setup(struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  struct cpu_bplus tree = cpu_bplus_of(run->n);
  cpu_bplus_fill(&tree, cpu_keys(run), cpu_queries_key_at, &queries);
  cpu_queries_expect(run);
}

#if CPU_BPLUS_AVX2
CPU_AVX2 static uint64_t sum_by_avx2(const struct cpu_bplus_search *tree,
                                     const struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  uint64_t count = cpu_queries_count(run), sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t position = cpu_queries_next(&queries);
    uint64_t wanted = cpu_queries_key(&queries, position);
    sum += cpu_bplus_position_avx2(tree, wanted);
  }
  return sum;
}
#endif

static uint64_t sum_of_positions(const struct cpu_bplus_search *tree,
                                 const struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  uint64_t count = cpu_queries_count(run), sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t position = cpu_queries_next(&queries);
    sum += cpu_bplus_position(tree, cpu_queries_key(&queries, position));
  }
  return sum;
}

static void search(struct algo_run *run) {
  struct cpu_bplus tree = cpu_bplus_of(run->n);
  struct cpu_bplus_search search = cpu_bplus_search_of(&tree, cpu_keys(run));
#if CPU_BPLUS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) {
    run->result = sum_by_avx2(&search, run);
    return;
  }
#endif
  run->result = sum_of_positions(&search, run);
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
