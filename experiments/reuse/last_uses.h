/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/reuse/last_uses.h -- how many things were used since?
 *
 * Things have numbers.  Each use takes the next slot, and a bitmap marks the
 * slots that are a thing's last use, so that what was used after a slot is what
 * is marked after it.  A use must be cheap and only some are looked up: so the
 * marks are not counted by a tree, but by blocks and by blocks of blocks, where
 * a use changes one number each and a look-up adds up hundreds.  Slots that are
 * still to come are marked from the start, which leaves nothing to do when they
 * are taken.
 *
 * When the slots are used up, all are renumbered without the gaps; but for the
 * last `window`, whose numbers also tell how long ago they were taken.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  LAST_USES_BLOCK = 256,   /* slots */
  LAST_USES_AREA = 1 << 16 /* slots of a block of blocks */
};

struct last_uses {
  uint32_t *at; /* [thing]: the slot of its last use; 0: none */
  uint64_t *marks;
  uint16_t *blocks;
  uint32_t *areas;
  uint32_t *ranks; /* while renumbering: of each word */
  size_t things;
  uint32_t window, start, room, next;
  uint32_t cut,
      moved; /* while renumbering: slots from `cut` on go to `moved` */
};

/* Things 0..things - 1, and `around` more before and after, which are never
 * used. */
void last_uses_init(struct last_uses *uses, size_t things, size_t around,
                    uint32_t window);
void last_uses_fini(struct last_uses *uses, size_t around);

static inline bool last_uses_has_room(const struct last_uses *uses,
                                      uint32_t more) {
  return uses->room - uses->next > more;
}

/* Renumber: begin, move all slots that are kept elsewhere, end. */
void last_uses_renumber_begin(struct last_uses *uses);
void last_uses_move(const struct last_uses *uses, uint32_t *slots,
                    size_t count);
void last_uses_renumber_end(struct last_uses *uses);

/* The thing is used: the slot before, or 0. */
static inline uint32_t last_uses_put(struct last_uses *uses, size_t thing) {
  uint32_t old = uses->at[thing];
  uses->at[thing] = uses->next++;
  if (old) {
    uses->marks[old / 64] &= ~(UINT64_C(1) << old % 64);
    uses->blocks[old / LAST_USES_BLOCK]--;
    uses->areas[old / LAST_USES_AREA]--;
  }
  return old;
}

/* How many things were used after a slot, at which one was or is used; but for
 * the use that took the last slot. */
uint32_t last_uses_since(const struct last_uses *uses, uint32_t slot);
