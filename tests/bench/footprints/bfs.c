/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/bench/footprints/footprints.h"

/* One that has edges. */
uint32_t bfs_source(const struct graph *graph, uint64_t i) {
  struct cpu_random random = {i << 32};
  uint32_t source;
  do source = (uint32_t)cpu_random_below(&random, graph->vertices);
  while (graph->offsets[source] == graph->offsets[source + 1]);
  return source;
}

static uint32_t *make_distances(uint32_t vertices) {
  return footprint_got(calloc(vertices, sizeof(uint32_t)));
}

static uint32_t *make_queue(uint32_t vertices) {
  return footprint_got(calloc(vertices, sizeof(uint32_t)));
}

/* Distances count from 1; 0: not reached. */
static uint64_t search_from(const struct graph *graph, uint32_t source,
                            uint32_t *distance, uint32_t *queue) {
  uint64_t sum = 0;
  uint32_t first = 0, last = 0;
  memset(distance, 0, graph->vertices * sizeof *distance);
  distance[source] = 1;
  queue[last++] = source;
  while (first < last) {
    uint32_t from = queue[first++];
    sum += distance[from] - 1;
    for (uint32_t e = graph->offsets[from]; e < graph->offsets[from + 1]; e++) {
      uint32_t to = graph->ends[e];
      if (distance[to]) continue;
      distance[to] = distance[from] + 1;
      queue[last++] = to;
    }
  }
  return sum;
}

uint64_t bfs(const struct graph *graph, uint64_t sources) {
  uint32_t *distance = make_distances(graph->vertices);
  uint32_t *queue = make_queue(graph->vertices);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < sources; i++)
    sum += search_from(graph, bfs_source(graph, i), distance, queue);
  free(distance);
  free(queue);
  return sum;
}
