/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Add n words up, modulo 2^32. */
#include "gpu_algos/gpu.h"
#include "gpu_algos/rows.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/words.h"
}

namespace {

/* Rows enough that the atomics of all blocks, one each on the same word, are a
 * tenth of the time that reading takes. */
enum { BLOCK = 256, ROWS = 8, TILE = BLOCK * ROWS }; /* vectors */

__global__ void __launch_bounds__(BLOCK)
    reduce_tiles(const uint4 *in, uint32_t *sum, uint32_t vectors) {
  __shared__ uint32_t warp_sums[BLOCK / 32];
  uint4 rows[ROWS];
  rows_load<BLOCK>(rows, in, blockIdx.x * TILE + threadIdx.x, vectors);
  uint32_t mine = 0;
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    mine += rows[r].x + rows[r].y + rows[r].z + rows[r].w;
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < BLOCK / 32 ? warp_sums[threadIdx.x] : 0;
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

/* The workspace: words, then their sum. */
uint32_t *sum_of(const struct algo_run *run) { return gpu_words(run, 1); }

size_t bytes(uint64_t n) { return gpu_words_bytes(n, 1, GPU_ALIGN); }

void restore(struct algo_run *run) { gpu_words_clear(sum_of(run), 1); }

void setup(struct algo_run *run) {
  uint32_t sum = 0;
  gpu_words_fill(run, gpu_words(run, 0));
  for (uint64_t i = 0; i < run->n; i++) sum += gpu_words(run, 0)[i];
  run->fingerprint[0] = sum;
  run->fingerprint[1] = 0;
  restore(run);
}

void reduce(struct algo_run *run) {
  uint32_t vectors = rows_vectors(run->n);
  if (!vectors) return;
  GPU_LAUNCH(reduce_tiles, gpu_blocks(vectors, TILE), BLOCK,
             rows_of(gpu_words(run, 0)), sum_of(run), vectors);
}

const char *check(const struct algo_run *run) {
  if (*sum_of(run) == run->fingerprint[0]) return NULL;
  return "the sum is not that of the words";
}

}  // namespace

GPU_ALGO(reduce) = {
    .name = "reduce",
    .title = "reduce",
    .summary = "add n 32-bit words up",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = reduce,
    .check = check,
};
