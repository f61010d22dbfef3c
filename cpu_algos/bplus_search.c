/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in a static B+ tree of n keys
 * (cpu_algos/bplus.h).  The searches do not depend on each other; nothing is
 * done to interleave them. */
#include "cpu_algos/algo.h"
#include "cpu_algos/bplus.h"
#include "cpu_algos/bplus_avx2.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"

static size_t bytes_given(const struct algo_data *given) {
  return cpu_queries_bytes(cpu_bplus_bytes(given->count), given);
}

static void fill(struct algo_run *run, const struct cpu_queries *queries) {
  struct cpu_bplus tree = cpu_bplus_of(run->n);
  cpu_bplus_fill(&tree, cpu_keys(run), cpu_queries_key_at, queries);
}

static void setup(struct algo_run *run) { cpu_queries_setup(run, fill); }

static inline __attribute__((always_inline)) uint64_t position_of(
    const void *search, uint64_t wanted) {
  return cpu_bplus_position(search, wanted);
}

#if CPU_BPLUS_AVX2
CPU_AVX2 static inline uint64_t position_by_avx2(const void *search,
                                                 uint64_t wanted) {
  return cpu_bplus_position_avx2(search, wanted);
}

CPU_AVX2 static uint64_t sum_by_avx2(const struct algo_run *run,
                                     const struct cpu_bplus_search *search) {
  return cpu_queries_sum(run, position_by_avx2, search);
}
#endif

static void search(struct algo_run *run) {
  struct cpu_bplus tree = cpu_bplus_of(run->n);
  struct cpu_bplus_search search = cpu_bplus_search_of(&tree, cpu_keys(run));
#if CPU_BPLUS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) {
    run->result = sum_by_avx2(run, &search);
    return;
  }
#endif
  run->result = cpu_queries_sum(run, position_of, &search);
}

/* The leaves, without the last one's fillers. */
static void answer(const struct algo_run *run, struct algo_data *answer) {
  uint64_t *keys = cpu_keys(run);
  for (uint64_t i = 0; i < run->n; i++) keys[i] = cpu_bplus_key(keys[i]);
  cpu_keys_answer(run, answer);
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
    .data = "keys",
    .bytes_given = bytes_given,
    .answer = answer,
};
