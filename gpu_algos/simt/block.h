/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/block.h -- a block of threads running on one host thread.
 *
 * Each thread of the block is a fiber; one runs until it waits or ends.  The
 * scheduler (block.c) then goes on with the next lane of the warp that can, or
 * else of the next warp.  One struct block per host thread, used for one block
 * of the grid after the other.
 */
#ifndef GPU_ALGOS_SIMT_BLOCK_H
#define GPU_ALGOS_SIMT_BLOCK_H
#include <stdbool.h>
#include <stdint.h>

#include "gpu_algos/simt/diagnosis.h"
#include "gpu_algos/simt/fiber.h"
#include "gpu_algos/simt/kernel_abi.h"
#include "gpu_algos/simt/stacks.h"

enum {
  SIMT_LANES = 32,
  SIMT_THREADS_MAX = 1024,
  SIMT_WARPS_MAX = SIMT_THREADS_MAX / SIMT_LANES,
};

struct simt_counting;
struct simt_logs;

/* A thread of the block. */
struct simt_lane {
  struct fiber *fiber; /* where it waits; NULL: it runs, or has not begun */
  struct simt_index index;
  struct simt_site site; /* where it waits */
};

/* Sets of lanes: bit i is lane i. */
struct simt_warp {
  uint32_t live;          /* have not ended */
  uint32_t ready;         /* can run, those that have not begun included */
  uint32_t arrived;       /* wait for others of the warp */
  uint32_t at_barrier;    /* wait for the block */
  uint32_t full;          /* wait, counted, for room in their logs */
  bool mixed;             /* of those that wait not all are in one call */
  struct simt_logs *logs; /* of lanes that are counted; NULL: empty */
  /* What lanes wait for, or waited for last, and what it gave. */
  struct simt_warp_call calls[SIMT_LANES];
  uint64_t results[SIMT_LANES];
};

struct simt_block {
  struct simt_stacks stacks;
  void *fault_stack;                     /* of the host thread */
  struct simt_counting *counting;        /* NULL: it does not count */
  struct simt_counting *counting_memory; /* NULL: it never did */
  struct fiber host;                     /* where run_block() waits */
  struct fiber *fiber;                   /* that runs */
  struct simt_lane lanes[SIMT_THREADS_MAX];
  struct simt_warp warps[SIMT_WARPS_MAX];
  unsigned current; /* the lane that runs */
  unsigned threads, warp_count, live;
  unsigned waiting, votes; /* at the barrier */
  unsigned first_waiting;  /* the lane that came to it first */
  int barrier_result;      /* of the last barrier */
  unsigned spins;          /* yields since something else happened */
  bool reverse;            /* the order of lanes and warps */
  const struct simt_launch *launch;
  struct simt_diagnosis diagnosis;
};

/* The block of this host thread. */
extern SIMT_THREAD_LOCAL struct simt_block *simt_block;

/* Make the block of this host thread; NULL with errno ENOMEM. */
struct simt_block *simt_block_create(void);
void simt_block_destroy(struct simt_block *block); /* NULL is fine */

/* Get ready for blocks of `launch`; false: no memory. */
bool simt_block_begin(struct simt_block *block,
                      const struct simt_launch *launch, bool reverse);

/* Run one block to its end; false where block->diagnosis says why not. */
bool simt_block_run(struct simt_block *block, struct simt_index index);

/* The running lane waits: others run until it is ready again. */
void simt_block_wait(struct simt_block *block);

/* The running lane goes on after its warp has met, without having waited. */
void simt_block_go_on(struct simt_block *block);

/* A lane of the warp ended or came to the barrier: were all awaited? */
void simt_block_gathered(struct simt_block *block, unsigned warp);

/* End the block: it is wrong.  `error`, the text and `count` places; `what` as
 * printf() has it. */
_Noreturn void simt_block_fail(struct simt_block *block, enum simt_error error,
                               const struct simt_place *places, unsigned count,
                               const char *what, ...)
    __attribute__((format(printf, 5, 6)));

/* Where a waiting lane is, for simt_block_fail(). */
struct simt_place simt_block_place(const struct simt_block *block,
                                   unsigned lane);

/* Where nothing can run: say why. */
_Noreturn void simt_block_stuck(struct simt_block *block);

/* A thread ended: whom that lets go on, or wait in vain. */
void simt_barrier_leave(struct simt_block *block);
void simt_warp_leave(struct simt_block *block, unsigned lane);
#endif
