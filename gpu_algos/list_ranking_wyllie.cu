/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank a list by pointer jumping: Wyllie, PhD thesis, 1979, as in Ma, PhD
 * thesis, section 4.5.
 *
 * A thread has an element.  In each of ceil(lg n) rounds it adds what follows
 * the element that it points to, and points where that one does: T1 = n lg n,
 * Tinf = lg n, M = n lg n, as what an element points to is anywhere.  Pointer
 * and rank are one access, as Rehman (master's thesis, IIIT Hyderabad, 2010)
 * has it.  Rounds go from one array to another, so that none sees what belongs
 * to the next.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "cpu_algos/list_ranking.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/lists/lists.h"
#include "gpu_algos/words.h"
}

namespace {

enum { THREADS = 256 }; /* of a block */
enum : uint32_t { NONE = UINT32_MAX };

/* x is the element that `y` elements lie up to: NONE, behind the last. */
__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    wyllie_begin(const uint32_t *next, uint2 *elements, uint32_t n) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) elements[i] = make_uint2(next[i], next[i] != NONE);
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    wyllie_jump(const uint2 *in, uint2 *out, uint32_t n) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint2 mine = in[i];
  if (mine.x != NONE) {
    uint2 next = in[mine.x];
    mine = make_uint2(next.x, mine.y + next.y);
  }
  out[i] = mine;
}

__global__ void __launch_bounds__(GPU_BLOCK_MAX)
    wyllie_end(const uint2 *elements, uint32_t *ranks, uint32_t n) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ranks[i] = elements[i].y;
}

/* The workspace: successors, ranks, and two arrays of elements. */
uint2 *elements_of(const struct algo_run *run, unsigned index) {
  return (uint2 *)(void *)gpu_words(run, 2 + 2 * index);
}

size_t bytes(uint64_t n) { return gpu_words_bytes(n, 6, 0); }

void restore(struct algo_run *run) {
  gpu_words_clear(gpu_words(run, 1), 5 * gpu_words_padded(run->n));
}

void setup(struct algo_run *run) {
  gpu_list_setup(run);
  restore(run);
}

void rank_list(struct algo_run *run) {
  uint32_t threads = gpu_block_threads(run, THREADS);
  uint32_t n = (uint32_t)run->n, blocks = gpu_blocks(n, threads);
  size_t dummy = run->gpu.dummy_shared;
  uint2 *in = elements_of(run, 0), *out = elements_of(run, 1);
  if (!n) return;
  GPU_LAUNCH_SHARED(wyllie_begin, blocks, threads, dummy, gpu_words(run, 0), in,
                    n);
  for (uint64_t reach = 1; reach < n; reach *= 2) {
    GPU_LAUNCH_SHARED(wyllie_jump, blocks, threads, dummy, in, out, n);
    uint2 *was = in;
    in = out;
    out = was;
  }
  GPU_LAUNCH_SHARED(wyllie_end, blocks, threads, dummy, in, gpu_words(run, 1),
                    n);
}

}  // namespace

GPU_ALGO(list_ranking_wyllie) = {
    .name = "list_ranking_wyllie",
    .title = "list ranking (Wyllie)",
    .summary = "rank a list in random order, all elements jumping ahead",
    .device = GPU_DEVICE,
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = rank_list,
    .check = gpu_list_check,
    .data = "list",
    .refuse = cpu_list_refuse,
    .gpu = &gpu_any_block,
    .answer = gpu_list_answer,
};
