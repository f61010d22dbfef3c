/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floyd's algorithm (Floyd: Algorithm 97, CACM 5(6), 1962): paths through
 * vertex 0, then through 0 and 1, and so on, in place. */
#include "cpu_algos/algo.h"
#include "cpu_algos/apsp.h"
#include "cpu_algos/graph.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

void cpu_apsp_floyd(int32_t *distances, uint64_t n) {
  for (uint64_t k = 0; k < n; k++) {
    const int32_t *from_k = distances + k * n;
    for (uint64_t i = 0; i < n; i++) {
      int32_t *from_i = distances + i * n, to_k = from_i[k];
      if (to_k == CPU_APSP_NONE) continue;
      for (uint64_t j = 0; j < n; j++) {
        int32_t length = to_k + from_k[j];
        from_i[j] = length < from_i[j] ? length : from_i[j];
      }
    }
  }
}

/*
 * The graph: four times a vertex gets an edge from a random one, or, half of
 * the time, none.  So most vertices can reach most others, some none and some
 * be reached by none.
 */
enum { EDGES = 4, LONGEST = 1000 };

struct edge {
  uint64_t from;
  int32_t length; /* CPU_APSP_NONE: there is no edge */
};

static struct edge edge_to(uint64_t to, unsigned number, uint64_t n,
                           uint64_t seed) {
  uint64_t bits = cpu_random_at(seed, EDGES * to + number);
  struct edge edge = {cpu_random_take(&bits, n), CPU_APSP_NONE};
  uint64_t length = cpu_random_take(&bits, 2 * LONGEST);
  if (length < LONGEST && edge.from != to) edge.length = (int32_t)length + 1;
  return edge;
}

static int32_t *distances_of(const struct algo_run *run) {
  return (int32_t *)(void *)run->memory;
}

static size_t bytes(uint64_t n) {
  uint64_t bytes;
  if (__builtin_mul_overflow(n, n, &bytes) ||
      __builtin_mul_overflow(bytes, sizeof(int32_t), &bytes) ||
      bytes > PTRDIFF_MAX)
    return 0;
  return n > 1 ? (size_t)bytes : sizeof(uint64_t);
}

static double ram_ops(uint64_t n) {
  return n > 1 ? (double)n * (double)n * (double)n : 1.0;
}

static void restore(struct algo_run *run) {
  int32_t *distances = distances_of(run);
  const uint64_t n = run->n;
  if (run->given) {
    cpu_apsp_restore_given(run);
    return;
  }
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < n; j++)
      distances[i * n + j] = i == j ? 0 : CPU_APSP_NONE;
  for (uint64_t to = 0; to < n; to++)
    for (unsigned number = 0; number < EDGES; number++) {
      struct edge edge = edge_to(to, number, n, run->fingerprint[0]);
      int32_t *distance = &distances[edge.from * n + to];
      if (edge.length < *distance) *distance = edge.length;
    }
}

/* The fingerprint is what the edges are made of. */
static void setup(struct algo_run *run) {
  run->fingerprint[0] = cpu_keys_seed(run->seed, 0);
  run->fingerprint[1] = 0;
  restore(run);
}

static void floyd(struct algo_run *run) {
  cpu_apsp_floyd(distances_of(run), run->n);
}

/*
 * Bellman's equations: the distance to a vertex is the least, over the edges
 * to it, of that to the edge's begin and its length.  As no edge is of length
 * 0, nothing but the shortest paths solves them, from each source by itself.
 */
static int32_t nearest(const struct algo_run *run, const int32_t *distances,
                       uint64_t to) {
  int32_t least = CPU_APSP_NONE;
  for (unsigned number = 0; number < EDGES; number++) {
    struct edge edge = edge_to(to, number, run->n, run->fingerprint[0]);
    int64_t length = (int64_t)distances[edge.from] + edge.length;
    if (length < least) least = (int32_t)length;
  }
  return least;
}

static const char *check(const struct algo_run *run) {
  static const char wrong[] = "a distance is not that of the shortest path";
  const uint64_t n = run->n;
  if (run->given) return cpu_apsp_right_given(run) ? NULL : wrong;
  for (uint64_t i = 0; i < n; i++) {
    const int32_t *distances = distances_of(run) + i * n;
    for (uint64_t j = 0; j < n; j++)
      if (distances[j] < 0 ||
          distances[j] != (i == j ? 0 : nearest(run, distances, j)))
        return wrong;
  }
  return NULL;
}

static void answer(const struct algo_run *run, struct algo_data *answer) {
  *answer = (struct algo_data){
      .count = run->n * run->n, .rows = run->n, .items = distances_of(run)};
}

const struct algo cpu_algo_apsp_floyd = {
    .name = "apsp_floyd",
    .title = "all pairs' shortest paths, Floyd",
    .summary = "shortest paths between all of n vertices, a dense matrix",
    .device = "cpu",
    .complexity = "n^3",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = floyd,
    .check = check,
    .data = "graph-distances",
    .bytes_given = cpu_apsp_bytes_given,
    .refuse = cpu_graph_refuse_negative,
    .answer = answer,
};
