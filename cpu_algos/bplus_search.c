/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in a static B+ tree of n keys
 * (cpu_algos/bplus.h).  The searches do not depend on each other; nothing is
 * done to interleave them. */
#include "cpu_algos/algo.h"
#include "cpu_algos/bplus.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"
#include "cpu_algos/widths.h"

static size_t bytes_given(const struct algo_data *given) {
  return cpu_queries_bytes(cpu_bplus_bytes(given->count), given);
}

static void fill(struct algo_run *run, const struct cpu_queries *queries) {
  struct cpu_bplus tree = cpu_bplus_of(run->n);
  cpu_bplus_fill(&tree, cpu_keys(run), cpu_queries_key_at, queries);
}

static void setup(struct algo_run *run) { cpu_queries_setup(run, fill); }

struct search {
  const struct cpu_bplus *tree;
  const uint64_t *keys;
};

static inline __attribute__((always_inline)) uint64_t position_of(
    const void *search, uint64_t wanted) {
  const struct search *in = search;
  return cpu_bplus_position(in->tree, in->keys, wanted);
}

CPU_EACH_WIDTH
static uint64_t sum_of_positions(const struct cpu_bplus *tree,
                                 const struct algo_run *run) {
  const struct search search = {tree, cpu_keys(run)};
  return cpu_queries_sum(run, position_of, &search);
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
    .data = "keys",
    .bytes_given = bytes_given,
    .answer = cpu_keys_answer, /* the leaves, without the last one's fillers */
};
