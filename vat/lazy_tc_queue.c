/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of leaves by the time of their last access, as far as it is known
 * (vat/lazy_tc.c explains why that suffices). */
#include "vat/lazy_tc_nodes.h"

enum {
  RADIX_BITS = 8,
  RADIX = 1 << RADIX_BITS,
  FEW = 24 /* are sorted by insertion */
};

/* The time of a table entry goes to the leaf, if the entry is of its page. */
static inline void stamp_if_recent(struct lazy_node *leaf, unsigned page_bits,
                                   struct recent_page was) {
  uint64_t key = was.page >> page_bits << 4; /* vat_tree_key(), of layer 0 */
  stamp(leaf, leaf->key == key ? was.stamp : 0);
}

/* The same, where a key does not tell the page. */
static inline void stamp_if_looked_up(struct lazy_tc *tc, unsigned recent,
                                      struct recent_page was) {
  bool same = tc->mixed->looked_up[recent] == was.page >> tc->tree.page_bits;
  stamp(&tc->nodes[tc->leaves[recent]], same ? was.stamp : 0);
}

static void stamp_from_recent(const struct lazy_tcs *tcs, struct lazy_tc *tc) {
  struct lazy_node *nodes = tc->nodes;
  unsigned bits = tc->tree.page_bits;
  for (unsigned i = 0; tc->mixed && i < LAZY_TC_RECENT; i++)
    stamp_if_looked_up(tc, i, tcs->recent[i]);
  for (unsigned i = 0; !tc->mixed && i < LAZY_TC_RECENT; i++)
    stamp_if_recent(&nodes[tc->leaves[i]], bits, tcs->recent[i]);
}

/* Entries that deferred accesses have replaced. */
static void stamp_from_deferred(const struct lazy_tcs *tcs,
                                struct lazy_tc *tc) {
  struct lazy_node *nodes = tc->nodes;
  unsigned bits = tc->tree.page_bits, recent_bits = tcs->page_bits;
  const struct deferred_access *access = tcs->deferred, *end = tcs->next;
  for (; access < end; access++) {
    unsigned recent = access->address >> recent_bits & (LAZY_TC_RECENT - 1);
    if (tc->mixed)
      stamp_if_looked_up(tc, recent, access->before);
    else
      stamp_if_recent(&nodes[tc->leaves[recent]], bits, access->before);
  }
}

/* Leaves get the times that only the table has, also those later than the
 * access that is being looked up, so that no recent page is evicted.  Where the
 * table is of the tree's own page size, is_recent() is enough. */
void vat_lazy_tc_prepare(const struct lazy_tcs *tcs, struct lazy_tc *tc) {
  tc->prepared = true;
  if (tc->tree.page_bits == tcs->page_bits && !tc->mixed) return;
  stamp_from_recent(tcs, tc);
  stamp_from_deferred(tcs, tc);
}

static void sort_few(struct leaf_age *ages, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    struct leaf_age age = ages[i];
    uint32_t at = i;
    for (; at && age.stamp < ages[at - 1].stamp; at--) ages[at] = ages[at - 1];
    ages[at] = age;
  }
}

static void sort_by(struct leaf_age *to, const struct leaf_age *from,
                    uint32_t count, unsigned shift) {
  uint32_t ends[RADIX + 1] = {0};
#define DIGIT(age) ((age).stamp >> shift & (RADIX - 1))
  for (uint32_t i = 0; i < count; i++) ends[DIGIT(from[i]) + 1]++;
  for (unsigned i = 0; i < RADIX; i++) ends[i + 1] += ends[i];
  for (uint32_t i = 0; i < count; i++) to[ends[DIGIT(from[i])]++] = from[i];
#undef DIGIT
}

/* Returns the sorted one, `turns` or `room`. */
static struct leaf_age *sort(struct leaf_age *ages, struct leaf_age *room,
                             uint32_t count) {
  if (count <= FEW) {
    sort_few(ages, count);
    return ages;
  }
  uint64_t all = UINT64_MAX, any = 0;
  for (uint32_t i = 0; i < count; i++) {
    all &= ages[i].stamp;
    any |= ages[i].stamp;
  }
  for (unsigned shift = 0; shift < 64; shift += RADIX_BITS) {
    if (!((any & ~all) >> shift & (RADIX - 1))) continue;
    sort_by(room, ages, count, shift);
    struct leaf_age *swap = ages;
    ages = room;
    room = swap;
  }
  return ages;
}

/*
 * All leaves are either fresh or were skipped.  Fresh ones that were not
 * accessed again are in order as they came; so are others, by chance.  The rest
 * is sorted, and both are merged.  The in-order ones are gathered at the end of
 * the fresh, from `alone` on; `turns` gets the others.
 */
static uint32_t part_fresh(struct lazy_tc *tc, uint32_t *alone) {
  uint64_t least = UINT64_MAX;
  uint32_t count = 0, top = tc->loaded;
  for (uint32_t i = tc->loaded; i-- > 0;) {
    uint32_t slot = tc->fresh[i];
    uint64_t time = tc->nodes[slot].stamp;
    if (time < least) {
      least = time;
      tc->fresh[--top] = slot;
    } else {
      tc->ages[count++] = (struct leaf_age){time, slot};
    }
  }
  *alone = top;
  return count;
}

void vat_lazy_tc_make_queue(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                            uint64_t now) {
  uint32_t alone;
  stamp_from_recent(tcs, tc);
  stamp_from_deferred(tcs, tc);
  uint32_t skipped = part_fresh(tc, &alone);
  for (uint32_t i = 0; i < tc->skipped_count; i++)
    tc->ages[skipped++] =
        (struct leaf_age){tc->nodes[tc->skipped[i]].stamp, tc->skipped[i]};
  const struct leaf_age *b = sort(tc->ages, tc->room, skipped),
                        *b_end = b + skipped;
  const uint32_t *a = tc->fresh + alone, *a_end = tc->fresh + tc->loaded;
  uint32_t *to = tc->queue;
  while (a < a_end && b < b_end)
    *to++ = tc->nodes[*a].stamp < b->stamp ? *a++ : b++->slot;
  while (a < a_end) *to++ = *a++;
  while (b < b_end) *to++ = b++->slot;
  tc->queued = (uint32_t)(to - tc->queue);
  tc->next = tc->loaded = tc->skipped_count = 0;
  tc->made = now;
}
