/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

static uint32_t *make_parents(uint32_t vertices) {
  return footprint_got(calloc(vertices, sizeof(uint32_t)));
}

/* Halves the path on the way. */
static uint32_t root_of(uint32_t *parent, uint32_t u) {
  while (parent[u] != u) u = parent[u] = parent[parent[u]];
  return u;
}

/* Roots are the least of their trees. */
static void unite(uint32_t *parent, uint32_t u, uint32_t v) {
  u = root_of(parent, u);
  v = root_of(parent, v);
  if (u < v)
    parent[v] = u;
  else
    parent[u] = v;
}

uint64_t components(const struct graph *graph, uint64_t times) {
  uint32_t *parent = make_parents(graph->vertices);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < times; i++) {
    for (uint32_t u = 0; u < graph->vertices; u++) parent[u] = u;
    for (uint32_t u = 0; u < graph->vertices; u++)
      for (uint32_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
        unite(parent, u, graph->ends[e]);
    for (uint32_t u = 0; u < graph->vertices; u++)
      if (parent[u] == u) sum += (UINT64_C(1) << 32) + u;
  }
  free(parent);
  return sum;
}
