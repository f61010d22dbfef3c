/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Match a batch of queries against a text by its suffix tree: Ma, PhD thesis,
 * section 4.2.1; strings/tree.h has the arrays.
 *
 * A thread a query goes down from the root, letter by letter.  With n letters
 * of queries of k each: T1 = n, Tinf = k, M = n, as the letters that a thread
 * reads of the text and the nodes it meets are near no other thread's.  A node
 * takes two accesses, to its cell and its edge, for the letter of its cell.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/strings/texts.h"
#include "gpu_algos/strings/tree.h"
}

namespace {

enum { THREADS = 128 }; /* of a block */

__device__ __forceinline__ uint32_t letter_of(const uint32_t *words,
                                              uint32_t i) {
  return words[i / 4] >> (24 - 8 * (i % 4)) & 255;
}

/* Suffixes x .. y - 1 begin with the query; none: 0 .. 0. */
__device__ uint2 descend(const gpu_text &text, const gpu_tree &tree,
                         const uint32_t *query, uint32_t letters) {
  const uint2 none = make_uint2(0, 0);
  uint4 edge = make_uint4(0, 0, 0, 0); /* to the root */
  for (uint32_t at = 0; at < letters; at += edge.y) {
    uint32_t letter = letter_of(query, at);
    if (edge.z == GPU_TREE_NONE) return none;
    uint32_t number = tree.cells[edge.z + letter - 1];
    if (number == GPU_TREE_NONE) return none;
    edge = ((const uint4 *)tree.edges)[number];
    for (uint32_t i = 1; i < min(edge.y, letters - at); i++)
      if (letter_of(text.text, edge.x + i) != letter_of(query, at + i))
        return none;
  }
  uint32_t end = edge.w + 1;
  if (edge.z != GPU_TREE_NONE) end = tree.ends[edge.z / text.alphabet];
  return make_uint2(edge.w, end);
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    find_in_tree(gpu_text text, gpu_tree tree) {
  uint32_t q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= text.queries) return;
  uint2 bounds = ((const uint2 *)text.bounds)[q];
  ((uint2 *)text.found)[q] =
      descend(text, tree, text.sought + bounds.x, bounds.y);
}

void match(struct algo_run *run) {
  gpu_text text = gpu_text_of(run);
  uint32_t threads = gpu_block_threads(run, THREADS);
  if (text.queries)
    GPU_LAUNCH_SHARED(find_in_tree, gpu_blocks(text.queries, threads), threads,
                      run->gpu.dummy_shared, text, gpu_tree_of(run));
}

}  // namespace

GPU_ALGO(suffix_tree) = {
    .name = "suffix_tree",
    .title = "string matching by a suffix tree",
    .summary = "match queries of n letters in all against a text of n letters",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = gpu_tree_bytes,
    .setup = gpu_tree_setup,
    .restore = gpu_text_restore,
    .run = match,
    .check = gpu_text_check,
    .data = "text",
    .generators = gpu_text_generators,
    .bytes_given = gpu_tree_bytes_given,
    .ops_given = gpu_text_ops,
    .refuse = gpu_text_refuse,
    .gpu = &gpu_any_block,
    .answer = gpu_text_answer,
};
