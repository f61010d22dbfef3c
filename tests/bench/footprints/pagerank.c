/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

static uint64_t *make_ranks(uint32_t vertices) {
  return footprint_got(calloc(vertices, sizeof(uint64_t)));
}

static uint64_t *make_parts(uint32_t vertices) {
  return footprint_got(calloc(vertices, sizeof(uint64_t)));
}

uint64_t pagerank(const struct graph *graph, uint64_t iterations) {
  const uint64_t one = UINT64_C(1) << 32;
  uint64_t *rank = make_ranks(graph->vertices);
  uint64_t *part = make_parts(graph->vertices);
  for (uint32_t u = 0; u < graph->vertices; u++) rank[u] = one;
  for (uint64_t i = 0; i < iterations; i++) {
    for (uint32_t u = 0; u < graph->vertices; u++) {
      uint32_t degree = graph->offsets[u + 1] - graph->offsets[u];
      part[u] = degree ? rank[u] / degree : 0;
    }
    for (uint32_t u = 0; u < graph->vertices; u++) {
      uint64_t sum = 0;
      for (uint32_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
        sum += part[graph->ends[e]];
      rank[u] = one * 15 / 100 + sum / 100 * 85;
    }
  }
  uint64_t result = footprint_sum(rank, graph->vertices);
  free(rank);
  free(part);
  return result;
}
