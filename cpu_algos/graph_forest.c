/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/graph_forest.h"

#include "cpu_algos/quick.h"

/* The root; the way there is halved for the next one. */
static uint32_t root_of(uint32_t *sets, uint32_t vertex) {
  while (sets[vertex] != vertex) vertex = sets[vertex] = sets[sets[vertex]];
  return vertex;
}

/* Make one of the sets of both ends; false: it was. */
static bool unite(uint32_t *sets, struct cpu_graph_edge edge) {
  uint32_t a = root_of(sets, edge.from), b = root_of(sets, edge.to);
  if (a == b) return false;
  sets[a < b ? b : a] = a < b ? a : b;
  return true;
}

static void begin(const struct cpu_graph *graph, uint32_t *sets) {
  for (uint64_t v = 0; v < graph->n; v++) sets[v] = (uint32_t)v;
}

void cpu_graph_components(const struct cpu_graph *graph, uint32_t *sets) {
  begin(graph, sets);
  for (uint64_t i = 0; i < graph->m; i++)
    unite(sets, cpu_graph_edge_at(graph, i));
  for (uint64_t v = 0; v < graph->n; v++) sets[v] = sets[sets[v]];
}

uint64_t cpu_graph_forest(const struct cpu_graph *graph, uint32_t *sets,
                          uint64_t *order) {
  uint64_t count = 0;
  begin(graph, sets);
  for (uint64_t i = 0; i < graph->m; i++) {
    int64_t above = cpu_graph_edge_at(graph, i).weight - INT32_MIN;
    order[i] = (uint64_t)above << 32 | i;
  }
  cpu_quick_sort(order, graph->m);
  for (uint64_t k = 0; k < graph->m; k++) {
    uint64_t i = (uint32_t)order[k];
    if (unite(sets, cpu_graph_edge_at(graph, i))) order[count++] = i;
  }
  return count;
}
