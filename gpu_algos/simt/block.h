/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/block.h -- a block of threads running on one host thread.
 *
 * A thread of the block runs until it waits or ends.  The scheduler
 * (schedule.c) then goes on with the next lane of the warp that can, or else of
 * the next warp.  While none has waited yet, which is all there is of many
 * kernels, threads are plain calls on one stack, and nothing is kept of who
 * ended; one that waits leaves its stack to itself, and the next has another.
 * One struct block per host thread, used for one block of the grid after the
 * other.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "gpu_algos/simt/diagnosis.h"
#include "gpu_algos/simt/kernel_abi.h"
#include "gpu_algos/simt/stacks.h"

enum {
  SIMT_LANES = 32,
  SIMT_THREADS_MAX = 1024,
  SIMT_WARPS_MAX = SIMT_THREADS_MAX / SIMT_LANES,
};

struct simt_counting;
struct simt_logs;

/* What a lane brought to an operation of its warp. */
struct simt_warp_call {
  uint64_t value;
  uint32_t mask;
  uint8_t op;              /* enum simt_warp_op */
  uint8_t argument, width; /* of shuffles: at most 32 */
};

/* Sets of lanes: bit i is lane i. */
struct simt_warp {
  uint32_t live;          /* have not ended */
  uint32_t ready;         /* can run, those that have not begun included */
  uint32_t arrived;       /* wait for others of the warp */
  uint32_t at_barrier;    /* counted: wait for the block */
  uint32_t full;          /* counted: wait for room in their logs */
  bool mixed;             /* of those that wait not all are in one call */
  struct simt_logs *logs; /* of lanes that are counted; NULL: empty */
  /* What lanes wait for, or waited for last, and what it gave. */
  struct simt_warp_call calls[SIMT_LANES];
  uint64_t results[SIMT_LANES];
};

struct simt_block {
  /* First what a switch needs. */
  unsigned current; /* the thread that runs */
  bool reverse;     /* the order of lanes and warps */
  bool fresh;       /* no thread has waited yet: `live` and `warps` are unset */
  bool running;
  unsigned threads, warp_count, live;
  /* At the barrier. */
  unsigned waiting, votes;
  unsigned first_waiting;   /* the thread that came first */
  struct simt_site barrier; /* where it waits, and all do; NULL: none does */
  int barrier_result;       /* of the last barrier */
  unsigned spins;           /* yields since something else happened */
  const struct simt_launch *launch;
  struct simt_counting *counting; /* NULL: it does not count */
  void *host;                     /* where simt_block_run() waits */
  /* Where each thread waits; NULL: it has not begun.  (Of one that runs or has
   * ended, nothing.  One more, as the one behind is always looked at.) */
  void *left_off[SIMT_THREADS_MAX + 1];
  struct simt_index index[SIMT_THREADS_MAX];
  struct simt_site site[SIMT_THREADS_MAX]; /* of those that wait for lanes */
  struct simt_warp warps[SIMT_WARPS_MAX];
  struct simt_stacks stacks;
  void *fault_stack;                     /* of the host thread */
  struct simt_counting *counting_memory; /* NULL: it never did */
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

/* What simt_block_run() switches to: threads from the current one on. */
void simt_block_main(void);

/* The running lane waits: others run until it is ready again. */
void simt_block_wait(struct simt_block *block);

/* The running lane goes on after others were awaited, without having waited. */
void simt_block_go_on(struct simt_block *block);

/* The first thread that may wait: write down who lives. */
void simt_block_settle(struct simt_block *block);

/* Counted, a lane of the warp ended or came to the barrier: were all awaited?
 */
void simt_block_gathered(struct simt_block *block, unsigned warp);

/* End the block: it is wrong.  `error`, the text and `count` places; `what` as
 * printf() has it. */
_Noreturn void simt_block_fail(struct simt_block *block, enum simt_error error,
                               const struct simt_place *places, unsigned count,
                               const char *what, ...)
    __attribute__((format(printf, 5, 6)));

/* Where a thread that waits for lanes of its warp is, for simt_block_fail(). */
struct simt_place simt_block_place(const struct simt_block *block,
                                   unsigned thread);

/* Where nothing can run: say why. */
_Noreturn void simt_block_stuck(struct simt_block *block);

/* A thread ended: whom that lets go on, or wait in vain. */
void simt_barrier_leave(struct simt_block *block);
void simt_warp_leave(struct simt_block *block, unsigned lane);
