/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/fan_tc.h -- nodes of a TC of vat/fan.h by key, and its least recent leaf.
 * Internal to vat/.
 */
#ifndef VAT_FAN_TC_H
#define VAT_FAN_TC_H
#include "vat/fan.h"
#include "vat/node_set.h"

static inline uint32_t *chain_of(const struct fan_tc *tc, uint64_t key) {
  return &tc->chains[node_hash(key) >> tc->shift];
}

static inline uint32_t find(const struct fan_tc *tc, uint64_t key) {
  const struct fan_node *nodes = tc->nodes;
  uint32_t slot = *chain_of(tc, key);
  while (slot && nodes[slot].key != key) slot = nodes[slot].next;
  return slot;
}

static inline void leave(struct fan_tc *tc, uint32_t slot) {
  struct fan_node *nodes = tc->nodes;
  uint32_t *link = chain_of(tc, nodes[slot].key);
  while (*link != slot) link = &nodes[*link].next;
  *link = nodes[slot].next;
}

/* Which is later is anybody's guess, so there is no branch. */
static inline void stamp(struct fan_node *leaf, uint64_t time) {
  leaf->stamp = leaf->stamp < time ? time : leaf->stamp;
}

/* Is the leaf's door open, and its time a later one?  A door that was opened by
 * a knock yet to be answered says nothing. */
static inline bool is_behind(const struct fan *fan, const struct fan_tc *tc,
                             uint32_t slot) {
  uint64_t page = tc->nodes[slot].key >> 4;
  unsigned i = page & (FAN_DOORS - 1);
  const struct fan_door *door = &fan->doors[i];
  return tc->leaves[i] == slot && tc->tree.page_bits == fan->page_bits &&
         door->page >> fan->page_bits == page &&
         door->stamp > tc->nodes[slot].stamp;
}

/* Before the first eviction after knocks came: brings times up to date that are
 * not yet.  `now` is the time of the knock that is being answered. */
void vat_fan_prepare(const struct fan *fan, struct fan_tc *tc);
/* All leaves by time, as the queue is empty. */
void vat_fan_make_queue(const struct fan *fan, struct fan_tc *tc, uint64_t now);

/* Takes the least recent leaf from the queue. */
static inline uint32_t next_leaf(const struct fan *fan, struct fan_tc *tc,
                                 uint64_t now) {
  if (!tc->prepared) vat_fan_prepare(fan, tc);
  for (;;) {
    if (tc->next == tc->queued) vat_fan_make_queue(fan, tc, now);
    uint32_t slot = tc->queue[tc->next++];
    if (tc->nodes[slot].stamp <= tc->made && !is_behind(fan, tc, slot))
      return slot;
    tc->late[tc->passed++] = slot;
  }
}

/*
 * vat/fan_lru.c: load what is not there of the path to `page`, whose leaf is
 * not, or has lost ancestors.  Returns the leaf, and tells how many nodes were
 * missed.
 */
uint32_t vat_fan_load_lru(const struct fan *fan, struct fan_tc *tc,
                          uint64_t page, uint64_t now, uint8_t *missed);
#endif
