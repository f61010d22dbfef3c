/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kronecker graphs: an edge chooses, once for each bit of its two vertices, one
 * of four quarters of the matrix.  Graph500's chances are .57, .19, .19 and
 * .05; here they are the nearest of 256. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/footprints/footprints.h"

enum { UPPER_LEFT = 146, UPPER_RIGHT = 195, LOWER_LEFT = 244 };
static const char mark[8] = "vatgraph";

/* So that vertices of many edges do not lie together: a bijection. */
static uint32_t renamed(uint64_t vertex, uint64_t lg) {
  const uint64_t mask = (UINT64_C(1) << lg) - 1;
  for (int i = 0; i < 2; i++) {
    vertex = vertex * UINT64_C(0x9e3779b97f4a7c15) & mask;
    vertex ^= vertex >> (lg + 1) / 2;
  }
  return (uint32_t)vertex;
}

void kronecker_edge(uint64_t lg, uint64_t i, uint32_t *from, uint32_t *to) {
  uint64_t row = 0, column = 0, bits = 0;
  for (uint64_t level = 0; level < lg; level++) {
    if (level % 8 == 0) bits = cpu_random_at(8, i * 4 + level / 8);
    const unsigned drawn = bits & 255;
    row = row << 1 | (drawn >= UPPER_RIGHT);
    column = column << 1 | ((drawn >= UPPER_LEFT && drawn < UPPER_RIGHT) |
                            (drawn >= LOWER_LEFT));
    bits >>= 8;
  }
  *from = renamed(row, lg);
  *to = renamed(column, lg);
}

static uint32_t *make_offsets(uint32_t vertices) {
  return footprint_got(calloc((size_t)vertices + 2, sizeof(uint32_t)));
}

static uint32_t *make_ends(size_t count) {
  return footprint_got(calloc(count, sizeof(uint32_t)));
}

/* Counted two places on: sums are then one place on, and filling in moves each
 * to where the next begins. */
void graph_make(struct graph *graph, uint64_t lg, uint64_t degree) {
  const uint64_t edges = degree << lg;
  uint32_t from, to;
  graph->vertices = (uint32_t)1 << lg;
  graph->offsets = make_offsets(graph->vertices);
  uint32_t *after = graph->offsets + 2;
  for (uint64_t i = 0; i < edges; i++) {
    kronecker_edge(lg, i, &from, &to);
    after[from]++;
    after[to]++;
  }
  for (uint32_t u = 1; u < graph->vertices; u++) after[u] += after[u - 1];
  graph->ends = make_ends(2 * edges);
  for (uint64_t i = 0; i < edges; i++) {
    kronecker_edge(lg, i, &from, &to);
    graph->ends[graph->offsets[from + 1]++] = to;
    graph->ends[graph->offsets[to + 1]++] = from;
  }
}

void graph_free(struct graph *graph) {
  free(graph->offsets);
  free(graph->ends);
}

static void fail(const char *path, const char *why) {
  fprintf(stderr, "footprints: %s: %s\n", path, why);
  exit(1);
}

uint64_t kronecker(uint64_t lg, uint64_t degree) {
  struct graph graph;
  if (lg > 30 || degree << lg >= UINT64_C(1) << 31)
    fail("kronecker", "must have fewer than 2^31 edges");
  graph_make(&graph, lg, degree);
  size_t offsets = (size_t)graph.vertices + 1;
  size_t ends = graph.offsets[graph.vertices];
  if (fwrite(mark, sizeof mark, 1, stdout) != 1 ||
      fwrite(&graph.vertices, sizeof graph.vertices, 1, stdout) != 1 ||
      fwrite(graph.offsets, sizeof(uint32_t), offsets, stdout) != offsets ||
      fwrite(graph.ends, sizeof(uint32_t), ends, stdout) != ends ||
      fflush(stdout))
    fail("stdout", "cannot be written");
  graph_free(&graph);
  return ends;
}

void graph_read(struct graph *graph, const char *path) {
  char begin[sizeof mark];
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be opened");
  if (fread(begin, sizeof begin, 1, file) != 1 ||
      memcmp(begin, mark, sizeof mark) ||
      fread(&graph->vertices, sizeof graph->vertices, 1, file) != 1)
    fail(path, "is not a graph; fix: footprints kronecker 22 16 >GRAPH");
  size_t offsets = (size_t)graph->vertices + 1;
  graph->offsets = make_offsets(graph->vertices);
  if (fread(graph->offsets, sizeof(uint32_t), offsets, file) != offsets)
    fail(path, "ends too early");
  size_t ends = graph->offsets[graph->vertices];
  if (!ends) fail(path, "has no edges");
  graph->ends = make_ends(ends);
  if (fread(graph->ends, sizeof(uint32_t), ends, file) != ends)
    fail(path, "ends too early");
  fclose(file);
}
