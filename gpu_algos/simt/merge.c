/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which records of a warp's lanes are one instruction?
 *
 * Lanes that part go on one after the other, and meet again where their ways in
 * the source do.  A device's compiler marks these places; here the code lies in
 * the order of the source, so that of all lanes those go on which are in the
 * deepest call, and of them those where the code lies lowest: whoever skipped a
 * part is then behind it, and waits for those within.  A jump back is to the
 * head of a loop, where the lanes that stay in it are gathered before any
 * goes on behind it.  The order of the lanes' running plays no part.
 */
#include "gpu_algos/simt/counting.h"

/* How far the logs of a warp have been put together. */
struct merge {
  struct simt_log *logs;
  uint32_t taken[SIMT_LANES]; /* records of each */
  uint32_t active;            /* lanes that have more */
  uint32_t held;              /* of these: wait for others at a __syncwarp() */
};

static inline const struct simt_record *front(const struct merge *merge,
                                              unsigned lane) {
  return &merge->logs[lane].records[merge->taken[lane]];
}

/* Of the lanes those whose next record has the least key. */
static uint32_t least(const struct merge *merge, uint32_t lanes) {
  uint64_t key = UINT64_MAX;
  uint32_t group = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t other = front(merge, lane)->key;
    if (other > key) continue;
    if (other < key) group = 0;
    key = other;
    group |= 1u << lane;
  }
  return group;
}

static void gather(struct merge *merge, uint32_t lanes,
                   struct simt_group *group) {
  group->lanes = lanes;
  group->count = 0;
  group->key = front(merge, (unsigned)__builtin_ctz(lanes))->key;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    group->lane[group->count] = lane;
    group->at[group->count++] = front(merge, lane)->at;
    if (++merge->taken[lane] == merge->logs[lane].count)
      merge->active &= ~(1u << lane);
  }
}

/* A __syncwarp() orders what was before it and what is behind: none of its
 * lanes passes before all have come, or (`alone`) no other can come. */
static void meet_at_sync(struct simt_block *block, struct merge *merge,
                         struct simt_group *group, uint32_t lanes, bool alone) {
  uint32_t mask = (uint32_t)front(merge, (unsigned)__builtin_ctz(lanes))->at;
  merge->held |= lanes;
  if (!alone && (mask & ~merge->held & merge->active)) return;
  uint32_t met = mask & merge->held;
  merge->held &= ~met;
  gather(merge, met, group);
  simt_race_sync(block->counting->race, group->warp, mask, false);
}

static void count(struct simt_block *block, const struct simt_group *group) {
  struct simt_counters *counters = &block->counting->tally.counters;
  switch (group->key >> SIMT_SPACE_SHIFT & 3) {
    case SIMT_GLOBAL:
      simt_count_global(block, group);
      break;
    case SIMT_SHARED:
      simt_count_shared(block, group);
      break;
    case SIMT_CONSTANT:
      simt_count_constant(block, group);
      break;
    default:
      counters->blocks_issued++;
      counters->lanes_issued += group->count;
      return;
  }
  counters->warp_instructions++;
}

/* What was not taken is at the front again. */
static void compact(struct merge *merge) {
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    struct simt_log *log = &merge->logs[lane];
    uint32_t taken = merge->taken[lane];
    if (!taken) continue;
    log->count -= taken;
    for (uint32_t i = 0; i < log->count; i++)
      log->records[i] = log->records[i + taken];
  }
}

void simt_merge(struct simt_block *block, unsigned warp, uint32_t open) {
  struct merge merge = {.logs = block->warps[warp].logs->lanes};
  struct simt_group group;
  group.warp = warp;
  for (unsigned lane = 0; lane < SIMT_LANES; lane++)
    merge.active |= (uint32_t)(merge.logs[lane].count > 0) << lane;
  while (merge.active && !(open & ~merge.active)) {
    uint32_t moving = merge.active & ~merge.held;
    uint32_t lanes = least(&merge, moving ? moving : merge.active);
    uint64_t key = front(&merge, (unsigned)__builtin_ctz(lanes))->key;
    if ((key & SIMT_DEED) == SIMT_SYNCS) {
      meet_at_sync(block, &merge, &group, lanes, !moving);
      continue;
    }
    gather(&merge, lanes, &group);
    count(block, &group);
  }
  compact(&merge);
}
