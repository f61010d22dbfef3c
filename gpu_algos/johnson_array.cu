/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All pairs' shortest paths by Johnson's algorithm, with arrays: a block of
 * threads makes Dijkstra's algorithm for a source, in which it finds the least
 * distance of all vertices together.  L. Ma, PhD thesis, 2014, section 4.1.3.
 *
 * Work n^3 + m n, span n^2 / threads: a least distance takes n / threads and
 * lg threads steps.  M = n^3 / C + m n: for each vertex of each source all
 * distances are read, side by side, and a distance a time for each edge.  Where
 * the distances of a source lie in shared memory (n < Z, section 4.1.6) M is
 * n^2 / C for writing them and what edges take: their ends and lengths lie side
 * by side, and a vertex' few edges fill less than C.
 *
 * A distance d that is final is kept as ~d, which is negative: no minimum
 * touches it, and as an unsigned number it is no least one.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/matmul.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/graph/gpu_apsp.h"
}

/* Of no namespace: all dynamic shared memory is this. */
extern __shared__ unsigned char smem[];

namespace {

enum { USUAL = 256, LANES = 32, ALL = GPU_BLOCK_MAX / LANES };
enum : uint32_t { ALL_LANES = ~0u };

struct graph {
  const uint32_t *offsets, *ends;
  const int32_t *weights;
  int32_t *distances;
  uint32_t n;
};

/* A vertex and its distance as one number: of two the lesser is the nearer, and
 * of two as near that of the lower number, or lanes would not agree. */
__device__ __forceinline__ uint64_t at_distance(int32_t distance,
                                                uint32_t vertex) {
  return (uint64_t)(uint32_t)distance << 32 | vertex;
}

__device__ __forceinline__ uint64_t nearer(uint64_t a, uint64_t b) {
  return b < a ? b : a;
}

__device__ __forceinline__ uint64_t nearest_of_lanes(uint64_t mine) {
#pragma unroll
  for (int distance = LANES / 2; distance; distance /= 2)
    mine = nearer(mine, __shfl_xor_sync(ALL_LANES, mine, distance));
  return mine;
}

/* Of all threads of the block. */
__device__ __forceinline__ uint64_t nearest_of_block(uint64_t mine,
                                                     uint64_t *warps) {
  uint32_t lane = threadIdx.x % LANES;
  mine = nearest_of_lanes(mine);
  if (!lane) warps[threadIdx.x / LANES] = mine;
  __syncthreads();
  bool is_warp = lane < blockDim.x / LANES;
  mine =
      nearest_of_lanes(is_warp ? warps[lane] : at_distance(CPU_APSP_NONE, 0));
  __syncthreads();
  return mine;
}

/* `distances` lie in shared memory or in that of the device, whose cache has
 * them as others left them: what was written is behind a barrier. */
__device__ __forceinline__ void dijkstra(const graph &graph, int32_t *distances,
                                         uint32_t source, uint64_t *warps) {
  for (uint32_t v = threadIdx.x; v < graph.n; v += blockDim.x)
    distances[v] = v == source ? 0 : CPU_APSP_NONE;
  for (;;) {
    uint64_t mine = at_distance(CPU_APSP_NONE, 0);
    __syncthreads();
    for (uint32_t v = threadIdx.x; v < graph.n; v += blockDim.x)
      mine = nearer(mine, at_distance(distances[v], v));
    uint64_t nearest = nearest_of_block(mine, warps);
    uint32_t vertex = (uint32_t)nearest;
    int32_t length = (int32_t)(nearest >> 32);
    if (length == CPU_APSP_NONE) break;
    uint32_t end = graph.offsets[vertex + 1];
    if (!threadIdx.x) distances[vertex] = ~length;
    for (uint32_t i = graph.offsets[vertex] + threadIdx.x; i < end;
         i += blockDim.x)
      atomicMin(&distances[graph.ends[i]], length + graph.weights[i]);
  }
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) johnson_small(graph graph) {
  __shared__ uint64_t warps[ALL];
  int32_t *here = (int32_t *)(void *)smem;
  dijkstra(graph, here, blockIdx.x, warps);
  int32_t *distances = graph.distances + (uint64_t)blockIdx.x * graph.n;
  for (uint32_t v = threadIdx.x; v < graph.n; v += blockDim.x)
    distances[v] = here[v] < 0 ? ~here[v] : here[v];
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) johnson_large(graph graph) {
  __shared__ uint64_t warps[ALL];
  int32_t *distances = graph.distances + (uint64_t)blockIdx.x * graph.n;
  dijkstra(graph, distances, blockIdx.x, warps);
  for (uint32_t v = threadIdx.x; v < graph.n; v += blockDim.x)
    if (distances[v] < 0) distances[v] = ~distances[v];
}

size_t bytes(uint64_t n) { return gpu_apsp_bytes(n, cpu_graph_most(n), 0); }

size_t bytes_given(const struct algo_data *given) {
  return gpu_apsp_bytes(given->rows, given->count, 0);
}

/* Z is what there is of shared memory less the dummy and the nearest of each
 * warp. */
bool fits(uint64_t n, unsigned dummy) {
  return n * sizeof(int32_t) + ALL * sizeof(uint64_t) + dummy <=
         GPU_SHARED_BYTES;
}

void find_paths(struct algo_run *run) {
  struct gpu_apsp apsp = gpu_apsp_of(run);
  graph graph = {apsp.offsets, apsp.ends, apsp.weights, apsp.distances, apsp.n};
  unsigned threads = gpu_block_threads(run, USUAL),
           dummy = run->gpu.dummy_shared;
  size_t bytes = run->n * sizeof(int32_t);
  if (!apsp.n) return;
  if (fits(run->n, dummy))
    GPU_LAUNCH_SHARED(johnson_small, apsp.n, threads, bytes + dummy, graph);
  else
    GPU_LAUNCH_SHARED(johnson_large, apsp.n, threads, dummy, graph);
}

}  // namespace

GPU_ALGO(johnson_array) = {
    .name = "johnson_array",
    .title = "all pairs' shortest paths, Johnson's with arrays",
    .summary = "shortest paths between all of n vertices, a block a source",
    .device = GPU_DEVICE,
    .complexity = "n^3",
    .ram_ops = cpu_ops_cube,
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
