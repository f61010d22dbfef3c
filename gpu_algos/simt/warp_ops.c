/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of a warp: each lane leaves what it brings, and the last of the
 * mask to come makes the results of all.  So wrong masks are seen. */
#include "gpu_algos/simt/counting.h"
#include "gpu_algos/simt/warp_results.h"

static _Noreturn void fail(struct simt_block *block, unsigned other,
                           const char *what, uint32_t mask) {
  struct simt_place places[] = {simt_block_place(block, block->current),
                                simt_block_place(block, other)};
  simt_block_fail(block, SIMT_LAUNCH_FAILURE, places,
                  other == block->current ? 1 : 2, "%s, mask %08x", what, mask);
}

/* Lanes that wait and the one that came agree on who is in it and on what they
 * do. */
static void check_partners(struct simt_block *block, unsigned base,
                           uint32_t waiting) {
  const struct simt_lane *lanes = block->lanes;
  unsigned me = block->current;
  const struct simt_warp_call *mine = &lanes[me].call;
  for (; waiting; waiting &= waiting - 1) {
    unsigned other = base + (unsigned)__builtin_ctz(waiting);
    const struct simt_warp_call *call = &lanes[other].call;
    bool together = (mine->mask >> other % SIMT_LANES & 1) ||
                    (call->mask >> me % SIMT_LANES & 1);
    if (!together) continue;
    if (call->mask != mine->mask)
      fail(block, other, "wrong mask: lanes of one have different ones",
           mine->mask);
    if (call->op != mine->op)
      fail(block, other, "lanes of one mask do different operations",
           mine->mask);
  }
}

static void check(struct simt_block *block, const struct simt_warp *warp,
                  unsigned base) {
  unsigned me = block->current;
  uint32_t mask = block->lanes[me].call.mask;
  uint32_t ended = mask & ~warp->live;
  if (!(mask >> me % SIMT_LANES & 1))
    fail(block, me, "wrong mask: the lane is not in its own", mask);
  if (ended && base + (unsigned)__builtin_ctz(ended) >= block->threads)
    fail(block, me, "wrong mask: the warp has fewer lanes", mask);
  if (ended) fail(block, me, "a lane of the mask has exited", mask);
  check_partners(block, base, warp->arrived & ~(1u << me % SIMT_LANES));
}

/* All that live have come: what they did before is put together.  Or some: the
 * others may be anywhere. */
static void count(struct simt_block *block, unsigned of,
                  const struct simt_warp_call *call) {
  struct simt_counting *counting = block->counting;
  bool all = !(block->warps[of].live & ~call->mask);
  counting->tally.counters.warp_operations++;
  counting->tally.counters.warp_instructions++;
  if (!all) return;
  simt_counting_meet(block, of);
  if (call->op == SIMT_SYNC)
    simt_race_sync(counting->race, of, call->mask, true);
}

uint64_t simt_warp(struct simt_warp_call call, struct simt_site site) {
  struct simt_block *block = simt_block;
  unsigned me = block->current, base = me & ~(SIMT_LANES - 1u);
  struct simt_warp *warp = &block->warps[me / SIMT_LANES];
  if (block->counting && call.op == SIMT_SYNC && (warp->live & ~call.mask))
    simt_note_sync(call.mask, __builtin_return_address(0));
  block->lanes[me].call = call;
  block->lanes[me].site = site;
  check(block, warp, base);
  if (simt_log && simt_log->written) simt_log_settle(simt_log);
  warp->arrived |= 1u << me % SIMT_LANES;
  block->spins = 0;
  if (!(call.mask & ~warp->arrived)) {
    if (block->counting) count(block, me / SIMT_LANES, &call);
    simt_warp_results(&block->lanes[base], call.mask);
    warp->arrived &= ~call.mask;
    warp->ready |= call.mask;
  }
  simt_block_wait(block);
  return block->lanes[me].result;
}

void simt_warp_leave(struct simt_block *block, unsigned lane) {
  const struct simt_warp *warp = &block->warps[lane / SIMT_LANES];
  unsigned base = lane & ~(SIMT_LANES - 1u);
  for (uint32_t waits = warp->arrived; waits; waits &= waits - 1) {
    unsigned other = base + (unsigned)__builtin_ctz(waits);
    uint32_t mask = block->lanes[other].call.mask;
    if (!(mask >> lane % SIMT_LANES & 1)) continue;
    struct simt_place place = simt_block_place(block, other);
    simt_block_fail(block, SIMT_LAUNCH_FAILURE, &place, 1,
                    "a lane of the mask has exited (lane %u), mask %08x",
                    lane % SIMT_LANES, mask);
  }
}
