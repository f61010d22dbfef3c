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

/* Each bank has one word at most: all is done in one turn. */
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

/* What the usual group is known by, of all members at once: sets of bits, of
 * which what is 0 says that there is none. */
struct shape {
  uint32_t bits;   /* of any address */
  uint32_t beyond; /* the sign bit: is behind the dynamic shared memory */
  uint32_t apart;  /* is not where the first is */
  uint32_t astray; /* is not a word behind the one before */
};

static inline void add_to(struct shape *shape, uint32_t at, uint32_t first,
                          uint32_t last, uint32_t i) {
  shape->bits |= at;
  shape->beyond |= last - at;
  shape->apart |= at ^ first;
  shape->astray |= at ^ (first + 4 * i);
}

/* A full warp by a loop whose length is known: the compiler makes vectors. */
static struct shape shape_of(const struct simt_group *group, uint32_t last) {
  struct shape shape = {0};
  uint32_t first = (uint32_t)group->at[0];
  if (group->count == SIMT_LANES)
    for (uint32_t i = 0; i < SIMT_LANES; i++)
      add_to(&shape, (uint32_t)group->at[i], first, last, i);
  else
    for (uint32_t i = 0; i < group->count; i++)
      add_to(&shape, (uint32_t)group->at[i], first, last, i);
  return shape;
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
  const struct simt_counting *counting = block->counting;
  struct simt_counters *counters = &block->counting->tally.counters;
  uint32_t bytes = 1u << (group->key & SIMT_LG_BYTES);
  uint64_t end = counting->dynamic.start - counting->image.shared.start +
                 counting->dynamic.bytes;
  struct shape shape = shape_of(group, (uint32_t)end - bytes);
  bool atomic = group->key & SIMT_ATOMIC;
  if (shape.beyond >> 31 || shape.bits % bytes) check_each(block, group);
  simt_race_access(block, group, !shape.apart, !shape.astray);
  counters->shared_accesses += group->count;
  counters->shared_instructions++;
  if (bytes == 4 && !atomic && (!shape.apart || !shape.astray))
    counters->bank_waves++;
  else
    counters->bank_waves += waves(group);
  if (!atomic) return;
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
