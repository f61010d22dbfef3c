/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copy n words: what the memory of a device can do. */
#include "gpu_algos/gpu.h"
#include "gpu_algos/rows.h"
extern "C" {
#include "cpu_algos/keys.h"
#include "gpu_algos/words.h"
}

namespace {

enum { BLOCK = 256, ROWS = 4, TILE = BLOCK * ROWS }; /* vectors */

__global__ void __launch_bounds__(BLOCK)
    copy_tiles(const uint4 *in, uint4 *out, uint32_t vectors) {
  uint32_t first = blockIdx.x * TILE + threadIdx.x;
  uint4 rows[ROWS];
  rows_load<BLOCK>(rows, in, first, vectors);
  rows_store<BLOCK>(rows, out, first, vectors);
}

void copy(struct algo_run *run) {
  uint32_t vectors = rows_vectors(run->n);
  if (!vectors) return;
  GPU_LAUNCH(copy_tiles, gpu_blocks(vectors, TILE), BLOCK,
             rows_of(gpu_words(run, 0)), rows_of(gpu_words(run, 1)), vectors);
}

const char *check(const struct algo_run *run) {
  const uint32_t *out = gpu_words(run, 1);
  for (uint64_t i = 0; i < run->n; i++)
    if (out[i] != gpu_word(run->seed, i)) return "a word is not the one copied";
  return NULL;
}

}  // namespace

GPU_ALGO(copy) = {
    .name = "copy",
    .title = "copy",
    .summary = "copy n 32-bit words in the memory of the device",
    .device = GPU_DEVICE,
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = gpu_word_pairs_bytes,
    .setup = gpu_word_pairs_setup,
    .restore = gpu_word_pairs_restore,
    .run = copy,
    .check = check,
};
