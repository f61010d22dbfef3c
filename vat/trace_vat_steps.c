/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts steps in a hash table with linear probing. */
#include "vat/trace_vat_steps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  SLOT_BITS = 13,
  WORTH = 4 /* a step's entry takes two coded ones' room */
};
_Static_assert(1 << SLOT_BITS == VAT_STEPS_SLOTS, "the hash has all slots");
_Static_assert(VAT_STEPS_DIFFERENT < VAT_STEPS_SLOTS, "a slot stays free");

/* Where the step is, or the free slot for it; by multiplicative hashing (Knuth,
 * The Art of Computer Programming, volume 3, section 6.4). */
static uint32_t slot_of(const struct vat_steps *steps, uint64_t step) {
  uint32_t i =
      (uint32_t)(step * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
  while (steps->slots[i].count && steps->slots[i].step != step)
    i = (i + 1) % VAT_STEPS_SLOTS;
  return i;
}

/* False as soon as they are too many, for then the time is lost. */
static bool count_steps(struct vat_steps *steps, const uint64_t *addresses,
                        uint32_t count) {
  uint64_t before = 0;
  memset(steps->slots, 0, sizeof steps->slots);
  steps->different = 0;
  for (uint32_t i = 0; i < count; before = addresses[i++]) {
    struct vat_step *slot =
        &steps->slots[slot_of(steps, addresses[i] - before)];
    if (slot->count++) continue;
    if (steps->different++ == VAT_STEPS_FREE + i / VAT_STEPS_EVERY)
      return false;
    slot->step = addresses[i] - before;
    slot->number = VAT_STEP_CODED;
  }
  return true;
}

/* By the step where counts are equal: the file must not depend on qsort(). */
static int by_count(const void *a, const void *b) {
  const struct vat_step *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return (x->step > y->step) - (x->step < y->step);
}

void vat_steps_choose(struct vat_steps *steps, const uint64_t *addresses,
                      uint32_t count) {
  uint32_t often = 0, covered = 0;
  steps->named = 0;
  if (!count_steps(steps, addresses, count)) return;
  for (uint32_t i = 0; i < VAT_STEPS_SLOTS; i++)
    if (steps->slots[i].count >= WORTH)
      steps->sorted[often++] = steps->slots[i];
  qsort(steps->sorted, often, sizeof *steps->sorted, by_count);
  steps->named = often < VAT_STEP_CODED ? often : VAT_STEP_CODED;
  for (uint32_t i = 0; i < steps->named; i++) {
    covered += steps->sorted[i].count;
    steps->slots[slot_of(steps, steps->sorted[i].step)].number = i;
  }
  if (covered < count - count / 8) steps->named = 0;
}

uint32_t vat_steps_number(const struct vat_steps *steps, uint64_t step) {
  return steps->slots[slot_of(steps, step)].number;
}
