/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/graph.h"

#include <string.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

enum { LONGEST = 1000, DEGREE_FEW = 16, DEGREE_MOST = 4096 };

static struct cpu_graph_edge random_edge(const struct cpu_graph *graph,
                                         uint64_t i) {
  uint64_t bits = cpu_random_at(graph->seed, i);
  uint64_t from = cpu_random_take(&bits, graph->n);
  uint64_t to = cpu_random_take(&bits, graph->n - 1);
  to += to >= from; /* no loop */
  return (struct cpu_graph_edge){
      (uint32_t)from, (uint32_t)to,
      (int64_t)(cpu_random_take(&bits, LONGEST) + 1)};
}

/* Vertices on hills of random heights: the way up is longer, the way down is
 * shorter by as much, so a cycle is as long as on the plain. */
static int64_t height(const struct cpu_graph *graph, uint32_t vertex) {
  uint64_t bits = cpu_random_at(~graph->seed, vertex);
  return (int64_t)cpu_random_take(&bits, LONGEST);
}

static struct cpu_graph_edge hilly_edge(const struct cpu_graph *graph,
                                        uint64_t i) {
  struct cpu_graph_edge edge = random_edge(graph, i);
  edge.weight += height(graph, edge.to) - height(graph, edge.from);
  return edge;
}

/* Edge i belongs to vertex i / 4, and leads right, left, down or up; where
 * there is nothing, to the vertex before or behind it. */
static struct cpu_graph_edge grid_edge(const struct cpu_graph *graph,
                                       uint64_t i) {
  uint64_t from = i / 4, to, bits = cpu_random_at(graph->seed, i);
  const uint64_t steps[] = {from + 1, from - 1, from + graph->side,
                            from - graph->side};
  to = steps[i % 4];
  bool along = i % 4 < 2 && to / graph->side == from / graph->side;
  if (to >= graph->n || (i % 4 < 2 && !along))
    to = from + 1 < graph->n ? from + 1 : from - 1;
  return (struct cpu_graph_edge){
      (uint32_t)from, (uint32_t)to,
      (int64_t)(cpu_random_take(&bits, LONGEST) + 1)};
}

static const struct generator {
  const char *name;
  uint64_t degree;
  struct cpu_graph_edge (*edge)(const struct cpu_graph *graph, uint64_t i);
} generators[] = {
    {"degree-4", 4, random_edge},
    {"degree-1", 1, random_edge},
    {"degree-16", DEGREE_FEW, random_edge},
    {"grid", 4, grid_edge},
    {"degree-64", 64, random_edge},
    {"degree-256", 256, random_edge},
    {"degree-1024", 1024, random_edge},
    {"degree-4096", DEGREE_MOST, random_edge},
    {"negative", 4, hilly_edge},
};

const char *const cpu_graph_generators[] = {
    "degree-4",   "degree-1",    "degree-16",   "grid", "degree-64",
    "degree-256", "degree-1024", "degree-4096", NULL};
const char *const cpu_graph_generators_few[] = {"degree-4", "degree-1",
                                                "degree-16", "grid", NULL};
const char *const cpu_graph_generators_signed[] = {
    "degree-4",   "degree-1",    "degree-16",   "grid",     "degree-64",
    "degree-256", "degree-1024", "degree-4096", "negative", NULL};

/* Of no vertices or one there are none. */
static uint64_t edges_of(uint64_t n, uint64_t degree) {
  if (n < 2) return 0;
  return n * (degree < n - 1 ? degree : n - 1);
}

uint64_t cpu_graph_most(uint64_t n) { return edges_of(n, DEGREE_MOST); }

uint64_t cpu_graph_most_few(uint64_t n) { return edges_of(n, DEGREE_FEW); }

static const struct generator *generator_of(const struct algo_run *run) {
  const struct generator *generator = generators;
  while (run->generator && strcmp(generator->name, run->generator) != 0)
    generator++;
  return generator;
}

struct cpu_graph cpu_graph_of(const struct algo_run *run) {
  struct cpu_graph graph = {.n = run->n, .side = 1};
  if (run->given) {
    graph.m = run->given->count;
    graph.given = run->given->items;
    return graph;
  }
  const struct generator *generator = generator_of(run);
  graph.m = edges_of(run->n, generator->degree);
  graph.edge = generator->edge;
  graph.seed = cpu_keys_seed(run->seed, 0);
  while (graph.side * graph.side < graph.n) graph.side++;
  return graph;
}

static struct cpu_graph_edge edge_in(const struct cpu_graph *graph, bool turned,
                                     uint64_t i) {
  struct cpu_graph_edge edge = cpu_graph_edge_at(graph, i);
  return turned ? (struct cpu_graph_edge){edge.to, edge.from, edge.weight}
                : edge;
}

/* Offsets are where rows end at first; each edge, from the last on, goes before
 * the one that was placed last. */
void cpu_graph_rows(const struct cpu_graph *graph, bool turned,
                    uint32_t *offsets, uint32_t *ends, int32_t *weights) {
  uint32_t sum = 0;
  memset(offsets, 0, (graph->n + 1) * sizeof *offsets);
  for (uint64_t i = 0; i < graph->m; i++)
    offsets[edge_in(graph, turned, i).from]++;
  for (uint64_t u = 0; u <= graph->n; u++) offsets[u] = sum += offsets[u];
  for (uint64_t i = graph->m; i-- > 0;) {
    struct cpu_graph_edge edge = edge_in(graph, turned, i);
    uint32_t at = --offsets[edge.from];
    ends[at] = edge.to;
    weights[at] = (int32_t)edge.weight;
  }
}
