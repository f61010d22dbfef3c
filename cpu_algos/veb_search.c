/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n searches for the keys of random positions in the van Emde Boas layout of n
 * keys (cpu_algos/veb.h; Jurkiewicz, PhD thesis, section 2.5).  The searches do
 * not depend on each other; nothing is done to interleave them. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"
#include "cpu_algos/veb.h"

static size_t bytes_given(const struct algo_data *given) {
  return cpu_queries_bytes(cpu_veb_bytes(given->count), given);
}

static void fill(struct algo_run *run, const struct cpu_queries *queries) {
  struct cpu_veb veb = cpu_veb_of(run->n);
  cpu_veb_fill(&veb, cpu_keys(run), cpu_queries_key_at, queries);
}

static void setup(struct algo_run *run) { cpu_queries_setup(run, fill); }

struct tree {
  struct cpu_veb veb;
  const uint64_t *words;
};

static inline uint64_t position_of(const void *tree, uint64_t wanted) {
  const struct tree *in = tree;
  return cpu_veb_position(&in->veb, in->words, wanted);
}

static void search(struct algo_run *run) {
  const struct tree tree = {cpu_veb_of(run->n), cpu_keys(run)};
  run->result = cpu_queries_sum(run, position_of, &tree);
}

static uint64_t same(const void *nothing, uint64_t position) {
  (void)nothing;
  return position;
}

/* The keys as they lie in memory, without the fillers.  A key may look like
 * one, a position does not: positions are laid out first. */
static void answer(const struct algo_run *run, struct algo_data *answer) {
  struct cpu_queries queries = cpu_queries_again(run);
  struct cpu_veb veb = cpu_veb_of(run->n);
  uint64_t *words = cpu_keys(run);
  cpu_veb_fill(&veb, words, same, NULL);
  *answer = (struct algo_data){.items = words};
  for (uint64_t i = 0; i < veb.words; i++)
    if (words[i] != UINT64_MAX)
      words[answer->count++] = cpu_queries_key_at(&queries, words[i]);
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
    .data = "keys",
    .bytes_given = bytes_given,
    .answer = answer,
};
