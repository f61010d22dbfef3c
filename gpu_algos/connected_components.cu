/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The components of a graph, each told by its least vertex: Soman, Kothapalli,
 * Narayanan: Some GPU algorithms for graph connected components and spanning
 * tree, Parallel Processing Letters 20(4), 2010, which L. Ma's PhD thesis,
 * 2014, has in table 4.4.
 *
 * Vertices point to others of their component, at first to themselves.  Round
 * by round each edge hooks the greater root of its ends to the smaller one, a
 * thread an edge; then all pointers are followed to the roots.
 *
 * Work (m + n) lg n, span lg^2 n, M = (m + n) lg n / C by the source: that is
 * for edges, which are read side by side.  The roots of their ends lie
 * anywhere, 2 m accesses a round, unless all are in a component already.  The
 * rounds are some lg lg n in random graphs, lg n at most where each root has a
 * smaller one beside it.
 */
#include "gpu_algos/gpu.h"
#include "gpu_algos/graph/flag.h"
extern "C" {
#include "gpu_algos/blocks.h"
#include "gpu_algos/graph/gpu_edges.h"
}

namespace {

enum { USUAL = 256 };

__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    begin_components(uint32_t *roots, uint32_t n) {
  uint32_t v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) roots[v] = v;
}

/* While they hook, roots are read by others: old ones are as good. */
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    hook_roots(const uint32_t *from, const uint32_t *to, uint32_t m,
               uint32_t *roots, uint32_t *hooked) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  uint32_t a = __ldcg(&roots[from[i]]), b = __ldcg(&roots[to[i]]);
  if (a == b) return;
  atomicMin(&roots[max(a, b)], min(a, b));
  *hooked = 1;
}

/* Others shorten their ways meanwhile, and no root moves. */
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    follow_pointers(uint32_t *roots, uint32_t n) {
  uint32_t v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  uint32_t at = roots[v], next;
  while ((next = __ldcg(&roots[at])) != at) at = next;
  roots[v] = at;
}

size_t bytes(uint64_t n) {
  return n > GPU_WORDS_MAX
             ? 0
             : gpu_edges_bytes(n, cpu_graph_most_few(n), GPU_ALIGN);
}

size_t bytes_given(const struct algo_data *given) {
  return gpu_edges_bytes(given->rows, given->count, GPU_ALIGN);
}

void find_components(struct algo_run *run) {
  struct gpu_edges edges = gpu_edges_of(run);
  unsigned threads = gpu_block_threads(run, USUAL),
           dummy = run->gpu.dummy_shared;
  unsigned vertices = gpu_blocks(edges.n, threads);
  unsigned all = gpu_blocks(edges.m, threads);
  if (!edges.n) return;
  GPU_LAUNCH_SHARED(begin_components, vertices, threads, dummy, edges.answer,
                    edges.n);
  if (!edges.m) return;
  do {
    GPU_LAUNCH_SHARED(hook_roots, all, threads, dummy, edges.from, edges.to,
                      edges.m, edges.answer, edges.own);
    GPU_LAUNCH_SHARED(follow_pointers, vertices, threads, dummy, edges.answer,
                      edges.n);
  } while (gpu_flag_take(edges.own));
}

/* Of the 4 n edges of the usual input. */
double ram_ops(uint64_t n) { return n ? 5 * (double)n : 1; }

}  // namespace

GPU_ALGO(connected_components) = {
    .name = "connected_components",
    .title = "connected components",
    .summary = "the least vertex of each vertex' component, by hooking roots",
    .device = GPU_DEVICE,
    .complexity = "5 n",
    .ram_ops = ram_ops,
    .bytes = bytes,
    .setup = gpu_edges_setup,
    .restore = gpu_edges_restore,
    .run = find_components,
    .check = gpu_edges_check_components,
    .data = "graph-components",
    .generators = cpu_graph_generators_few,
    .bytes_given = bytes_given,
    .refuse = cpu_graph_refuse_wide,
    .gpu = &gpu_any_block,
    .answer = gpu_edges_answer_components,
};
