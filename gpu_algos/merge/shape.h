/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/merge/shape.h -- blocks that sort and merge keys in shared memory:
 * as many keys as fit what a run leaves of it, Z, by any number of threads. */
#pragma once
#include "gpu_algos/gpu.h"
extern "C" {
#include "gpu_algos/blocks.h"
}

extern __shared__ unsigned char smem[];

namespace {

enum : uint32_t { MERGE_THREADS = 512, KEYS_LEAST = 64 };

struct merge_shape {
  uint32_t threads, keys; /* Z: a power of two */
  uint32_t shared_bytes;  /* of so many keys, and what is left alone */
};

template <class KEY>
inline merge_shape shape_of(const struct algo_run *run) {
  merge_shape shape = {gpu_block_threads(run, MERGE_THREADS), KEYS_LEAST, 0};
  while (2 * shape.keys * sizeof(KEY) + run->gpu.dummy_shared <=
         GPU_SHARED_BYTES)
    shape.keys *= 2;
  shape.shared_bytes =
      (uint32_t)(shape.keys * sizeof(KEY)) + run->gpu.dummy_shared;
  return shape;
}

/* For gpu_algo.refuse_block. */
inline const char *refuse_shape(unsigned threads, unsigned dummy_shared) {
  const char *why = gpu_block_refuse(threads, dummy_shared);
  if (why) return why;
  if (dummy_shared + KEYS_LEAST * sizeof(uint64_t) <= GPU_SHARED_BYTES)
    return nullptr;
  return "its blocks hold 64 keys at least: they can leave 48640 bytes of "
         "shared memory alone at most";
}

const struct gpu_algo any_shape = {.refuse_block = refuse_shape};

/* The keys in shared memory. */
template <class KEY>
__device__ __forceinline__ KEY *shared_keys() {
  return (KEY *)(void *)smem;
}

}  // namespace
