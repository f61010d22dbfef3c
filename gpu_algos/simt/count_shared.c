/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared memory lies in 32 banks, word by word; constant memory gives one word
 * at a time.
 *
 * A bank gives one word a turn, to however many lanes want it.  Lanes that want
 * 8 bytes have their turn by halves of the warp, 16 bytes by quarters, so that
 * no bank is asked for two words where all want neighbours.  An atomic takes a
 * turn of its own for each lane.
 */
#include "gpu_algos/simt/counting.h"

enum { BANKS = 32 };

/* Words that banks were asked for in one part of a warp. */
struct turns {
  unsigned in_bank[BANKS]; /* different words */
  uint64_t words[BANKS][SIMT_LANES];
  unsigned most;
};

static bool asked_before(const struct turns *turns, uint64_t word) {
  unsigned bank = word % BANKS;
  for (unsigned i = 0; i < turns->in_bank[bank]; i++)
    if (turns->words[bank][i] == word) return true;
  return false;
}

static void ask(struct turns *turns, uint64_t word, bool atomic) {
  unsigned bank = word % BANKS;
  if (!atomic && asked_before(turns, word)) return;
  turns->words[bank][turns->in_bank[bank]++] = word;
  if (turns->in_bank[bank] > turns->most) turns->most = turns->in_bank[bank];
}

/* The turns that members `from` to before `to` of the group take. */
static unsigned turns_of(const struct simt_group *group, unsigned from,
                         unsigned to) {
  struct turns turns;
  unsigned bytes = 1u << (group->key & SIMT_LG_BYTES);
  for (unsigned b = 0; b < BANKS; b++) turns.in_bank[b] = 0;
  turns.most = 0;
  for (unsigned i = from; i < to; i++) {
    uint64_t at = (uint32_t)group->at[i];
    for (uint64_t word = at / 4; word <= (at + bytes - 1) / 4; word++)
      ask(&turns, word, group->key & SIMT_ATOMIC);
  }
  return turns.most;
}

/* In the usual case each bank has one word at most, and all is done in one
 * turn. */
static bool one_turn(const struct simt_group *group) {
  uint32_t asked = 0, words[BANKS];
  for (unsigned i = 0; i < group->count; i++) {
    uint32_t word = (uint32_t)group->at[i] / 4, bank = word % BANKS;
    if (!(asked >> bank & 1))
      words[bank] = word;
    else if (words[bank] != word)
      return false;
    asked |= 1u << bank;
  }
  return true;
}

static unsigned waves(const struct simt_group *group) {
  unsigned lg_bytes = (unsigned)(group->key & SIMT_LG_BYTES);
  unsigned part = lg_bytes <= 2 ? 32 : lg_bytes == 3 ? 16 : 8, all = 0;
  if (part == 32 && !(group->key & SIMT_ATOMIC) && one_turn(group)) return 1;
  for (unsigned from = 0, to; from < group->count; from = to) {
    to = from + 1;
    while (to < group->count &&
           group->lane[to] / part == group->lane[from] / part)
      to++;
    all += turns_of(group, from, to);
  }
  return all;
}

static _Noreturn void fail_outside(struct simt_block *block,
                                   const struct simt_group *group, unsigned i,
                                   uint64_t offset) {
  simt_group_fail(block, group, i, SIMT_ILLEGAL_ADDRESS,
                  "shared memory out of bounds: %u bytes at offset %llu, "
                  "launched with %llu",
                  1u << (group->key & SIMT_LG_BYTES),
                  (unsigned long long)offset,
                  (unsigned long long)block->counting->dynamic.bytes);
}

static void check_each(struct simt_block *block,
                       const struct simt_group *group) {
  const struct simt_counting *counting = block->counting;
  uint64_t before = counting->dynamic.start - counting->image.shared.start;
  unsigned bytes = 1u << (group->key & SIMT_LG_BYTES);
  for (unsigned i = 0; i < group->count; i++) {
    uint64_t at = (uint32_t)group->at[i], offset = at - before;
    if (offset < SIMT_DYNAMIC_SHARED_MAX &&
        offset + bytes > counting->dynamic.bytes)
      fail_outside(block, group, i, offset);
    if (at % bytes)
      simt_group_fail(block, group, i, SIMT_MISALIGNED_ADDRESS,
                      "misaligned address: %u bytes at a multiple of %u", bytes,
                      (unsigned)(at & -at));
  }
}

/* All at once; one by one only where something may be wrong. */
static void check(struct simt_block *block, const struct simt_group *group) {
  const struct simt_counting *counting = block->counting;
  uint64_t before = counting->dynamic.start - counting->image.shared.start;
  uint32_t bytes = 1u << (group->key & SIMT_LG_BYTES), bits = 0, most = 0;
  for (unsigned i = 0; i < group->count; i++) {
    uint32_t at = (uint32_t)group->at[i];
    bits |= at;
    most = at > most ? at : most;
  }
  if (most + bytes > before + counting->dynamic.bytes || bits % bytes)
    check_each(block, group);
}

static unsigned repeated(const struct simt_group *group) {
  unsigned found = 0;
  for (unsigned i = 0; i < group->count; i++) {
    unsigned j = 0;
    while (j < i && (uint32_t)group->at[j] != (uint32_t)group->at[i]) j++;
    found += j < i;
  }
  return found;
}

void simt_count_shared(struct simt_block *block,
                       const struct simt_group *group) {
  struct simt_counters *counters = &block->counting->tally.counters;
  check(block, group);
  simt_race_access(block, group);
  counters->shared_accesses += group->count;
  counters->shared_instructions++;
  counters->bank_waves += waves(group);
  if (!(group->key & SIMT_ATOMIC)) return;
  counters->atomics += group->count;
  counters->atomic_instructions++;
  counters->atomic_conflicts += repeated(group);
}

void simt_count_constant(struct simt_block *block,
                         const struct simt_group *group) {
  struct simt_counters *counters = &block->counting->tally.counters;
  unsigned different = 0;
  for (unsigned i = 0; i < group->count; i++) {
    unsigned j = 0;
    while (j < i && group->at[j] / 4 != group->at[i] / 4) j++;
    different += j == i;
  }
  counters->constant_instructions++;
  counters->constant_waves += different;
}
