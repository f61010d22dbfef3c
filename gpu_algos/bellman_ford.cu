/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All pairs' shortest paths by the algorithm of Bellman and Ford, once for each
 * source, by a block of threads: L. Ma, PhD thesis, 2014, section 4.1.4.
 *
 * Edge i leads from A[i] to B[i] and is W[i] long, sorted by B; a thread takes
 * one at a time, and all of them n - 1 times.  A round more tells whether there
 * is a cycle of negative length that the source leads to.
 *
 * Work m n^2, span n m / threads.  M = m n^2 / C by the source; A, B and W take
 * three times that.  The distances of the edges' ends, D[B], are side by side,
 * those of their beginnings, D[A], anywhere: m n^2 more, but for what falls
 * together where n is small.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "gpu_algos/blocks.h"
#include "gpu_algos/graph/gpu_apsp.h"
}

namespace {

enum { USUAL = 256 };

struct graph {
  const uint32_t *begins, *ends; /* A, B */
  const int32_t *weights;        /* W */
  int32_t *distances;            /* D of each source */
  uint32_t *cycle; /* a vertex behind a cycle of negative length, + 1 */
  uint32_t n, m;
};

/* May edge i be a shorter way?  A distance may be read before or behind another
 * thread's edge of this round: what is missed the next round does, and no round
 * does less than all edges with the distances before it. */
__device__ __forceinline__ bool shortens(const graph &graph, uint32_t i,
                                         const int32_t *distances,
                                         int32_t *length) {
  int32_t before = __ldcg(&distances[graph.begins[i]]);
  *length = before + graph.weights[i];
  return before != CPU_APSP_NONE && *length < __ldcg(&distances[graph.ends[i]]);
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) relax_edges(graph graph) {
  int32_t *distances = graph.distances + (uint64_t)blockIdx.x * graph.n, length;
  for (uint32_t v = threadIdx.x; v < graph.n; v += blockDim.x)
    distances[v] = v == blockIdx.x ? 0 : CPU_APSP_NONE;
  for (uint32_t round = 1; round < graph.n; round++) {
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < graph.m; i += blockDim.x)
      if (shortens(graph, i, distances, &length))
        atomicMin(&distances[graph.ends[i]], length);
  }
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < graph.m; i += blockDim.x)
    if (shortens(graph, i, distances, &length))
      atomicMax(graph.cycle, graph.ends[i] + 1);
}

/* A, B, W behind `cycle`. */
graph graph_of(const struct gpu_apsp *apsp) {
  graph graph = {};
  uint64_t array = gpu_words_padded(apsp->m);
  graph.cycle = apsp->own;
  graph.begins = apsp->own + GPU_ALIGN;
  graph.ends = graph.begins + array;
  graph.weights = (const int32_t *)(graph.ends + array);
  graph.distances = apsp->distances;
  graph.n = apsp->n;
  graph.m = apsp->m;
  return graph;
}

/* Behind W where the edges of each end are, for setup. */
size_t bytes_of(uint64_t n, uint64_t m) {
  if (n > GPU_APSP_MOST) return 0;
  return gpu_apsp_bytes(n, m, GPU_ALIGN + 3 * gpu_words_padded(m) + n + 1);
}

size_t bytes(uint64_t n) { return bytes_of(n, cpu_graph_most(n)); }

size_t bytes_given(const struct algo_data *given) {
  return bytes_of(given->rows, given->count);
}

void restore(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  gpu_apsp_restore(run);
  *graph_of(&apsp).cycle = 0;
}

void setup(struct algo_run *run) {
  gpu_apsp_setup(run);
  struct gpu_apsp apsp = gpu_apsp_of(run);
  struct cpu_graph edges = cpu_graph_of(run);
  uint64_t array = gpu_words_padded(apsp.m);
  uint32_t *begins = apsp.own + GPU_ALIGN, *ends = begins + array;
  int32_t *weights = (int32_t *)(ends + array);
  uint32_t *offsets = ends + 2 * array;
  cpu_graph_rows(&edges, true, offsets, begins, weights);
  for (uint32_t v = 0; v < apsp.n; v++)
    for (uint32_t i = offsets[v]; i < offsets[v + 1]; i++) ends[i] = v;
}

void find_paths(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  if (!apsp.n) return;
  GPU_LAUNCH_SHARED(relax_edges, apsp.n, gpu_block_threads(run, USUAL),
                    run->gpu.dummy_shared, graph_of(&apsp));
}

const char *check(const struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  if (*graph_of(&apsp).cycle) return "there is a cycle of negative length";
  return gpu_apsp_check(run);
}

/* Of the 4 n edges of the usual input. */
double ram_ops(uint64_t n) {
  return n > 1 ? 4 * (double)n * (double)n * (double)n : 1;
}

}  // namespace

GPU_ALGO(bellman_ford) = {
    .name = "bellman_ford",
    .title = "all pairs' shortest paths, Bellman-Ford's",
    .summary = "shortest paths between all of n vertices, all edges n times",
    .device = GPU_DEVICE,
    .complexity = "4 n^3",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = find_paths,
    .check = check,
    .data = "graph-distances",
    .generators = cpu_graph_generators_signed,
    .bytes_given = bytes_given,
    .refuse = cpu_graph_refuse_cycles,
    .gpu = &gpu_any_block,
    .answer = gpu_apsp_answer,
};
