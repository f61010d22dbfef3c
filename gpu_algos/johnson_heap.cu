/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All pairs' shortest paths by Johnson's algorithm, with binary heaps: a thread
 * makes Dijkstra's algorithm for a source, alone.  L. Ma, PhD thesis, 2014,
 * section 4.1.2.
 *
 * Work m n lg n, span m lg n, M = m n lg n: no two threads' heaps have anything
 * in common, so each word is an access of its own.  An edge whose end is not
 * made nearer by it takes one alone; in random graphs most are such.
 *
 * A heap lies in global memory: its vertices, the least first, and where each
 * vertex stands.  What was taken stands nowhere.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "gpu_algos/blocks.h"
#include "gpu_algos/graph/gpu_apsp.h"
}

namespace {

enum { USUAL = 64 };
enum : uint32_t { NOWHERE = UINT32_MAX };

struct graph {
  const uint32_t *offsets, *ends;
  const int32_t *weights;
  int32_t *distances;
  uint32_t *heaps, *places; /* n of each source */
  uint32_t n;
};

/* Of one source. */
struct heap {
  int32_t *distances;
  uint32_t *vertices, *places;
  uint32_t count;
};

__device__ __forceinline__ void put(const heap &heap, uint32_t at,
                                    uint32_t vertex) {
  heap.vertices[at] = vertex;
  heap.places[vertex] = at;
}

/* From `at` up to where no nearer one is below it. */
__device__ __forceinline__ void move_up(const heap &heap, uint32_t at,
                                        uint32_t vertex, int32_t distance) {
  while (at) {
    uint32_t above = (at - 1) / 2, other = heap.vertices[above];
    if (heap.distances[other] <= distance) break;
    put(heap, at, other);
    at = above;
  }
  put(heap, at, vertex);
}

/* And down. */
__device__ __forceinline__ void move_down(const heap &heap, uint32_t at,
                                          uint32_t vertex) {
  int32_t distance = heap.distances[vertex];
  for (uint32_t below = 2 * at + 1; below < heap.count; below = 2 * at + 1) {
    uint32_t other = heap.vertices[below];
    int32_t least = heap.distances[other];
    if (below + 1 < heap.count) {
      uint32_t right = heap.vertices[below + 1];
      int32_t length = heap.distances[right];
      if (length < least) {
        least = length;
        other = right;
        below++;
      }
    }
    if (least >= distance) break;
    put(heap, at, other);
    at = below;
  }
  put(heap, at, vertex);
}

__device__ __forceinline__ uint32_t take_nearest(heap &heap) {
  uint32_t nearest = heap.vertices[0];
  heap.places[nearest] = NOWHERE;
  uint32_t last = heap.vertices[--heap.count];
  if (heap.count) move_down(heap, 0, last);
  return nearest;
}

/* All vertices are in the heap, the source before the others. */
__device__ __forceinline__ heap heap_of(const graph &graph, uint32_t source) {
  uint64_t first = (uint64_t)source * graph.n;
  heap heap = {graph.distances + first, graph.heaps + first,
               graph.places + first, graph.n};
  for (uint32_t v = 0; v < graph.n; v++) {
    heap.distances[v] = CPU_APSP_NONE;
    put(heap, v, v);
  }
  heap.distances[source] = 0;
  put(heap, source, 0);
  put(heap, 0, source);
  return heap;
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) johnson_heaps(graph graph) {
  uint32_t source = blockIdx.x * blockDim.x + threadIdx.x;
  if (source >= graph.n) return;
  heap heap = heap_of(graph, source);
  while (heap.count) {
    uint32_t u = take_nearest(heap);
    int32_t distance = heap.distances[u];
    if (distance == CPU_APSP_NONE) break;
    for (uint32_t i = graph.offsets[u]; i < graph.offsets[u + 1]; i++) {
      uint32_t v = graph.ends[i];
      int32_t length = distance + graph.weights[i];
      if (length >= heap.distances[v]) continue;
      heap.distances[v] = length;
      move_up(heap, heap.places[v], v, length);
    }
  }
}

size_t bytes_of(uint64_t n, uint64_t m) {
  if (n > GPU_APSP_MOST) return 0;
  return gpu_apsp_bytes(n, m, 2 * n * n);
}

size_t bytes(uint64_t n) { return bytes_of(n, cpu_graph_most(n)); }

size_t bytes_given(const struct algo_data *given) {
  return bytes_of(given->rows, given->count);
}

void find_paths(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  unsigned threads = gpu_block_threads(run, USUAL);
  graph graph = {apsp.offsets,   apsp.ends, apsp.weights,
                 apsp.distances, apsp.own,  apsp.own + run->n * run->n,
                 apsp.n};
  if (!apsp.n) return;
  GPU_LAUNCH_SHARED(johnson_heaps, gpu_blocks(run->n, threads), threads,
                    run->gpu.dummy_shared, graph);
}

/* Of the 4 n edges of the usual input. */
double ram_ops(uint64_t n) {
  double levels = 1;
  while (n >> (unsigned)levels > 1) levels++;
  return n > 1 ? 4 * (double)n * (double)n * levels : 1;
}

}  // namespace

GPU_ALGO(johnson_heap) = {
    .name = "johnson_heap",
    .title = "all pairs' shortest paths, Johnson's with heaps",
    .summary = "shortest paths between all of n vertices, a thread a source",
    .device = GPU_DEVICE,
    .complexity = "4 n^2 log2 n",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = gpu_apsp_setup,
    .restore = gpu_apsp_restore,
    .run = find_paths,
    .check = gpu_apsp_check,
    .data = "graph-distances",
    .generators = cpu_graph_generators,
    .bytes_given = bytes_given,
    .refuse = cpu_graph_refuse_negative,
    .gpu = &gpu_any_block,
    .answer = gpu_apsp_answer,
};
