/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaves by the time at which they were last accessed, as far as anybody knows
 * (vat/fan.c says why that is enough). */
#include "vat/fan_tc.h"

enum {
  RADIX_BITS = 8,
  RADIX = 1 << RADIX_BITS,
  FEW = 24 /* are sorted by insertion */
};

/* The time on a door goes to the leaf, if that is what the door was opened on
 * last, and looked up. */
static inline void read_door(struct fan_node *leaf, unsigned page_bits,
                             struct fan_door was) {
  uint64_t key = was.page >> page_bits << 4; /* vat_tree_key(), of layer 0 */
  stamp(leaf, leaf->key == key ? was.stamp : 0);
}

static void read_doors(const struct fan *fan, struct fan_tc *tc) {
  struct fan_node *nodes = tc->nodes;
  unsigned bits = tc->tree.page_bits;
  for (unsigned i = 0; i < FAN_DOORS; i++)
    read_door(&nodes[tc->leaves[i]], bits, fan->doors[i]);
}

/* What doors told before they were changed. */
static void read_knocks(const struct fan *fan, struct fan_tc *tc) {
  struct fan_node *nodes = tc->nodes;
  unsigned bits = tc->tree.page_bits, door_bits = fan->page_bits;
  const struct fan_knock *knock = fan->knocks, *end = fan->next;
  for (; knock < end; knock++) {
    unsigned door = knock->address >> door_bits & (FAN_DOORS - 1);
    read_door(&nodes[tc->leaves[door]], bits, knock->before);
  }
}

/* Times that leaves do not have yet, those ahead of the knock that is being
 * answered, too, keep from eviction what cannot be evicted.  Where doors are of
 * the tree's own pages, a victim's own door tells enough. */
void vat_fan_prepare(const struct fan *fan, struct fan_tc *tc) {
  tc->prepared = true;
  if (tc->tree.page_bits == fan->page_bits) return;
  read_doors(fan, tc);
  read_knocks(fan, tc);
}

static void sort_few(struct fan_turn *turns, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    struct fan_turn turn = turns[i];
    uint32_t at = i;
    for (; at && turn.stamp < turns[at - 1].stamp; at--)
      turns[at] = turns[at - 1];
    turns[at] = turn;
  }
}

static void sort_by(struct fan_turn *to, const struct fan_turn *from,
                    uint32_t count, unsigned shift) {
  uint32_t ends[RADIX + 1] = {0};
#define DIGIT(turn) ((turn).stamp >> shift & (RADIX - 1))
  for (uint32_t i = 0; i < count; i++) ends[DIGIT(from[i]) + 1]++;
  for (unsigned i = 0; i < RADIX; i++) ends[i + 1] += ends[i];
  for (uint32_t i = 0; i < count; i++) to[ends[DIGIT(from[i])]++] = from[i];
#undef DIGIT
}

/* Returns the sorted one, `turns` or `room`. */
static struct fan_turn *sort(struct fan_turn *turns, struct fan_turn *room,
                             uint32_t count) {
  if (count <= FEW) {
    sort_few(turns, count);
    return turns;
  }
  uint64_t all = UINT64_MAX, any = 0;
  for (uint32_t i = 0; i < count; i++) {
    all &= turns[i].stamp;
    any |= turns[i].stamp;
  }
  for (unsigned shift = 0; shift < 64; shift += RADIX_BITS) {
    if (!((any & ~all) >> shift & (RADIX - 1))) continue;
    sort_by(room, turns, count, shift);
    struct fan_turn *swap = turns;
    turns = room;
    room = swap;
  }
  return turns;
}

/*
 * All leaves are either fresh or were passed over.  Fresh ones that were left
 * alone are in order as they came; so are others, by chance.  The rest is
 * sorted, and both are merged.  The in-order ones are gathered at the end of
 * the fresh, from `alone` on; `turns` gets the others.
 */
static uint32_t part_fresh(struct fan_tc *tc, uint32_t *alone) {
  uint64_t least = UINT64_MAX;
  uint32_t count = 0, top = tc->loaded;
  for (uint32_t i = tc->loaded; i-- > 0;) {
    uint32_t slot = tc->fresh[i];
    uint64_t time = tc->nodes[slot].stamp;
    if (time < least) {
      least = time;
      tc->fresh[--top] = slot;
    } else {
      tc->turns[count++] = (struct fan_turn){time, slot};
    }
  }
  *alone = top;
  return count;
}

void vat_fan_make_queue(const struct fan *fan, struct fan_tc *tc,
                        uint64_t now) {
  uint32_t alone;
  read_doors(fan, tc);
  read_knocks(fan, tc);
  uint32_t late = part_fresh(tc, &alone);
  for (uint32_t i = 0; i < tc->passed; i++)
    tc->turns[late++] =
        (struct fan_turn){tc->nodes[tc->late[i]].stamp, tc->late[i]};
  const struct fan_turn *b = sort(tc->turns, tc->room, late), *b_end = b + late;
  const uint32_t *a = tc->fresh + alone, *a_end = tc->fresh + tc->loaded;
  uint32_t *to = tc->queue;
  while (a < a_end && b < b_end)
    *to++ = tc->nodes[*a].stamp < b->stamp ? *a++ : b++->slot;
  while (a < a_end) *to++ = *a++;
  while (b < b_end) *to++ = b++->slot;
  tc->queued = (uint32_t)(to - tc->queue);
  tc->next = tc->loaded = tc->passed = 0;
  tc->made = now;
}
