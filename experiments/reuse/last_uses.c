/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/reuse/last_uses.h"

#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"

enum { WORD = 64, WORDS = LAST_USES_BLOCK / WORD, LANE_BITS = 16, LANES = 4 };

/* Slots for as many uses as make the renumbering cheap beside them: it looks at
 * each thing once. */
enum { ROOM_PER_THING = 4, ROOM_LEAST = 1 << 16 };

/* Ones of a word (Warren, Hacker's Delight, 5-1): amd64 without options has no
 * instruction for it. */
static inline uint32_t ones(uint64_t word) {
  word -= word >> 1 & UINT64_C(0x5555555555555555);
  word = (word & UINT64_C(0x3333333333333333)) +
         (word >> 2 & UINT64_C(0x3333333333333333));
  word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* Count the marks of all blocks. */
static void count(struct last_uses *uses) {
  memset(uses->areas, 0,
         (uses->room / LAST_USES_AREA + 1) * sizeof *uses->areas);
  for (uint32_t b = 0; b < uses->room / LAST_USES_BLOCK; b++) {
    uint32_t sum = 0;
    for (uint32_t w = b * WORDS; w < (b + 1) * WORDS; w++)
      sum += ones(uses->marks[w]);
    uses->blocks[b] = (uint16_t)sum;
    uses->areas[b / (LAST_USES_AREA / LAST_USES_BLOCK)] += sum;
  }
}

/* Mark all slots from `slot` on. */
static void mark_from(struct last_uses *uses, uint32_t slot) {
  uint32_t word = slot / WORD;
  uses->marks[word++] |= -(UINT64_C(1) << slot % WORD);
  memset(uses->marks + word, 0xff,
         (uses->room / WORD - word) * sizeof *uses->marks);
}

void last_uses_init(struct last_uses *uses, size_t things, size_t around,
                    uint32_t window) {
  /* Nothing was used in the window before the first use. */
  uint32_t start = (window / WORD + 2) * WORD;
  uint64_t room = ROOM_PER_THING * (uint64_t)things + ROOM_LEAST + 2 * start;
  *uses = (struct last_uses){
      .things = things, .window = window, .start = start, .next = start};
  if (room > UINT32_MAX - LAST_USES_BLOCK) memory_exhausted();
  uses->room = (uint32_t)(room / LAST_USES_BLOCK + 1) * LAST_USES_BLOCK;
  uses->at = memory_zeroed(things + 2 * around, sizeof *uses->at);
  uses->marks = memory_zeroed(uses->room / WORD, sizeof *uses->marks);
  uses->ranks = memory_zeroed(uses->room / WORD, sizeof *uses->ranks);
  uses->blocks =
      memory_zeroed(uses->room / LAST_USES_BLOCK, sizeof *uses->blocks);
  uses->areas =
      memory_zeroed(uses->room / LAST_USES_AREA + 1, sizeof *uses->areas);
  uses->at += around;
  mark_from(uses, uses->next);
  count(uses);
}

void last_uses_fini(struct last_uses *uses, size_t around) {
  free(uses->at - around);
  free(uses->marks);
  free(uses->ranks);
  free(uses->blocks);
  free(uses->areas);
}

void last_uses_renumber_begin(struct last_uses *uses) {
  uint32_t sum = 0;
  uses->cut = (uses->next - uses->window) / WORD * WORD;
  for (uint32_t w = 0; w < uses->cut / WORD; w++) {
    uses->ranks[w] = sum;
    sum += ones(uses->marks[w]);
  }
  uses->moved = uses->start + (sum / WORD + 1) * WORD;
}

/* A slot that is marked no more goes to the last one before it that is, or to
 * the one before the first. */
void last_uses_move(const struct last_uses *uses, uint32_t *slots,
                    size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t slot = slots[i];
    if (!slot) continue;
    if (slot >= uses->cut)
      slots[i] = slot - uses->cut + uses->moved;
    else
      slots[i] = uses->start - 1 + uses->ranks[slot / WORD] +
                 ones(uses->marks[slot / WORD] << (WORD - 1 - slot % WORD));
  }
}

void last_uses_renumber_end(struct last_uses *uses) {
  uint32_t last = uses->cut / WORD - 1, to = uses->moved / WORD;
  uint32_t live = uses->ranks[last] + ones(uses->marks[last]);
  uint32_t words = uses->next / WORD + 1 - uses->cut / WORD;
  last_uses_move(uses, uses->at, uses->things);
  memmove(uses->marks + to, uses->marks + uses->cut / WORD,
          words * sizeof *uses->marks);
  memset(uses->marks, 0, to * sizeof *uses->marks);
  for (uint32_t slot = uses->start; slot < uses->start + live; slot++)
    uses->marks[slot / WORD] |= UINT64_C(1) << slot % WORD;
  uses->next = uses->next - uses->cut + uses->moved;
  mark_from(uses, uses->next);
  count(uses);
}

/* Of one area at most: four sums of 64 counts fit 16 bits each. */
static uint32_t sum_blocks(const struct last_uses *uses, uint32_t from,
                           uint32_t end) {
  uint64_t lanes = 0, four;
  for (; from + LANES <= end; from += LANES) {
    memcpy(&four, uses->blocks + from, sizeof four);
    lanes += four;
  }
  uint32_t sum = 0;
  for (; lanes; lanes >>= LANE_BITS) sum += (uint16_t)lanes;
  for (; from < end; from++) sum += uses->blocks[from];
  return sum;
}

uint32_t last_uses_since(const struct last_uses *uses, uint32_t slot) {
  const uint32_t per_area = LAST_USES_AREA / LAST_USES_BLOCK;
  uint32_t last = uses->next - 1; /* the use that is looked up */
  uint32_t block = slot / LAST_USES_BLOCK, end = last / LAST_USES_BLOCK + 1;
  uint32_t area = slot / LAST_USES_AREA, end_area = last / LAST_USES_AREA;
  uint32_t sum = ones(uses->marks[slot / WORD] >> slot % WORD >> 1);
  for (uint32_t w = slot / WORD + 1; w < (block + 1) * WORDS; w++)
    sum += ones(uses->marks[w]);
  if (area == end_area) {
    sum += sum_blocks(uses, block + 1, end);
  } else {
    sum += sum_blocks(uses, block + 1, (area + 1) * per_area);
    for (area++; area < end_area; area++) sum += uses->areas[area];
    sum += sum_blocks(uses, end_area * per_area, end);
  }
  return sum - (end * LAST_USES_BLOCK - last);
}
