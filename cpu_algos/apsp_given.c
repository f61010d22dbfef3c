/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances in a graph from outside, where edges may be of length 0. */
#include <string.h>

#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"

/* In whole words of 64 bits. */
size_t cpu_apsp_bytes_given(const struct algo_data *given) {
  uint64_t words, n = given->rows, m = given->count;
  if (n > UINT32_MAX || m > UINT32_MAX || __builtin_mul_overflow(n, n, &words))
    return 0;
  if (__builtin_add_overflow(words, 3 * n + 2 * m + 2, &words) ||
      words > PTRDIFF_MAX / sizeof(uint32_t))
    return 0;
  return (size_t)(words & ~UINT64_C(1)) * sizeof(uint32_t);
}

void cpu_apsp_restore_given(struct algo_run *run) {
  int32_t *distances = (int32_t *)(void *)run->memory;
  const struct cpu_graph_edge *edges = run->given->items;
  const uint64_t n = run->n;
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < n; j++)
      distances[i * n + j] = i == j ? 0 : CPU_APSP_NONE;
  for (uint64_t i = 0; i < run->given->count; i++) {
    int32_t *distance = &distances[edges[i].from * n + edges[i].to];
    if (edges[i].weight < *distance) *distance = (int32_t)edges[i].weight;
  }
}

/*
 * From a source, along edges that are as long as the distances of their ends
 * are apart.  A vertex that is reached has a path of its distance, and no edge
 * from there makes a shorter one; where there is no cycle of negative length
 * these are the distances.  All others have none.  `queue` has n words, `seen`
 * n, 0 at first and again behind.
 */
static bool are_from(const struct cpu_apsp_rows *rows, const int32_t *distances,
                     uint32_t n, uint32_t source, uint32_t *queue,
                     uint32_t *seen) {
  uint32_t head = 0, tail = 0;
  bool right = distances[source] == 0;
  queue[tail++] = source;
  seen[source] = 1;
  while (right && head < tail) {
    uint32_t u = queue[head++];
    for (uint32_t i = rows->offsets[u]; i < rows->offsets[u + 1]; i++) {
      uint32_t v = rows->ends[i];
      int64_t length = (int64_t)distances[u] + rows->weights[i];
      right &= length >= distances[v];
      if (length != distances[v] || seen[v]) continue;
      seen[v] = 1;
      queue[tail++] = v;
    }
  }
  for (uint32_t v = 0; v < n; v++) {
    right &= seen[v] || distances[v] == CPU_APSP_NONE;
    seen[v] = 0;
  }
  return right;
}

bool cpu_apsp_are_shortest(const struct cpu_apsp_rows *rows,
                           const int32_t *distances, uint32_t n,
                           uint32_t *scratch) {
  uint32_t *seen = scratch + n;
  memset(seen, 0, n * sizeof *seen);
  for (uint32_t i = 0; i < n; i++)
    if (!are_from(rows, distances + (uint64_t)i * n, n, i, scratch, seen))
      return false;
  return true;
}

/* Behind the distances: the edges in rows, and 2 n words. */
bool cpu_apsp_right_given(const struct algo_run *run) {
  const int32_t *distances = (const int32_t *)(const void *)run->memory;
  const struct cpu_graph graph = cpu_graph_of(run);
  uint64_t n = run->n, m = run->given->count;
  if (!n) return true;
  uint32_t *offsets = (uint32_t *)(void *)run->memory + n * n;
  uint32_t *ends = offsets + n + 1;
  int32_t *weights = (int32_t *)(void *)(ends + m);
  const struct cpu_apsp_rows rows = {offsets, ends, weights};
  cpu_graph_rows(&graph, false, offsets, ends, weights);
  return cpu_apsp_are_shortest(&rows, distances, (uint32_t)n, ends + 2 * m);
}
