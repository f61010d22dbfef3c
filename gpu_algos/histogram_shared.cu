/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Count n words in 256 bins, each block in shared memory before it adds its
 * counts to those of all.
 *
 * Kothapalli et al.: A performance prediction model for the CUDA GPGPU
 * platform, 2009, section 5.3.
 */
#include "gpu_algos/gpu.h"
#include "gpu_algos/rows.h"
extern "C" {
#include "cpu_algos/histogram.h"
#include "cpu_algos/keys.h"
#include "gpu_algos/words.h"
}

namespace {

enum { BINS = CPU_HISTOGRAM_BINS };
enum { BLOCK = 256, ROWS = 4, TURNS = 4 };
enum { TILE = BLOCK * ROWS * TURNS }; /* vectors */

/* Vectors may hold words behind the n; those are not counted. */
__device__ __forceinline__ void count(uint32_t *bins, uint4 words,
                                      uint64_t first, uint32_t n) {
  uint32_t there = first >= n ? 0 : n - first < 4 ? n - first : 4;
  if (there > 0) atomicAdd(&bins[words.x % BINS], 1u);
  if (there > 1) atomicAdd(&bins[words.y % BINS], 1u);
  if (there > 2) atomicAdd(&bins[words.z % BINS], 1u);
  if (there > 3) atomicAdd(&bins[words.w % BINS], 1u);
}

__global__ void __launch_bounds__(BLOCK)
    histogram_tiles(const uint4 *in, uint32_t *counts, uint32_t n) {
  __shared__ uint32_t bins[BINS];
  uint32_t vectors = (uint32_t)(((uint64_t)n + 3) / 4);
  for (uint32_t b = threadIdx.x; b < BINS; b += BLOCK) bins[b] = 0;
  __syncthreads();
  for (uint32_t turn = 0; turn < TURNS; turn++) {
    uint32_t first = blockIdx.x * TILE + turn * (BLOCK * ROWS) + threadIdx.x;
    uint4 rows[ROWS];
    rows_load<BLOCK>(rows, in, first, vectors);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
      count(bins, rows[r], 4 * (uint64_t)(first + r * BLOCK), n);
  }
  __syncthreads();
  for (uint32_t b = threadIdx.x; b < BINS; b += BLOCK)
    if (bins[b]) atomicAdd(&counts[b], bins[b]);
}

/* The workspace: words, then counts. */
uint32_t *counts_of(const struct algo_run *run) { return gpu_words(run, 1); }

size_t bytes(uint64_t n) { return gpu_words_bytes(n, 1, BINS); }

/* Adding up one a key is adding up each bin's times its count. */
uint64_t weight(uint32_t bin) {
  return cpu_random_mix(bin + CPU_RANDOM_STEP) | 1;
}

void restore(struct algo_run *run) { gpu_words_clear(counts_of(run), BINS); }

void setup(struct algo_run *run) {
  const uint32_t *words = gpu_words(run, 0);
  uint64_t sum = 0;
  gpu_words_fill(run, gpu_words(run, 0));
  for (uint64_t i = 0; i < run->n; i++) sum += weight(words[i] % BINS);
  run->fingerprint[0] = sum;
  run->fingerprint[1] = 0;
  restore(run);
}

void histogram(struct algo_run *run) {
  uint32_t blocks = gpu_blocks(rows_vectors(run->n), TILE);
  if (!blocks) return;
  GPU_LAUNCH(histogram_tiles, blocks, BLOCK, rows_of(gpu_words(run, 0)),
             counts_of(run), (uint32_t)run->n);
}

const char *check(const struct algo_run *run) {
  uint64_t sum = 0;
  for (uint32_t bin = 0; bin < BINS; bin++)
    sum += weight(bin) * counts_of(run)[bin];
  if (sum == run->fingerprint[0]) return NULL;
  return "the counts are not those of the words";
}

}  // namespace

GPU_ALGO(histogram_shared) = {
    .name = "histogram_shared",
    .title = "histogram in shared memory",
    .summary = "count n 32-bit words in 256 bins, first in shared memory",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = histogram,
    .check = check,
};
