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
  block->waiting = block->votes = 0;
  for (unsigned w = 0; w < block->warp_count; w++) {
    struct simt_warp *warp = &block->warps[w];
    warp->ready |= warp->at_barrier;
    warp->at_barrier = 0;
  }
}

static bool same_site(struct simt_site a, struct simt_site b) {
  return a.line == b.line && (a.file == b.file || !strcmp(a.file, b.file));
}

static void check_site(struct simt_block *block) {
  unsigned first = block->first_waiting, me = block->current;
  if (same_site(block->lanes[first].site, block->lanes[me].site)) return;
  struct simt_place places[] = {simt_block_place(block, first),
                                simt_block_place(block, me)};
  simt_block_fail(block, SIMT_LAUNCH_FAILURE, places, 2,
                  "divergent barrier: threads wait at different ones");
}

int simt_barrier(int predicate, struct simt_site site) {
  struct simt_block *block = simt_block;
  unsigned me = block->current;
  block->lanes[me].site = site;
  block->warps[me / SIMT_LANES].at_barrier |= 1u << me % SIMT_LANES;
  if (!block->waiting) block->first_waiting = me;
  check_site(block);
  block->votes += predicate != 0;
  block->spins = 0;
  simt_log_pause();
  simt_block_gathered(block, me / SIMT_LANES);
  if (++block->waiting == block->live) {
    open_barrier(block);
    simt_block_go_on(block);
  } else {
    simt_block_wait(block);
  }
  return block->barrier_result;
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
    places[1] = simt_block_place(block, block->first_waiting);
    simt_block_fail(block, SIMT_LAUNCH_FAILURE, places, 2,
                    "divergent barrier: one waits for lanes of its warp, "
                    "which wait for the block");
  }
  simt_block_fail(
      block, SIMT_LAUNCH_FAILURE, places, 1,
      "lanes of a warp wait for each other in vain, mask %08x",
      block->warps[lane / SIMT_LANES].calls[lane % SIMT_LANES].mask);
}
