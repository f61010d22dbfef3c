/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/kernel_words.h -- CUDA's words of the language for g++.
 *
 * __shared__ is storage of the host thread, as a block runs on one: no kernel
 * must be left while it runs.  It holds nothing at first; that g++ knows
 * (__constinit), or it would ask a flag beside each array of vectors, in shared
 * memory, too, whether that has been made.  Dynamic shared memory is always
 * spelled `extern __shared__ unsigned char smem[];` and cast.
 */
#pragma once
#include "gpu_algos/simt/kernel_abi.h"

#define __global__
#define __device__
#define __host__
#define __constant__ __attribute__((section("simt_constant")))
#define __shared__ __constinit thread_local
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

/* Code around the kernel, of which nothing is to be counted. */
#ifdef SIMT_COUNTED
#define SIMT_IS_COUNTED 1
#define SIMT_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#else
#define SIMT_IS_COUNTED 0
#define SIMT_UNSEEN
#endif

struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1)
      : x(vx), y(vy), z(vz) {}
};

#ifdef SIMT_COUNTED
#define threadIdx (simt_thread_index())
#define blockIdx (simt_block_index())
#define blockDim (simt_block_dim())
#define gridDim (simt_grid_dim())
#else
#define threadIdx (simt_here.thread)
#define blockIdx (simt_here.block)
#define blockDim (simt_here.block_dim)
#define gridDim (simt_here.grid_dim)
#endif
#define warpSize 32

/* Where a kernel calls: the place of the call, by a default argument. */
#define SIMT_CALLED_AT \
  const char *file = __builtin_FILE(), int line = __builtin_LINE()

static __forceinline__ void __syncthreads(SIMT_CALLED_AT) {
#ifdef SIMT_COUNTED
  simt_barrier(0, {file, line});
#else
  simt_syncthreads({file, line});
#endif
}
static __forceinline__ int __syncthreads_count(int predicate, SIMT_CALLED_AT) {
  return simt_barrier(predicate, {file, line});
}
static __forceinline__ int __syncthreads_or(int predicate, SIMT_CALLED_AT) {
  return simt_barrier(predicate, {file, line}) != 0;
}
static __forceinline__ int __syncthreads_and(int predicate, SIMT_CALLED_AT) {
  return simt_barrier(!predicate, {file, line}) == 0;
}
static __forceinline__ void __threadfence() { simt_fence(); }
static __forceinline__ void __threadfence_block() { simt_fence(); }
static __forceinline__ void __threadfence_system() { simt_fence(); }
static __forceinline__ void __nanosleep(unsigned) { simt_yield(); }
static __forceinline__ void __trap(SIMT_CALLED_AT) { simt_trap({file, line}); }
