/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/block.h"

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
  simt_log_stop();
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
  fiber_switch(&block->host, simt_stacks_take(&block->stacks, simt_block_main));
  block->running = false;
  simt_log_stop();
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
