/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/timeline.h -- how many are more recent?
 *
 * Things stand in slots, 1, 2, 3, ... in the order in which they came; the
 * slot of one that has left stays empty.  Marks are a bitmap, counted by a
 * Fenwick tree over blocks of slots (Fenwick, Software: Practice and Experience
 * 24(3), 1994).  The block that is being filled is not in the tree yet: what
 * comes and goes soon costs next to nothing.  When the slots are used up, the
 * owner renumbers its things.  Internal to vat/.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum {
  TIMELINE_WORDS = 4, /* of a block, so that the tree fits a first-level cache
                         for a million things */
  TIMELINE_BLOCK = 64 * TIMELINE_WORDS
};

struct timeline {
  uint64_t *marks;
  uint32_t *tree;   /* [i]: marks of the i & -i blocks up to the i-th */
  uint32_t next;    /* the next slot to be given away */
  uint32_t room;    /* slots below it exist */
  uint32_t blocks;  /* full ones, which are in the tree */
  uint32_t present; /* marks in all */
};

/* A timeline with slots 1..present taken, and three times as many free, at
 * least.  0, or -1 with ENOMEM; at most 2^29 things. */
int vat_timeline_init(struct timeline *line, uint32_t present);
void vat_timeline_fini(struct timeline *line); /* a zeroed one is fine */

static inline bool timeline_has_room(const struct timeline *line,
                                     uint32_t more) {
  return line->room - line->next >= more;
}

void vat_timeline_close_block(struct timeline *line);

/* The slot for the most recent; there must be room. */
static inline uint32_t timeline_put(struct timeline *line) {
  uint32_t slot = line->next++;
  line->marks[slot / 64] |= UINT64_C(1) << slot % 64;
  line->present++;
  if (__builtin_expect(line->next % TIMELINE_BLOCK == 0, 0))
    vat_timeline_close_block(line);
  return slot;
}

/* Ones of a word (Warren, Hacker's Delight, 5-1): amd64 without options has no
 * instruction for it. */
static inline uint32_t timeline_ones(uint64_t word) {
  word -= word >> 1 & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) +
         (word >> 2 & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* How many are in this slot or in an older one. */
static inline uint32_t timeline_age(const struct timeline *line,
                                    uint32_t slot) {
  uint32_t block = slot / TIMELINE_BLOCK, at = block * TIMELINE_WORDS;
  uint32_t age = timeline_ones(line->marks[slot / 64] << (63 - slot % 64));
  for (; at < slot / 64; at++) age += timeline_ones(line->marks[at]);
  for (; block; block &= block - 1) age += line->tree[block];
  return age;
}

/* Leave a slot; returns how many are more recent. */
static inline uint32_t timeline_take(struct timeline *line, uint32_t slot) {
  uint32_t newer = line->present - timeline_age(line, slot);
  line->marks[slot / 64] &= ~(UINT64_C(1) << slot % 64);
  line->present--;
  for (uint32_t i = slot / TIMELINE_BLOCK + 1; i <= line->blocks; i += i & -i)
    line->tree[i]--;
  return newer;
}
