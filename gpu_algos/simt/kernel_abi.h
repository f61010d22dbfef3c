/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/kernel_abi.h -- what a kernel compiled for the emulator calls.
 *
 * Kernels are C++, the emulator is C: this is the seam.  Nothing here is for
 * people to call: kernels are written against <cuda_runtime.h>, drivers against
 * simt.h.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define SIMT_THREAD_LOCAL thread_local
#else
#define SIMT_THREAD_LOCAL _Thread_local
#endif

struct simt_index {
  unsigned x, y, z;
};

/* Who the running thread is: threadIdx, blockIdx, blockDim, gridDim. */
struct simt_here {
  struct simt_index thread, block, block_dim, grid_dim;
};

enum { SIMT_DYNAMIC_SHARED_MAX = 227 * 1024 }; /* of one block, as on sm_90 */

extern SIMT_THREAD_LOCAL struct simt_here simt_here;
/* The dynamic shared memory; every kernel spells its name so. */
extern SIMT_THREAD_LOCAL unsigned char smem[];

/* The same by calls, which no sanitizer takes for accesses of the kernel.  What
 * they give never changes in the life of a thread: hence const. */
struct simt_index simt_thread_index(void) __attribute__((const));
struct simt_index simt_block_index(void) __attribute__((const));
struct simt_index simt_block_dim(void) __attribute__((const));
struct simt_index simt_grid_dim(void) __attribute__((const));

/* Where in the source a kernel waits.  (Without gaps: to fill one would be
 * counted as the kernel's arithmetic.) */
struct simt_site {
  const char *file;
  long line;
};

/* Wait for every thread of the block that has not ended; for how many of them
 * `predicate` was not 0. */
int simt_barrier(int predicate, struct simt_site site);
void simt_syncthreads(struct simt_site site); /* plain kernels: the fast way */

enum simt_warp_op {
  SIMT_SYNC,
  SIMT_VOTE, /* the lanes whose value is not 0 */
  SIMT_SHUFFLE,
  SIMT_SHUFFLE_UP,
  SIMT_SHUFFLE_DOWN,
  SIMT_SHUFFLE_XOR,
  SIMT_MATCH_ANY,
  SIMT_MATCH_ALL,
  SIMT_REDUCE_ADD,
  SIMT_REDUCE_MIN, /* of unsigned values */
  SIMT_REDUCE_MAX,
  SIMT_REDUCE_AND,
  SIMT_REDUCE_OR,
  SIMT_REDUCE_XOR,
};

/* How, as one number that the compiler knows: `width` is of shuffles. */
#define SIMT_HOW(op, width) ((uint32_t)(op) | (uint32_t)(width) << 8)

/* Wait for the lanes of the mask, then what the operation gives this lane for
 * its value.  `asked`, of shuffles: the lane's number in its segment, or how
 * far away it is.  (Nothing is packed here: that would be counted as the
 * kernel's arithmetic.) */
uint64_t simt_warp(uint64_t value, uint32_t mask, uint32_t how, uint32_t asked,
                   struct simt_site site);

void simt_yield(void);                 /* __nanosleep: others may run first */
void simt_fence(void);                 /* __threadfence and its like */
void simt_trap(struct simt_site site); /* __trap: the launch fails */

/* Called before an atomic operation of a counted kernel. */
void simt_note_atomic(const volatile void *at, unsigned size, const void *pc);

struct simt_launch {
  const void *kernel;           /* its address: it names it in a diagnosis */
  void (*run)(const void *job); /* one thread of it */
  const void *job;
  struct simt_index grid, block;
  size_t shared_bytes; /* dynamic */
  int counted;         /* the kernel notes its accesses */
};

void simt_run(const struct simt_launch *launch);

#ifdef __cplusplus
}
#endif
