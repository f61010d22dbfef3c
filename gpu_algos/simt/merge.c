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
#include <assert.h>
#include <config.h>
#include <string.h>

#include "gpu_algos/simt/counting.h"

/* How far the logs of a warp have been put together. */
struct merge {
  struct simt_logs *logs;
  /* Of the next record of each lane: where its key and its address are. */
  const uint64_t *key[SIMT_LANES], *at[SIMT_LANES];
  uint32_t left[SIMT_LANES]; /* records of each, from there on */
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

static void advance(struct merge *merge, unsigned lane, uint32_t steps) {
  merge->key[lane] += steps;
  merge->at[lane] += steps;
  if (!(merge->left[lane] -= steps)) merge->active &= ~(1u << lane);
}

/* Of the lanes those whose next record has the least key. */
static uint32_t least(const struct merge *merge, uint32_t lanes) {
  uint64_t key = UINT64_MAX;
  uint32_t found = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    uint64_t other = *merge->key[lane];
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
  group->key = *merge->key[group->lane[0]];
  for (unsigned i = 0; i < group->count; i++) {
    group->at[i] = *merge->at[group->lane[i]];
    advance(merge, group->lane[i], 1);
  }
}

/* A __syncwarp() orders what was before it and what is behind: none of its
 * lanes passes before all have come, or (`alone`) no other can come. */
static void meet_at_sync(struct simt_block *block, struct merge *merge,
                         struct simt_group *group, uint32_t lanes, bool alone) {
  uint32_t mask = (uint32_t)*merge->at[__builtin_ctz(lanes)];
  merge->held |= lanes;
  if (!alone && (mask & ~merge->held & merge->active)) return;
  uint32_t met = mask & merge->held;
  merge->held &= ~met;
  gather(merge, met, group);
  simt_race_sync(block->counting->race, group->warp, mask, false);
}

#ifdef HAVE_EMU_ARITHMETIC
/* Behind the call that began the block, arithmetic.awk left an instruction that
 * does nothing, whose number says how much is in it. */
static inline uint32_t arithmetic_of(uint64_t key) {
  enum { LONG_NOP = 0x00841f0f };
  uint32_t code[2];
  memcpy(code, simt_key_pc(key), sizeof code);
  assert(code[0] == LONG_NOP);
  return code[1];
}
#else
static inline uint32_t arithmetic_of(uint64_t key) {
  (void)key;
  return 0;
}
#endif

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
      counters->arithmetic += arithmetic_of(group->key);
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

/* Have the lanes of the group the same key `step` records on?  What is kept in
 * one place is the same. */
static bool same_key(const struct merge *merge, const struct simt_group *group,
                     uint32_t step) {
  const uint64_t *first = merge->key[group->lane[0]];
  for (unsigned i = 1; i < group->count; i++) {
    const uint64_t *own = merge->key[group->lane[i]];
    if (own != first && own[step] != first[step]) return false;
  }
  return true;
}

static bool all_in_one_place(const struct merge *merge,
                             const struct simt_group *group) {
  for (unsigned i = 1; i < group->count; i++)
    if (merge->key[group->lane[i]] != merge->key[group->lane[0]]) return false;
  return true;
}

/* While all lanes that have more do the same, which is the rule, there is
 * nothing to be chosen. */
static void go_together(struct simt_block *block, struct merge *merge,
                        struct simt_group *group) {
  uint32_t steps = least_left(merge, merge->active), step = 0;
  set_lanes(group, merge->active);
  bool same = all_in_one_place(merge, group);
  for (; step < steps; step++) {
    group->key = merge->key[group->lane[0]][step];
    if ((group->key & SIMT_DEED) == SIMT_SYNCS) break;
    if (!same && !same_key(merge, group, step)) break;
    if ((group->key & SIMT_DEED) != SIMT_BEGINS_BLOCK)
      for (unsigned i = 0; i < group->count; i++)
        group->at[i] = merge->at[group->lane[i]][step];
    count(block, group);
  }
  for (unsigned i = 0; i < group->count; i++)
    advance(merge, group->lane[i], step);
}

/* The lanes that are to go on do one step. */
static void go_apart(struct simt_block *block, struct merge *merge,
                     struct simt_group *group) {
  uint32_t moving = merge->active & ~merge->held;
  uint32_t lanes = least(merge, moving ? moving : merge->active);
  uint64_t key = *merge->key[__builtin_ctz(lanes)];
  if ((key & SIMT_DEED) == SIMT_SYNCS) {
    meet_at_sync(block, merge, group, lanes, !moving);
  } else {
    gather(merge, lanes, group);
    count(block, group);
  }
}

/* What was not taken is at the front again, and its lane keeps its own keys
 * until it has been. */
static void compact(const struct merge *merge) {
  struct simt_logs *logs = merge->logs;
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    struct simt_log *log = &logs->lanes[lane];
    size_t bytes = merge->left[lane] * sizeof *log->at;
    log->count = merge->left[lane];
    log->keys = bytes ? log->own_keys : logs->keys;
    memmove(log->at, merge->at[lane], bytes);
    memmove(log->own_keys, merge->key[lane], bytes);
  }
  memset(logs->keys, 0, logs->known * sizeof *logs->keys);
  logs->known = 0;
}

void simt_merge(struct simt_block *block, unsigned warp, uint32_t open) {
  struct merge merge = {.logs = block->warps[warp].logs};
  struct simt_group group;
  group.warp = warp;
  group.lanes = 0;
  for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
    const struct simt_log *log = &merge.logs->lanes[lane];
    merge.key[lane] = log->keys;
    merge.at[lane] = log->at;
    merge.left[lane] = log->count;
    merge.active |= (uint32_t)(log->count > 0) << lane;
  }
  while (merge.active && !(open & ~merge.active)) {
    if (!merge.held) go_together(block, &merge, &group);
    if (merge.active && !(open & ~merge.active))
      go_apart(block, &merge, &group);
  }
  if (open) compact(&merge); /* or else the logs are done with */
}
