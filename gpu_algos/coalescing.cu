/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Double n words, each thread its share of them `stride` apart.
 *
 * Kothapalli et al.: A performance prediction model for the CUDA GPGPU
 * platform, 2009, experiment 1 and listing B.1.  Where threads go side by side
 * in groups of `stride`, a warp asks for 32 / stride pieces of memory of
 * `stride` words each.  The listing leaves what is over when n is divided
 * among the threads; here shares are rounded up instead.
 */
#include "gpu_algos/gpu.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/words.h"
}

namespace {

enum { BLOCK = 256, SHARE = 32 }; /* threads; words of one, about */

__global__ void __launch_bounds__(BLOCK)
    coalescing_shares(uint32_t *a, uint32_t n, uint32_t share,
                      uint32_t stride) {
  uint64_t block_start = (uint64_t)share * blockIdx.x * BLOCK;
  uint64_t start = block_start +
                   (uint64_t)(threadIdx.x / stride) * share * stride +
                   threadIdx.x % stride;
  uint64_t end = start + (uint64_t)share * stride;
  if (end > n) end = n;
  for (uint64_t i = start; i < end; i += stride) a[i] = a[i] + a[i];
}

size_t bytes(uint64_t n) { return gpu_words_bytes(n, 1, 0); }

void restore(struct algo_run *run) { gpu_words_fill(run, gpu_words(run, 0)); }

/* Of a whole block each, so that groups of threads end with it. */
const char *const strides[] = {"stride-32", "stride-16", "stride-8", "stride-4",
                               "stride-2",  "stride-1",  NULL};

void coalescing(struct algo_run *run);

const char *check(const struct algo_run *run) {
  const uint32_t *a = gpu_words(run, 0);
  for (uint64_t i = 0; i < run->n; i++)
    if (a[i] != 2 * gpu_word(run->seed, i)) return "a word is not doubled";
  return NULL;
}

}  // namespace

GPU_ALGO(coalescing) = {
    .name = "coalescing",
    .title = "coalescing",
    .summary = "double n 32-bit words, threads side by side in groups",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = restore,
    .restore = restore,
    .run = coalescing,
    .check = check,
    .generators = strides,
};

namespace {

void coalescing(struct algo_run *run) {
  uint32_t n = (uint32_t)run->n, blocks = gpu_blocks(n, BLOCK * SHARE);
  if (!n) return;
  GPU_LAUNCH(coalescing_shares, blocks, BLOCK, gpu_words(run, 0), n,
             gpu_blocks(n, blocks * BLOCK),
             gpu_parameter(run, &GPU_SYMBOL(coalescing)));
}

}  // namespace
