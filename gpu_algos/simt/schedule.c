/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which thread of a block goes on. */
#include <limits.h>
#include <string.h>

#include "gpu_algos/simt/counting.h"
#include "gpu_algos/simt/fiber.h"

/* A block in which nothing but yields happened for so long waits for what only
 * another block could do, and no other may run.  Enough for every thread of the
 * largest block to look a few thousand times. */
enum { SPINS_MAX = 1 << 22 };

static uint32_t lanes_from(uint32_t lanes, unsigned lane, bool reverse) {
  return lanes & (reverse ? (1u << lane) - 1 : ~((2u << lane) - 1));
}

/* Of the warp's lanes that can run, the next after `lane`, or if there is none
 * behind it and `wrap` the first; -1: none can. */
static int next_lane(const struct simt_warp *warp, unsigned lane, bool wrap,
                     bool reverse) {
  uint32_t next = lanes_from(warp->ready, lane, reverse);
  if (!next && wrap) next = warp->ready;
  if (!next) return -1;
  return reverse ? 31 - __builtin_clz(next) : __builtin_ctz(next);
}

/* The warp of the running lane first: its data are in the cache, and a warp
 * that waits for itself is soon done.  Or (`in_turn`) each thread that can run
 * before any that ran. */
static unsigned next_thread(struct simt_block *block, bool in_turn) {
  unsigned warp = block->current / SIMT_LANES;
  unsigned lane = block->current % SIMT_LANES;
  unsigned step = block->reverse ? block->warp_count - 1 : 1;
  for (unsigned k = 0; k <= block->warp_count; k++) {
    const struct simt_warp *of = &block->warps[warp];
    if (!of->ready && of->full) simt_counting_relieve(block, warp);
    int next = next_lane(of, lane, k || !in_turn, block->reverse);
    if (next >= 0) return warp * SIMT_LANES + (unsigned)next;
    warp = (warp + step) % block->warp_count;
    lane = block->reverse ? 0 : SIMT_LANES - 1;
  }
  simt_block_stuck(block);
}

static void enter(struct simt_block *block, unsigned thread) {
  struct simt_warp *warp = &block->warps[thread / SIMT_LANES];
  block->current = thread;
  warp->ready &= ~(1u << thread % SIMT_LANES);
  if (block->counting) simt_counting_resume(block);
  simt_here.thread = block->index[thread];
}

void simt_block_go_on(struct simt_block *block) {
  enter(block, block->current);
}

static __attribute__((noinline)) void *new_stack(struct simt_block *block) {
  void *stack = simt_stacks_take(&block->stacks, simt_block_main);
  if (!stack)
    simt_block_fail(block, SIMT_MEMORY_ALLOCATION, NULL, 0,
                    "no stack for a thread: raise vm.max_map_count, or run "
                    "fewer blocks at once");
  return stack;
}

/* Leave the running thread, which waits or has ended, for another. */
static void go_on(struct simt_block *block, unsigned thread) {
  unsigned from = block->current;
  void *to = block->left_off[thread];
  enter(block, thread);
  if (thread == from) return;
  if (!to) to = new_stack(block);
  fiber_switch(&block->left_off[from], to);
}

static __attribute__((noinline)) void wait_for_any(struct simt_block *block) {
  go_on(block, next_thread(block, false));
}

/* Into the cache, while the thread before it runs: what a block of 1024 leaves
 * on its stacks is more than the first level has, and waiting for it took a
 * third of the time of a tiled matrix product (Zen 3).  Saved registers and
 * what a kernel spilled: more than three lines are seldom in use. */
static inline void fetch_stack(const void *left_off) {
  uintptr_t at = (uintptr_t)left_off; /* or 0: no harm */
  for (unsigned line = 0; line < 3; line++)
    __builtin_prefetch((const void *)(at + line * 64));
}

/* Done millions of times a second where threads meet at barriers: mostly the
 * next lane of the warp can run. */
