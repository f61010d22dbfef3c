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

/* Lanes that wait for each other agree on who is in it and on what they do. */
static void check_partners(struct simt_block *block,
                           const struct simt_warp *warp, uint32_t waiting) {
  unsigned me = block->current % SIMT_LANES;
  const struct simt_warp_call *mine = &warp->calls[me];
  for (; waiting; waiting &= waiting - 1) {
    unsigned lane = (unsigned)__builtin_ctz(waiting);
    unsigned other = block->current - me + lane;
    const struct simt_warp_call *call = &warp->calls[lane];
    if (!(mine->mask >> lane & 1) || !(call->mask >> me & 1)) continue;
    if (call->mask != mine->mask)
      fail(block, other, "wrong mask: lanes of one have different ones",
           mine->mask);
    if (call->op != mine->op)
      fail(block, other, "lanes of one mask do different operations",
           mine->mask);
  }
}

static void check_mask(struct simt_block *block, const struct simt_warp *warp) {
  unsigned me = block->current, lane = me % SIMT_LANES;
  uint32_t mask = warp->calls[lane].mask, ended = mask & ~warp->live;
  if (!(mask >> lane & 1))
    fail(block, me, "wrong mask: the lane is not in its own", mask);
  if (!ended) return;
  if (me - lane + (unsigned)__builtin_ctz(ended) >= block->threads)
    fail(block, me, "wrong mask: the warp has fewer lanes", mask);
  fail(block, me, "a lane of the mask has exited", mask);
}

/* While all that wait are in one call, to compare with one of them will do. */
static void check(struct simt_block *block, struct simt_warp *warp) {
  const struct simt_warp_call *mine = &warp->calls[block->current % SIMT_LANES];
  check_mask(block, warp);
  if (!warp->arrived) {
    warp->mixed = false;
    return;
  }
  const struct simt_warp_call *one = &warp->calls[__builtin_ctz(warp->arrived)];
  if (!warp->mixed && mine->mask == one->mask && mine->op == one->op) return;
  check_partners(block, warp, warp->arrived);
  warp->mixed = true;
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

/* Have all of the mask come, and for this? */
static bool complete(const struct simt_warp *warp, uint32_t mask) {
  if (mask & ~warp->arrived) return false;
  if (!warp->mixed) return true;
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    if (warp->calls[__builtin_ctz(rest)].mask != mask) return false;
  return true;
}

/* A lane is asked for by its number within the segment, or by how far it is:
 * from 32 on all distances lead out of any segment. */
static struct simt_warp_call call_of(uint64_t value, uint32_t mask,
                                     uint32_t how, uint32_t asked) {
  struct simt_warp_call call = {.value = value,
                                .mask = mask,
                                .op = (uint8_t)how,
                                .width = (uint8_t)(how >> 8)};
  if (call.op == SIMT_SHUFFLE)
    call.argument = asked % 32;
  else
    call.argument = (uint8_t)(asked < 32 ? asked : 32);
  return call;
}

uint64_t simt_warp(uint64_t value, uint32_t mask, uint32_t how, uint32_t asked,
                   struct simt_site site) {
  struct simt_warp_call call = call_of(value, mask, how, asked);
  struct simt_block *block = simt_block;
  unsigned me = block->current;
  struct simt_warp *warp = &block->warps[me / SIMT_LANES];
  if (block->fresh) simt_block_settle(block);
  if (block->counting && call.op == SIMT_SYNC && (warp->live & ~call.mask))
    simt_note_sync(call.mask, __builtin_return_address(0));
  warp->calls[me % SIMT_LANES] = call;
  block->site[me] = site;
  check(block, warp);
  simt_log_pause();
  warp->arrived |= 1u << me % SIMT_LANES;
  block->spins = 0;
  if (complete(warp, call.mask)) {
    if (block->counting) count(block, me / SIMT_LANES, &call);
    simt_warp_results(warp, call.mask);
    warp->arrived &= ~call.mask;
    warp->ready |= call.mask;
    simt_block_go_on(block);
  } else {
    simt_block_wait(block);
  }
  return warp->results[me % SIMT_LANES];
}

void simt_warp_leave(struct simt_block *block, unsigned lane) {
  const struct simt_warp *warp = &block->warps[lane / SIMT_LANES];
  unsigned base = lane & ~(SIMT_LANES - 1u);
  for (uint32_t waits = warp->arrived; waits; waits &= waits - 1) {
    unsigned other = base + (unsigned)__builtin_ctz(waits);
    uint32_t mask = warp->calls[other % SIMT_LANES].mask;
    if (!(mask >> lane % SIMT_LANES & 1)) continue;
    struct simt_place place = simt_block_place(block, other);
    simt_block_fail(block, SIMT_LAUNCH_FAILURE, &place, 1,
                    "a lane of the mask has exited (lane %u), mask %08x",
                    lane % SIMT_LANES, mask);
  }
}
