/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/graph/gpu_edges.h"

#include <string.h>

#include "cpu_algos/graph_forest.h"

static uint64_t answer_words(uint64_t n, uint64_t m) { return n > m ? n : m; }

struct gpu_edges gpu_edges_of(const struct algo_run *run) {
  uint64_t n = run->n, m = cpu_graph_of(run).m, array = gpu_words_padded(m);
  uint32_t *memory = (uint32_t *)(void *)run->memory;
  struct gpu_edges edges = {.n = (uint32_t)n, .m = (uint32_t)m};
  edges.answer = memory;
  edges.from = memory + gpu_words_padded(answer_words(n, m));
  edges.to = edges.from + array;
  edges.weights = (int32_t *)(edges.to + array);
  edges.own = edges.to + 2 * array;
  return edges;
}

/* What check and answer have to themselves: 4 m + n words, at the end. */
static uint64_t scratch_words(uint64_t n, uint64_t m) {
  return 4 * gpu_words_padded(m) + gpu_words_padded(n);
}

static uint32_t *scratch_of(const struct algo_run *run) {
  return (uint32_t *)(void *)(run->memory + run->bytes) -
         scratch_words(run->n, cpu_graph_of(run).m);
}

size_t gpu_edges_bytes(uint64_t n, uint64_t m, uint64_t own) {
  if (n > GPU_WORDS_MAX || m > GPU_WORDS_MAX) return 0;
  uint64_t words = gpu_words_padded(answer_words(n, m)) +
                   3 * gpu_words_padded(m) + gpu_words_padded(own) +
                   scratch_words(n, m);
  return (size_t)words * sizeof(uint32_t);
}

void gpu_edges_restore(struct algo_run *run) {
  struct gpu_edges edges = gpu_edges_of(run);
  memset(edges.answer, 0xff,
         answer_words(edges.n, edges.m) * sizeof *edges.answer);
}

void gpu_edges_setup(struct algo_run *run) {
  struct gpu_edges edges = gpu_edges_of(run);
  struct cpu_graph graph = cpu_graph_of(run);
  memset(run->memory, 0, run->bytes);
  for (uint64_t i = 0; i < graph.m; i++) {
    struct cpu_graph_edge edge = cpu_graph_edge_at(&graph, i);
    edges.from[i] = edge.from;
    edges.to[i] = edge.to;
    edges.weights[i] = (int32_t)edge.weight;
  }
  gpu_edges_restore(run);
}

static bool are_there(const struct gpu_edges *edges,
                      const struct cpu_graph *graph) {
  bool same = true;
  for (uint64_t i = 0; i < graph->m; i++) {
    struct cpu_graph_edge edge = cpu_graph_edge_at(graph, i);
    same &= edges->from[i] == edge.from && edges->to[i] == edge.to &&
            edges->weights[i] == edge.weight;
  }
  return same;
}

const char *gpu_edges_check_components(const struct algo_run *run) {
  struct gpu_edges edges = gpu_edges_of(run);
  struct cpu_graph graph = cpu_graph_of(run);
  uint32_t *sets = scratch_of(run);
  if (!are_there(&edges, &graph)) return "the graph is altered";
  cpu_graph_components(&graph, sets);
  if (!run->n || !memcmp(sets, edges.answer, run->n * sizeof *sets))
    return NULL;
  return "a vertex is not told the least one of its component";
}

const char *gpu_edges_check_forest(const struct algo_run *run) {
  struct gpu_edges edges = gpu_edges_of(run);
  struct cpu_graph graph = cpu_graph_of(run);
  uint64_t array = gpu_words_padded(graph.m);
  uint64_t *order = (uint64_t *)(void *)scratch_of(run);
  uint32_t *chosen = (uint32_t *)(order + array), *sets = chosen + array;
  if (!are_there(&edges, &graph)) return "the graph is altered";
  uint64_t count = cpu_graph_forest(&graph, sets, order);
  memset(chosen, 0, graph.m * sizeof *chosen);
  for (uint64_t k = 0; k < count; k++) chosen[order[k]] = 1;
  if (!graph.m || !memcmp(chosen, edges.answer, graph.m * sizeof *chosen))
    return NULL;
  return "the edges are not those of the least spanning forest";
}

void gpu_edges_answer_components(const struct algo_run *run,
                                 struct algo_data *answer) {
  *answer =
      (struct algo_data){.count = run->n, .items = gpu_edges_of(run).answer};
}

/* A forest has fewer than n edges, and no more than m: 4 words each. */
void gpu_edges_answer_forest(const struct algo_run *run,
                             struct algo_data *answer) {
  struct gpu_edges edges = gpu_edges_of(run);
  struct cpu_graph graph = cpu_graph_of(run);
  struct cpu_graph_edge *found =
      (struct cpu_graph_edge *)(void *)scratch_of(run);
  *answer = (struct algo_data){.rows = run->n, .items = found};
  for (uint64_t i = 0; i < graph.m; i++)
    if (edges.answer[i]) found[answer->count++] = cpu_graph_edge_at(&graph, i);
}
