/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances in a graph from outside, where edges may be of length 0. */
#include <string.h>

#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"

/* Behind the distances: the edges in rows, and a queue, for check. */
struct scratch {
  uint32_t *offsets, *ends; /* n + 1, m */
  int32_t *weights;         /* m */
  uint32_t *queue, *seen;   /* n each */
};

static struct scratch scratch_of(const struct algo_run *run) {
  uint64_t n = run->n, m = run->given->count;
  struct scratch s;
  s.offsets = (uint32_t *)(void *)run->memory + n * n;
  s.ends = s.offsets + n + 1;
  s.weights = (int32_t *)(void *)(s.ends + m);
  s.queue = s.ends + 2 * m;
  s.seen = s.queue + n;
  return s;
}

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
 * from there makes a shorter one, so that it is the shortest; all others have
 * none.  s->seen is 0 at first and again behind.
 */
static bool are_shortest(const struct scratch *s, const int32_t *distances,
                         uint32_t n, uint32_t source) {
  uint32_t head = 0, tail = 0;
  bool right = distances[source] == 0;
  s->queue[tail++] = source;
  s->seen[source] = 1;
  while (right && head < tail) {
    uint32_t u = s->queue[head++];
    for (uint32_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) {
      uint32_t v = s->ends[i];
      int64_t length = (int64_t)distances[u] + s->weights[i];
      right &= length >= distances[v];
      if (length != distances[v] || s->seen[v]) continue;
      s->seen[v] = 1;
      s->queue[tail++] = v;
    }
  }
  for (uint32_t v = 0; v < n; v++) {
    right &= s->seen[v] || distances[v] == CPU_APSP_NONE;
    s->seen[v] = 0;
  }
  return right;
}

bool cpu_apsp_right_given(const struct algo_run *run) {
  const int32_t *distances = (const int32_t *)(const void *)run->memory;
  const struct scratch s = scratch_of(run);
  const struct cpu_graph graph = cpu_graph_of(run);
  if (!run->n) return true;
  cpu_graph_rows(&graph, false, s.offsets, s.ends, s.weights);
  memset(s.seen, 0, run->n * sizeof *s.seen);
  for (uint32_t i = 0; i < run->n; i++)
    if (!are_shortest(&s, distances + i * run->n, (uint32_t)run->n, i))
      return false;
  return true;
}
