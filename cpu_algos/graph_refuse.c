/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which graphs from outside there are no shortest paths in, or none that 32
 * bits can hold.  Vertices are told as files have them, counted from 1. */
#include <inttypes.h>
#include <stdlib.h>

#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"
#include "cpu_algos/say.h"

static const char *say_edge(const struct cpu_graph_edge *edge,
                            const char *what) {
  return cpu_say(
      "the edge from %" PRIu64 " to %" PRIu64 " has length %" PRId64 "%s",
      edge->from + UINT64_C(1), edge->to + UINT64_C(1), edge->weight, what);
}

/* The first edge whose length is not from `least` to `most`; NULL: none. */
static const struct cpu_graph_edge *outside(const struct algo_data *given,
                                            int64_t least, int64_t most) {
  const struct cpu_graph_edge *edges = given->items;
  for (uint64_t i = 0; i < given->count; i++)
    if (edges[i].weight < least || edges[i].weight > most) return &edges[i];
  return NULL;
}

/* A path visits no vertex twice. */
static const char *refuse_long(const struct algo_data *given) {
  int64_t most = (CPU_APSP_NONE / 2 - 1) / (int64_t)(given->rows + 1);
  const struct cpu_graph_edge *edge = outside(given, -most, most);
  return edge ? say_edge(edge,
                         "; of so many vertices paths may get longer "
                         "than 2^29 then")
              : NULL;
}

const char *cpu_graph_refuse_wide(const struct algo_data *given) {
  const struct cpu_graph_edge *edge = outside(given, INT32_MIN, INT32_MAX);
  return edge ? say_edge(edge, ", and 32 bits are the most") : NULL;
}

const char *cpu_graph_refuse_negative(const struct algo_data *given) {
  const struct cpu_graph_edge *edge = outside(given, 0, INT64_MAX);
  if (edge)
    return say_edge(edge, ": it takes no negative ones; bellman_ford does");
  return refuse_long(given);
}

/* Bellman and Ford, from all vertices at once.  What is still made shorter in
 * round n is behind a cycle of negative length. */
static uint64_t behind_cycle(const struct algo_data *given,
                             int64_t *distances) {
  const struct cpu_graph_edge *edges = given->items;
  uint64_t changed = UINT64_MAX;
  for (uint64_t round = 0; round < given->rows; round++) {
    changed = UINT64_MAX;
    for (uint64_t i = 0; i < given->count; i++) {
      int64_t length = distances[edges[i].from] + edges[i].weight;
      if (length >= distances[edges[i].to]) continue;
      distances[edges[i].to] = length;
      changed = edges[i].to;
    }
    if (changed == UINT64_MAX) break;
  }
  return changed;
}

const char *cpu_graph_refuse_cycles(const struct algo_data *given) {
  const char *why = refuse_long(given);
  if (why || !outside(given, 0, INT64_MAX)) return why;
  int64_t *distances = calloc(given->rows, sizeof *distances);
  if (!distances) return "there is no memory left to check the graph";
  uint64_t vertex = behind_cycle(given, distances);
  free(distances);
  if (vertex == UINT64_MAX) return NULL;
  return cpu_say("a cycle of negative length leads to vertex %" PRIu64
                 ", so no path there is the shortest",
                 vertex + 1);
}