void simt_block_wait(struct simt_block *block) {
  unsigned me = block->current, lane = me % SIMT_LANES;
  struct simt_warp *warp = &block->warps[me / SIMT_LANES];
  uint32_t next = warp->ready & (~1u << lane);
  if (!next || block->reverse) {
    wait_for_any(block);
    return;
  }
  unsigned thread = me - lane + (unsigned)__builtin_ctz(next);
  void *to = block->left_off[thread];
  warp->ready ^= next & -next;
  block->current = thread;
  simt_here.thread = block->index[thread];
  fetch_stack(block->left_off[thread + 1]);
  if (block->counting) simt_counting_resume(block);
  if (!to) to = new_stack(block);
  fiber_switch(&block->left_off[me], to);
}

/* The warp stops where all of it that lives is: nothing is open any more. */
void simt_block_gathered(struct simt_block *block, unsigned warp) {
  const struct simt_warp *of = &block->warps[warp];
  if (of->live == of->at_barrier) simt_counting_meet(block, warp);
}

static void end_thread(struct simt_block *block) {
  unsigned thread = block->current;
  block->warps[thread / SIMT_LANES].live &= ~(1u << thread % SIMT_LANES);
  block->live--;
  block->spins = 0;
  if (block->counting) simt_block_gathered(block, thread / SIMT_LANES);
  simt_warp_leave(block, thread);
  simt_barrier_leave(block);
}

/* One after the other while none waits; false: one did, and has ended since. */
static bool run_fresh(struct simt_block *block) {
  void (*run)(const void *job) = block->launch->run;
  const void *job = block->launch->job;
  unsigned step = block->reverse ? UINT_MAX : 1;
  for (unsigned left = block->threads;;) {
    run(job);
    if (!block->fresh) return false;
    if (!--left) return true;
    block->current += step;
    simt_here.thread = block->index[block->current];
  }
}

/* The running thread and those behind it that have not begun, until one is to
 * go on that has: nothing comes back to this stack. */
static void run_rest(struct simt_block *block) {
  for (;;) {
    simt_log_pause();
    end_thread(block);
    if (!block->live) return;
    unsigned thread = next_thread(block, false);
    if (block->left_off[thread]) {
      simt_stacks_put(&block->stacks);
      go_on(block, thread);
    }
    enter(block, thread);
    simt_log_set_depth(0);
    block->launch->run(block->launch->job);
  }
}

void simt_block_main(void) {
  struct simt_block *block = simt_block;
  void *over;
  if (block->fresh) {
    if (!run_fresh(block)) run_rest(block);
  } else {
    simt_log_set_depth(0);
    block->launch->run(block->launch->job);
    run_rest(block);
  }
  simt_stacks_put(&block->stacks);
  fiber_switch(&over, block->host);
}

/* Of a warp that begins with thread `first`, the lanes before `thread`. */
static uint32_t lanes_before(unsigned first, unsigned thread) {
  if (thread <= first) return 0;
  return thread - first < SIMT_LANES ? (1u << (thread - first)) - 1
                                     : UINT32_MAX;
}

void simt_block_settle(struct simt_block *block) {
  unsigned from = block->reverse ? 0 : block->current;
  unsigned to = block->reverse ? block->current + 1 : block->threads;
  block->fresh = false;
  block->live = to - from;
  block->waiting = block->votes = block->spins = 0;
  for (unsigned w = 0; w < block->warp_count; w++) {
    struct simt_warp *warp = &block->warps[w];
    warp->live =
        lanes_before(w * SIMT_LANES, to) & ~lanes_before(w * SIMT_LANES, from);
    warp->ready = warp->live;
    warp->arrived = warp->at_barrier = warp->full = 0;
    warp->logs = NULL;
  }
  memset(block->left_off, 0, block->threads * sizeof *block->left_off);
  enter(block, block->current);
}

void simt_yield(void) {
  struct simt_block *block = simt_block;
  if (block->fresh) simt_block_settle(block);
  block->warps[block->current / SIMT_LANES].ready |=
      1u << block->current % SIMT_LANES;
  if (++block->spins > SPINS_MAX) {
    struct simt_place place = {.thread = simt_here.thread};
    simt_block_fail(block, SIMT_LAUNCH_FAILURE, &place, 1,
                    "endless wait in __nanosleep");
  }
  simt_log_pause();
  go_on(block, next_thread(block, true));
}
