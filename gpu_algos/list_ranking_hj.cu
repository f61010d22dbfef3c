/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank a list: how many elements follow each.
 *
 * The recursive variant of Hellman and JaJa's algorithm, as in Kothapalli et
 * al.: A performance prediction model for the CUDA GPGPU platform, 2009,
 * section 5.2.  Of m nodes every (log2 m)-th of the array is a splitter, and so
 * is the first of the list.  A thread a splitter walks to the next one; the
 * splitters make a list of their own, each as heavy as the nodes it passed,
 * which is ranked in the same way; then every node knows its rank by that of
 * its splitter.  A list that fits a block is ranked there, by Wyllie's pointer
 * jumping.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "cpu_algos/list_ranking.h"
#include "gpu_algos/lists/lists.h"
#include "gpu_algos/words.h"
}

namespace {

enum { BLOCK = 256, SMALL = 1024, TURNS = 32 };
enum : uint32_t { NONE = UINT32_MAX };

/* A list of `nodes`: each one's total is the weight of itself and of all that
 * follow, less `less`.  Node i is `place[i].y` behind the start of the sublist
 * of splitter `place[i].x`. */
struct level {
  const uint32_t *next;   /* NONE: the last */
  const uint32_t *weight; /* NULL: 1 each */
  uint32_t *total;
  uint2 *place;
  const uint32_t *head; /* NULL: the last of the array */
  uint32_t nodes, spacing, less;
};

__device__ __forceinline__ uint32_t weight_of(const level &list, uint32_t i) {
  return list.weight ? list.weight[i] : 1;
}

/* Each node but the first is a successor, and NONE = -1 is one: adds to `head`,
 * -1 before, what the sum of all nodes exceeds that of all successors by. */
__global__ void __launch_bounds__(BLOCK)
    list_head(const uint32_t *next, uint32_t nodes, uint32_t *head) {
  uint32_t sum = 0;
  uint32_t first = blockIdx.x * BLOCK * TURNS + threadIdx.x;
  for (uint32_t turn = 0; turn < TURNS; turn++) {
    uint32_t i = first + turn * BLOCK;
    if (i < nodes) sum += i - next[i];
  }
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(head, sum);
}

/* Splitter j is node j * spacing; one more is the head, which leads to itself
 * where it is a splitter anyhow. */
__global__ void __launch_bounds__(BLOCK)
    list_walk(level list, uint32_t *up_next, uint32_t *up_weight,
              uint32_t splitters) {
  uint32_t j = blockIdx.x * BLOCK + threadIdx.x, sum = 0;
  if (j > splitters) return;
  uint32_t at = j * list.spacing;
  if (j == splitters) at = list.head ? *list.head : list.nodes - 1;
  if (j < splitters || at % list.spacing) do {
      list.place[at] = make_uint2(j, sum);
      sum += weight_of(list, at);
      at = list.next[at];
    } while (at != NONE && at % list.spacing);
  up_next[j] = at == NONE ? (uint32_t)NONE : at / list.spacing;
  up_weight[j] = sum;
}

__global__ void __launch_bounds__(BLOCK)
    list_spread(level list, const uint32_t *up_total) {
  uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= list.nodes) return;
  uint2 place = list.place[i];
  list.total[i] = up_total[place.x] - place.y - list.less;
}

__global__ void __launch_bounds__(SMALL) list_small(level list) {
  __shared__ uint32_t nexts[SMALL], totals[SMALL];
  uint32_t i = threadIdx.x, next = NONE, total = 0;
  if (i < list.nodes) next = list.next[i];
  if (i < list.nodes) total = weight_of(list, i);
  for (uint32_t reach = 1; reach < list.nodes; reach *= 2) {
    nexts[i] = next;
    totals[i] = total;
    __syncthreads();
    if (next != NONE) {
      total += totals[next];
      next = nexts[next];
    }
    __syncthreads();
  }
  if (i < list.nodes) list.total[i] = total - list.less;
}

uint32_t spacing_of(uint32_t nodes) {
  return 31 - (uint32_t)__builtin_clz(nodes);
}

uint32_t splitters_of(uint32_t nodes) {
  return gpu_blocks(nodes, spacing_of(nodes));
}

/* Words of the lists of splitters of a list. */
uint64_t words_above(uint64_t nodes) {
  uint64_t words = 0;
  while (nodes > SMALL) {
    nodes = splitters_of((uint32_t)nodes) + UINT64_C(1);
    words += 5 * gpu_words_padded(nodes);
  }
  return words;
}

/* Rank `list`, with memory for those above it. */
void rank(level list, uint32_t *memory) {
  if (list.nodes <= SMALL) {
    GPU_LAUNCH(list_small, 1, SMALL, list);
    return;
  }
  uint32_t splitters = splitters_of(list.nodes), nodes = splitters + 1;
  uint64_t array = gpu_words_padded(nodes);
  uint32_t *next = memory, *weight = next + array, *total = weight + array;
  list.spacing = spacing_of(list.nodes);
  GPU_LAUNCH(list_walk, gpu_blocks(nodes, BLOCK), BLOCK, list, next, weight,
             splitters);
  level up = {next,    weight, total, (uint2 *)(void *)(total + array),
              nullptr, nodes,  0,     0};
  rank(up, memory + 5 * array);
  GPU_LAUNCH(list_spread, gpu_blocks(list.nodes, BLOCK), BLOCK, list,
             (const uint32_t *)total);
}

/* The workspace: successors, ranks, places of two words each; the head; the
 * lists of splitters. */
uint32_t *head_of(const struct algo_run *run) { return gpu_words(run, 4); }

size_t bytes(uint64_t n) {
  if (n > GPU_WORDS_MAX) return 0;
  return gpu_words_bytes(n, 4, GPU_ALIGN + words_above(n));
}

void restore(struct algo_run *run) {
  gpu_words_clear(gpu_words(run, 1), 3 * gpu_words_padded(run->n) + GPU_ALIGN +
                                         words_above(run->n));
  *head_of(run) = UINT32_MAX;
}

void setup(struct algo_run *run) {
  gpu_list_setup(run);
  restore(run);
}

void rank_list(struct algo_run *run) {
  uint32_t nodes = (uint32_t)run->n, *head = head_of(run);
  level list = {};
  if (!nodes) return;
  list.next = gpu_words(run, 0);
  list.total = gpu_words(run, 1);
  list.place = (uint2 *)(void *)gpu_words(run, 2);
  list.head = head;
  list.nodes = nodes;
  list.less = 1;
  if (nodes > SMALL)
    GPU_LAUNCH(list_head, gpu_blocks(nodes, BLOCK * TURNS), BLOCK, list.next,
               nodes, head);
  rank(list, head + GPU_ALIGN);
}

}  // namespace

GPU_ALGO(list_ranking_hj) = {
    .name = "list_ranking_hj",
    .title = "list ranking (Hellman and JaJa)",
    .summary = "rank a list in random order, from splitters, recursively",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = rank_list,
    .check = gpu_list_check,
    .data = "list",
    .refuse = cpu_list_refuse,
    .answer = gpu_list_answer,
};
