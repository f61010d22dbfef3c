/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank a list whose nodes were allocated one by one, in the order of their
 * numbers, and point at each other: what a program full of pointers does. */
#include "cpu_algos/keys.h"
#include "cpu_algos/list_ranking.h"

void cpu_list_rank_nodes(struct cpu_list_node *first, uint64_t n) {
  for (struct cpu_list_node *node = first; node && n; node = node->next)
    node->rank = (int64_t)--n;
}

/* The workspace: the first node, each element's node, room for numbers, and
 * nodes, where they are not allocated elsewhere. */
struct layout {
  struct cpu_list_node **first, **nodes;
  uint64_t *numbers;
  struct cpu_list_node *room;
};

static size_t bytes(uint64_t n) { return cpu_keys_bytes(n, 4, 1); }

static struct layout layout_of(const struct algo_run *run) {
  struct layout at;
  at.first = (struct cpu_list_node **)(void *)run->memory;
  at.nodes = at.first + 1;
  at.numbers = cpu_keys(run) + 1 + run->n;
  at.room = (struct cpu_list_node *)(void *)(at.numbers + run->n);
  return at;
}

static struct cpu_list_node *allocate(const struct algo_run *run, uint64_t i) {
  const struct algo_allocator *from = run->allocator;
  if (!from) return layout_of(run).room + i;
  return from->allocate(from->context, sizeof(struct cpu_list_node));
}

/* False where memory ran out: then there is no list. */
static bool make_nodes(const struct algo_run *run) {
  struct layout at = layout_of(run);
  for (uint64_t i = 0; i < run->n; i++) {
    at.nodes[i] = allocate(run, i);
    if (!at.nodes[i]) return false;
    at.nodes[i]->next = NULL;
    at.nodes[i]->rank = -1;
  }
  return true;
}

static void setup(struct algo_run *run) {
  struct layout at = layout_of(run);
  const uint64_t *order = at.numbers;
  cpu_list_order(run, at.numbers);
  cpu_list_expect(run, order);
  *at.first = NULL;
  if (!run->n || !make_nodes(run)) return;
  *at.first = at.nodes[order[0]];
  for (uint64_t i = 1; i < run->n; i++)
    at.nodes[order[i - 1]]->next = at.nodes[order[i]];
}

static void restore(struct algo_run *run) {
  struct layout at = layout_of(run);
  for (uint64_t i = 0; *at.first && i < run->n; i++) at.nodes[i]->rank = -1;
}

static void rank_nodes(struct algo_run *run) {
  cpu_list_rank_nodes(*layout_of(run).first, run->n);
}

static const char *check(const struct algo_run *run) {
  struct layout at = layout_of(run);
  uint64_t print = 0;
  if (run->n && !*at.first) return "there was no memory for its nodes";
  for (uint64_t i = 0; i < run->n; i++)
    print += cpu_list_print(i, at.nodes[i]->rank);
  return cpu_list_differs(run, print);
}

static void answer(const struct algo_run *run, struct algo_data *ranks) {
  struct layout at = layout_of(run);
  for (uint64_t i = 0; i < run->n; i++)
    at.numbers[i] = (uint64_t)at.nodes[i]->rank;
  *ranks = (struct algo_data){.count = run->n, .items = at.numbers};
}

const struct algo cpu_algo_list_ranking_nodes = {
    .name = "list_ranking_nodes",
    .title = "list ranking, nodes",
    .summary = "rank a list in random order, nodes allocated one by one",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = rank_nodes,
    .check = check,
    .data = "list",
    .refuse = cpu_list_refuse,
    .answer = answer,
    .allocates = true,
};
