/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank a list by following it once from its first element: the sequential
 * algorithm that parallel ones are measured against. */
#include <string.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/list_ranking.h"

void cpu_list_rank(const int64_t *successors, int64_t *ranks, uint64_t n) {
  uint64_t at = cpu_list_first(successors, n);
  for (uint64_t rank = n; rank-- > 0; at = (uint64_t)successors[at])
    ranks[at] = (int64_t)rank;
}

static size_t bytes(uint64_t n) { return cpu_keys_bytes(n, 2, 0); }

/* The workspace: successors, then ranks. */
static int64_t *successors_of(const struct algo_run *run) {
  return (int64_t *)(void *)run->memory;
}

static int64_t *ranks_of(const struct algo_run *run) {
  return successors_of(run) + run->n;
}

static void restore(struct algo_run *run) {
  memset(ranks_of(run), 0xff, run->n * sizeof(int64_t));
}

/* Where ranks are to come, the order is made first. */
static void setup(struct algo_run *run) {
  int64_t *successors = successors_of(run);
  uint64_t *order = cpu_keys(run) + run->n;
  cpu_list_order(run, order);
  cpu_list_expect(run, order);
  for (uint64_t i = 0; i < run->n; i++)
    successors[order[i]] = i + 1 < run->n ? (int64_t)order[i + 1] : -1;
  restore(run);
}

static void rank_list(struct algo_run *run) {
  cpu_list_rank(successors_of(run), ranks_of(run), run->n);
}

static const char *check(const struct algo_run *run) {
  uint64_t print = 0;
  for (uint64_t i = 0; i < run->n; i++)
    print += cpu_list_print(i, ranks_of(run)[i]);
  return cpu_list_differs(run, print);
}

static void answer(const struct algo_run *run, struct algo_data *ranks) {
  *ranks = (struct algo_data){.count = run->n, .items = ranks_of(run)};
}

const struct algo cpu_algo_list_ranking_seq = {
    .name = "list_ranking_seq",
    .title = "list ranking",
    .summary = "rank a list in random order, an array of successors",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = rank_list,
    .check = check,
    .data = "list",
    .refuse = cpu_list_refuse,
    .answer = answer,
};
