/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of a block that wait for each other.  A thread that has ended is not
 * waited for, as on devices since Volta. */
#include <string.h>

#include "gpu_algos/simt/block.h"
#include "gpu_algos/simt/counting.h"

static void count(struct simt_block *block) {
  struct simt_counters *counters = &block->counting->tally.counters;
  counters->barriers++;
  for (unsigned w = 0; w < block->warp_count; w++)
    counters->warp_instructions += block->warps[w].at_barrier != 0;
  simt_race_barrier(block->counting->race);
}

static void open_barrier(struct simt_block *block) {
  if (block->counting) count(block);
  block->barrier_result = (int)block->votes;
  block->waiting = block->votes = block->spins = 0;
  block->barrier.file = NULL;
  for (unsigned w = 0; w < block->warp_count; w++) {
    block->warps[w].ready = block->warps[w].live;
    block->warps[w].at_barrier = 0;
  }
}

static struct simt_place place_of_first(const struct simt_block *block) {
  return (struct simt_place){.thread = block->index[block->first_waiting],
                             .site = block->barrier};
}

static void check_site(struct simt_block *block, struct simt_site site) {
  if (site.line == block->barrier.line &&
      (site.file == block->barrier.file ||
       !strcmp(site.file, block->barrier.file)))
    return;
  struct simt_place places[] = {
      place_of_first(block),
      {.thread = block->index[block->current], .site = site}};
  simt_block_fail(block, SIMT_LAUNCH_FAILURE, places, 2,
                  "divergent barrier: threads wait at different ones");
}

static void count_arrival(struct simt_block *block) {
  unsigned warp = block->current / SIMT_LANES;
  block->warps[warp].at_barrier |= 1u << block->current % SIMT_LANES;
  simt_log_pause();
  simt_block_gathered(block, warp);
}

int simt_barrier(int predicate, struct simt_site site) {
  struct simt_block *block = simt_block;
  if (block->fresh) simt_block_settle(block);
  if (!block->waiting) {
    block->first_waiting = block->current;
    block->barrier = site;
    block->spins = 0;
  }
  check_site(block, site);
  block->votes += predicate != 0;
  if (block->counting) count_arrival(block);
  if (++block->waiting == block->live) {
    open_barrier(block);
    simt_block_go_on(block);
  } else {
    simt_block_wait(block);
  }
  return block->barrier_result;
}

/* The first that waits, the last, and whoever waits elsewhere, take the way
 * above.  Nothing is to be done behind a switch here, so that the compiler
 * makes it a jump: then all that a thread leaves on its stack is in a line or
 * two of the cache. */
void simt_syncthreads(struct simt_site site) {
  struct simt_block *block = simt_block;
  if (site.file == block->barrier.file && site.line == block->barrier.line &&
      block->waiting + 1 != block->live) {
    block->waiting++;
    simt_block_wait(block);
  } else {
    simt_barrier(0, site);
  }
}

void simt_barrier_leave(struct simt_block *block) {
  if (block->waiting && block->waiting == block->live) open_barrier(block);
}

/* The first lane of the block that waits for others of its warp; the number of
 * threads: none does. */
static unsigned in_warp_operation(const struct simt_block *block) {
  for (unsigned w = 0; w < block->warp_count; w++)
    if (block->warps[w].arrived)
      return w * SIMT_LANES + (unsigned)__builtin_ctz(block->warps[w].arrived);
  return block->threads;
}

/* Every live thread waits: at the barrier, or for lanes of its warp, which have
 * not ended (warp_ops.c sees to that) and hence wait, too. */
void simt_block_stuck(struct simt_block *block) {
  unsigned lane = in_warp_operation(block);
  struct simt_place places[2] = {simt_block_place(block, lane)};
  if (block->waiting) {
    places[1] = place_of_first(block);
    simt_block_fail(block, SIMT_LAUNCH_FAILURE, places, 2,
                    "divergent barrier: one waits for lanes of its warp, "
                    "which wait for the block");
  }
  simt_block_fail(
      block, SIMT_LAUNCH_FAILURE, places, 1,
      "lanes of a warp wait for each other in vain, mask %08x",
      block->warps[lane / SIMT_LANES].calls[lane % SIMT_LANES].mask);
}
