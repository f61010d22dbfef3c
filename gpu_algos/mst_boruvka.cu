/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The least forest that spans a graph, by Boruvka's algorithm: Vineet, Harish,
 * Patidar, Narayanan: Fast minimum spanning tree for large graphs on the GPU,
 * HPG 2009, which L. Ma's PhD thesis, 2014, has in table 4.4.
 *
 * Round by round, each component takes the shortest edge that leads out of it,
 * and those that are joined become one.  Of edges as long as each other that of
 * the lower number is the shorter, so that no cycle closes but where two
 * components take the same edge: the one of the lower number stays then.
 *
 * Work m lg n, span lg n, M = m lg n: components at least halve in a round.  A
 * thread has an edge; edges are read side by side, the components of their
 * ends, and their shortest edges so far, lie anywhere.
 */
#include "gpu_algos/gpu.h"
#include "gpu_algos/graph/flag.h"
extern "C" {
#include "gpu_algos/blocks.h"
#include "gpu_algos/graph/gpu_edges.h"
}

namespace {

enum { USUAL = 256 };
typedef unsigned long long edge_key; /* its length, then its number */
#define NO_EDGE (~(edge_key)0)

struct forest {
  const uint32_t *from, *to;
  const int32_t *weights;
  uint32_t *chosen;     /* of each edge */
  uint32_t *components; /* of each vertex, told by one of them */
  uint32_t *joined;     /* of each component, another or itself */
  edge_key *shortest;   /* of each component */
  uint32_t *left;       /* are there edges between components? */
  uint32_t n, m;
};

__device__ __forceinline__ uint32_t thread_number() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) begin_forest(forest forest) {
  for (uint32_t i = thread_number(); i < forest.m || i < forest.n;
       i += gridDim.x * blockDim.x) {
    if (i < forest.m) forest.chosen[i] = 0;
    if (i < forest.n) forest.components[i] = i;
  }
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) begin_round(forest forest) {
  uint32_t v = thread_number();
  if (v >= forest.n) return;
  forest.joined[v] = v;
  forest.shortest[v] = NO_EDGE;
}

__device__ __forceinline__ void make_shortest(edge_key *shortest,
                                              edge_key key) {
  if (key < __ldcg(shortest)) atomicMin(shortest, key);
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX) find_shortest(forest forest) {
  uint32_t i = thread_number();
  if (i >= forest.m) return;
  uint32_t a = forest.components[forest.from[i]];
  uint32_t b = forest.components[forest.to[i]];
  if (a == b) return;
  uint32_t length = (uint32_t)forest.weights[i] ^ UINT32_C(1) << 31;
  edge_key key = (edge_key)length << 32 | i;
  make_shortest(&forest.shortest[a], key);
  make_shortest(&forest.shortest[b], key);
  *forest.left = 1;
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    join_components(forest forest) {
  uint32_t v = thread_number();
  if (v >= forest.n) return;
  edge_key key = forest.shortest[v];
  if (key == NO_EDGE) return;
  uint32_t i = (uint32_t)key, a = forest.components[forest.from[i]];
  uint32_t other = a == v ? forest.components[forest.to[i]] : a;
  forest.chosen[i] = 1;
  bool stays = forest.shortest[other] == key && v < other;
  if (!stays) forest.joined[v] = other;
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    name_components(forest forest) {
  uint32_t v = thread_number();
  if (v >= forest.n) return;
  uint32_t at = forest.components[v], next;
  while ((next = forest.joined[at]) != at) at = next;
  forest.components[v] = at;
}

/* `left` and two arrays of n words, then one of 2 n. */
uint64_t own_words(uint64_t n) { return GPU_ALIGN + 4 * gpu_words_padded(n); }

size_t bytes(uint64_t n) {
  return n > GPU_WORDS_MAX
             ? 0
             : gpu_edges_bytes(n, cpu_graph_most_few(n), own_words(n));
}

size_t bytes_given(const struct algo_data *given) {
  return gpu_edges_bytes(given->rows, given->count, own_words(given->rows));
}

forest forest_of(const struct gpu_edges *edges) {
  forest forest = {};
  uint64_t array = gpu_words_padded(edges->n);
  forest.from = edges->from;
  forest.to = edges->to;
  forest.weights = edges->weights;
  forest.chosen = edges->answer;
  forest.left = edges->own;
  forest.components = edges->own + GPU_ALIGN;
  forest.joined = forest.components + array;
  forest.shortest = (edge_key *)(void *)(forest.joined + array);
  forest.n = edges->n;
  forest.m = edges->m;
  return forest;
}

void find_forest(struct algo_run *run) {
  struct gpu_edges edges = gpu_edges_of(run);
  forest forest = forest_of(&edges);
  unsigned threads = gpu_block_threads(run, USUAL),
           dummy = run->gpu.dummy_shared;
  unsigned vertices = gpu_blocks(edges.n, threads);
  unsigned all = gpu_blocks(edges.m, threads);
  if (!edges.m) return;
  GPU_LAUNCH_SHARED(begin_forest, all, threads, dummy, forest);
  do {
    GPU_LAUNCH_SHARED(begin_round, vertices, threads, dummy, forest);
    GPU_LAUNCH_SHARED(find_shortest, all, threads, dummy, forest);
    GPU_LAUNCH_SHARED(join_components, vertices, threads, dummy, forest);
    GPU_LAUNCH_SHARED(name_components, vertices, threads, dummy, forest);
  } while (gpu_flag_take(forest.left));
}

/* Of the 4 n edges of the usual input. */
double ram_ops(uint64_t n) {
  double rounds = 1;
  while (n >> (unsigned)rounds > 1) rounds++;
  return n ? 4 * (double)n * rounds : 1;
}

}  // namespace

GPU_ALGO(mst_boruvka) = {
    .name = "mst_boruvka",
    .title = "minimum spanning forest (Boruvka)",
    .summary = "the least spanning forest, by each component's shortest edge",
    .device = GPU_DEVICE,
    .complexity = "4 n log2 n",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = gpu_edges_setup,
    .restore = gpu_edges_restore,
    .run = find_forest,
    .check = gpu_edges_check_forest,
    .data = "graph-forest",
    .generators = cpu_graph_generators_few,
    .bytes_given = bytes_given,
    .refuse = cpu_graph_refuse_wide,
    .gpu = &gpu_any_block,
    .answer = gpu_edges_answer_forest,
};
