/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/blocks.h"

const char *gpu_block_refuse(unsigned block_threads, unsigned dummy_shared) {
  if (block_threads % 32 || block_threads > GPU_BLOCK_MAX)
    return "its blocks have whole warps: 32, 64, 96 ... 1024 threads";
  if (dummy_shared > GPU_DUMMY_MAX)
    return "its blocks can leave 114688 bytes of shared memory alone at most";
  return NULL;
}

const struct gpu_algo gpu_any_block = {.refuse_block = gpu_block_refuse};
