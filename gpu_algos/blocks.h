/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/blocks.h -- blocks of as many threads, and with as little shared
 * memory, as a run asks for: T and Z of the TMM model (doc/tmm.md).
 *
 * An algorithm that has a choice gives struct gpu_algo.refuse_block, takes its
 * threads from gpu_block_threads(), and launches its kernels by
 * GPU_LAUNCH_SHARED() with run->gpu.dummy_shared bytes more than they use.
 */
#pragma once
#include "gpu_algos/gpu_algo.h"

enum {
  GPU_BLOCK_MAX = 1024,        /* threads */
  GPU_SHARED_BYTES = 48 << 10, /* of a block; Z with no dummy is a quarter */
  GPU_DUMMY_MAX = 112 << 10    /* beside those, on sm_80 and later */
};

/* Of a run that leaves it open: `usual`. */
static inline unsigned gpu_block_threads(const struct algo_run *run,
                                         unsigned usual) {
  return run->gpu.block_threads ? run->gpu.block_threads : usual;
}

/* Of algorithms that have it, and no other choice. */
extern const struct gpu_algo gpu_any_block;

/* For gpu_algo.refuse_block: whole warps of 32, and dummies up to
 * GPU_DUMMY_MAX. */
const char *gpu_block_refuse(unsigned block_threads, unsigned dummy_shared);
