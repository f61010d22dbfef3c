/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/block.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_algos/simt/counting.h"
#include "gpu_algos/simt/fault.h"
#include "gpu_algos/simt/fiber.h"

SIMT_THREAD_LOCAL struct simt_block *simt_block;
SIMT_THREAD_LOCAL struct simt_here simt_here;
_Alignas(1024) SIMT_THREAD_LOCAL unsigned char smem[SIMT_DYNAMIC_SHARED_MAX];

/* A block in which nothing but yields happened for so long waits for what only
 * another block could do, and no other may run.  Enough for every thread of the
 * largest block to look a few thousand times. */
enum { SPINS_MAX = 1 << 22 };

struct simt_block *simt_block_create(void) {
  struct simt_block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  if (simt_faults_begin_thread(&block->fault_stack) &&
      !simt_stacks_init(&block->stacks, SIMT_THREADS_MAX))
    return block;
  simt_block_destroy(block);
  return NULL;
}

void simt_block_destroy(struct simt_block *block) {
  if (!block) return;
  simt_counting_destroy(block->counting_memory);
  simt_stacks_fini(&block->stacks);
  simt_faults_end_thread(block->fault_stack);
  free(block);
}

static bool begin_counting(struct simt_block *block,
                           const struct simt_launch *launch) {
  block->counting = NULL;
  simt_noting.log = NULL;
  if (!launch->counted) return true;
  if (!block->counting_memory) block->counting_memory = simt_counting_create();
  block->counting = block->counting_memory;
  return block->counting && simt_counting_begin(block->counting, launch);
}

bool simt_block_begin(struct simt_block *block,
                      const struct simt_launch *launch, bool reverse) {
  struct simt_index size = launch->block, at;
  struct simt_index *index = block->index;
  for (at.z = 0; at.z < size.z; at.z++)
    for (at.y = 0; at.y < size.y; at.y++)
      for (at.x = 0; at.x < size.x; at.x++) *index++ = at;
  block->launch = launch;
  block->reverse = reverse;
  block->threads = size.x * size.y * size.z;
  block->warp_count = (block->threads + SIMT_LANES - 1) / SIMT_LANES;
  block->diagnosis.error = SIMT_SUCCESS;
  simt_here.block_dim = size;
  simt_here.grid_dim = launch->grid;
  return begin_counting(block, launch);
}

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
  if (block->counting)
    simt_noting.log =
        simt_counting_log(block->counting, warp, thread % SIMT_LANES);
  simt_here.thread = block->index[thread];
}

void simt_block_go_on(struct simt_block *block) {
  enter(block, block->current);
}

static void fiber_main(void);

/* Leave the running thread, which waits or has ended, for another. */
static void go_on(struct simt_block *block, unsigned thread) {
  unsigned from = block->current;
  void *to = block->left_off[thread];
  enter(block, thread);
  if (thread == from) return;
  if (!to) to = simt_stacks_take(&block->stacks, fiber_main);
  fiber_switch(&block->left_off[from], to);
}

static __attribute__((noinline)) void wait_for_any(struct simt_block *block) {
  simt_log_pause();
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
  if (!next || block->reverse || block->counting) {
    wait_for_any(block);
    return;
  }
  unsigned thread = me - lane + (unsigned)__builtin_ctz(next);
  void *to = block->left_off[thread];
  warp->ready ^= next & -next;
  block->current = thread;
  simt_here.thread = block->index[thread];
  fetch_stack(block->left_off[thread + 1]);
  if (!to) to = simt_stacks_take(&block->stacks, fiber_main);
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
    if (simt_noting.log) simt_noting.log->depth = 0;
    block->launch->run(block->launch->job);
  }
}

static void fiber_main(void) {
  struct simt_block *block = simt_block;
  void *over;
  if (block->fresh) {
    if (!run_fresh(block)) run_rest(block);
  } else {
    if (simt_noting.log) simt_noting.log->depth = 0;
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

bool simt_block_run(struct simt_block *block, struct simt_index index) {
  simt_here.block = index;
  /* What a kernel does not set is found out: NaN as a float, -1 as a number. */
  memset(smem, 0xff, block->launch->shared_bytes);
  block->current = block->reverse ? block->threads - 1 : 0;
  simt_here.thread = block->index[block->current];
  block->barrier.file = NULL;
  block->fresh = true;
  if (block->counting) {
    simt_race_begin_block(block->counting->race);
    simt_block_settle(block);
  }
  block->running = true;
  fiber_switch(&block->host, simt_stacks_take(&block->stacks, fiber_main));
  block->running = false;
  simt_noting.log = NULL;
  if (block->diagnosis.error == SIMT_SUCCESS) return true;
  simt_stacks_put_all(&block->stacks);
  return false;
}

struct simt_place simt_block_place(const struct simt_block *block,
                                   unsigned thread) {
  return (struct simt_place){.thread = block->index[thread],
                             .site = block->site[thread]};
}

void simt_block_fail(struct simt_block *block, enum simt_error error,
                     const struct simt_place *places, unsigned count,
                     const char *what, ...) {
  struct simt_diagnosis *seen = &block->diagnosis;
  va_list arguments;
  va_start(arguments, what);
  vsnprintf(seen->what, sizeof seen->what, what, arguments);
  va_end(arguments);
  seen->error = error;
  seen->block = simt_here.block;
  seen->count = count;
  if (count) memcpy(seen->places, places, count * sizeof *places);
  void *over;
  fiber_switch(&over, block->host);
  abort(); /* nothing ever switches back to it */
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

void simt_trap(struct simt_site site) {
  struct simt_place place = {.thread = simt_here.thread, .site = site};
  simt_block_fail(simt_block, SIMT_LAUNCH_FAILURE, &place, 1, "__trap");
}

/* Threads of a block never run at once, and blocks share by atomics only. */
void simt_fence(void) {
  struct simt_block *block = simt_block;
  if (block->counting) simt_race_fence(block->counting->race, block->current);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

struct simt_index simt_thread_index(void) {
  return simt_here.thread;
}
struct simt_index simt_block_index(void) {
  return simt_here.block;
}
struct simt_index simt_block_dim(void) {
  return simt_here.block_dim;
}
struct simt_index simt_grid_dim(void) {
  return simt_here.grid_dim;
}
