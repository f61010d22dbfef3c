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
#include <string.h>

#include "gpu_algos/simt/counting.h"

/* How far the logs of a warp have been put together. */
struct merge {
  struct simt_log *logs;
  const struct simt_record *next[SIMT_LANES];
  uint32_t left[SIMT_LANES]; /* records of each, from `next` on */
  uint32_t active;           /* lanes that have some */
  uint32_t held;             /* of these: wait for others at a __syncwarp() */
};

static void set_lanes(struct simt_group *group, uint32_t lanes) {
  if (group->lanes == lanes) return;
  group->lanes = lanes;
  group->count = 0;
  for (; lanes; lanes &= lanes - 1)
    group->lane[group->count++] = (unsigned)__builtin_ctz(lanes);
}

/* Of the lanes those whose next record has the least key. */
static uint32_t least(const struct merge *merge, uint32_t lanes) {
  uint64_t key = UINT64_MAX;
  uint32_t found = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    uint64_t other = merge->next[lane]->key;
    if (other > key) continue;
    if (other < key) found = 0;
    key = other;
    found |= 1u << lane;
  }
  return found;
}

static void gather(struct merge *merge, uint32_t lanes,
                   struct simt_group *group) {
  set_lanes(group, lanes);
  group->key = merge->next[group->lane[0]]->key;
  for (unsigned i = 0; i < group->count; i++) {
    unsigned lane = group->lane[i];
    group->at[i] = merge->next[lane]++->at;
    if (!--merge->left[lane]) merge->active &= ~(1u << lane);
  }
}

/* A __syncwarp() orders what was before it and what is behind: none of its
 * lanes passes before all have come, or (`alone`) no other can come. */
static void meet_at_sync(struct simt_block *block, struct merge *merge,
                         struct simt_group *group, uint32_t lanes, bool alone) {
  uint32_t mask = (uint32_t)merge->next[__builtin_ctz(lanes)]->at;
  merge->held |= lanes;
  if (!alone && (mask & ~merge->held & merge->active)) return;
  uint32_t met = mask & merge->held;
  merge->held &= ~met;
  gather(merge, met, group);
  simt_race_sync(block->counting->race, group->warp, mask, false);
}

static inline void count(struct simt_block *block,
                         const struct simt_group *group) {
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

static uint32_t least_left(const struct merge *merge, uint32_t lanes) {
  uint32_t least = UINT32_MAX;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t left = merge->left[__builtin_ctz(lanes)];
    if (left < least) least = left;
  }
  return least;
}

/* While all lanes that have more do the same, which is the rule, there is
 * nothing to be chosen. */
static void go_together(struct simt_block *block, struct merge *merge,
                        struct simt_group *group) {
  uint32_t steps = least_left(merge, merge->active), step = 0;
  set_lanes(group, merge->active);
  for (; step < steps; step++) {
    const struct simt_record *first = merge->next[group->lane[0]] + step;
    if ((first->key & SIMT_DEED) == SIMT_SYNCS) break;
    unsigned i = 0;
    for (; i < group->count; i++) {
      const struct simt_record *own = merge->next[group->lane[i]] + step;
      if (own->key != first->key) break;
      group->at[i] = own->at;
    }
    if (i < group->count) break;
    group->key = first->key;
    count(block, group);
  }
  for (unsigned i = 0; i < group->count; i++) {
    unsigned lane = group->lane[i];
    merge->next[lane] += step;
    if (!(merge->left[lane] -= step)) merge->active &= ~(1u << lane);
  }
}

/* The lanes that are to go on do one step. */
static void go_apart(struct simt_block *block, struct merge *merge,
                     struct simt_group *group) {
  uint32_t moving = merge->active & ~merge->held;
  uint32_t lanes = least(merge, moving ? moving : merge->active);
  uint64_t key = merge->next[__builtin_ctz(lanes)]->key;
  if ((key & SIMT_DEED) == SIMT_SYNCS) {
    meet_at_sync(block, merge, group, lanes, !moving);
  } else {
    gather(merge, lanes, group);
    count(block, group);
  }
}

/* What was not taken is at the front again. */
static void compact(const struct merge *merge) {
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    struct simt_log *log = &merge->logs[lane];
    if (merge->next[lane] != log->records)
      memmove(log->records, merge->next[lane],
              merge->left[lane] * sizeof *log->records);
    log->count = merge->left[lane];
  }
}

void simt_merge(struct simt_block *block, unsigned warp, uint32_t open) {
  struct merge merge = {.logs = block->warps[warp].logs->lanes};
  struct simt_group group;
  group.warp = warp;
  group.lanes = 0;
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    merge.next[lane] = merge.logs[lane].records;
    merge.left[lane] = merge.logs[lane].count;
    merge.active |= (uint32_t)(merge.left[lane] > 0) << lane;
  }
  while (merge.active && !(open & ~merge.active)) {
    if (!merge.held) go_together(block, &merge, &group);
    if (merge.active && !(open & ~merge.active))
      go_apart(block, &merge, &group);
  }
  compact(&merge);
}
