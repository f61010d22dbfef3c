/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in the van Emde Boas layout of n
 * keys (cpu_algos/veb.h; Jurkiewicz, PhD thesis, section 2.5).  The searches do
 * not depend on each other; nothing is done to interleave them. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"
#include "cpu_algos/veb.h"

static void setup(struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  struct cpu_veb veb = cpu_veb_of(run->n);
  cpu_veb_fill(&veb, cpu_keys(run), cpu_queries_key_at, &queries);
  cpu_queries_expect(run);
}

static void search(struct algo_run *run) {
  struct cpu_queries queries = cpu_queries_of(run->n, run->seed);
  struct cpu_veb veb = cpu_veb_of(run->n);
  const uint64_t *words = cpu_keys(run);
  uint64_t count = cpu_queries_count(run), sum = 0;
  for (uint64_t i = 0; i < count; i++) {
    uint64_t position = cpu_queries_next(&queries);
    sum += cpu_veb_position(&veb, words, cpu_queries_key(&queries, position));
  }
  run->result = sum;
}

const struct algo cpu_algo_veb_search = {
    .name = "veb_search",
    .title = "van Emde Boas search",
    .summary = "n random searches in the van Emde Boas layout",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_veb_bytes,
    .setup = setup,
    .restore = NULL,
    .run = search,
    .check = cpu_queries_check,
};
