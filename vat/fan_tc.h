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

/* Was the leaf accessed since the queue was made, though its own time does not
 * tell?  Where doors are of the tree's own pages, that is so if its door was
 * last opened on it, as far as looked up: such a leaf cannot be evicted, which
 * it would be if it were the least recent one. */
static inline bool is_behind(const struct fan *fan, const struct fan_tc *tc,
                             uint32_t slot) {
  uint64_t page = tc->nodes[slot].key >> 4;
  return tc->leaves[page & (FAN_DOORS - 1)] == slot &&
         tc->tree.page_bits == fan->page_bits;
}

/* Before the first eviction after knocks came. */
void vat_fan_prepare(const struct fan *fan, struct fan_tc *tc);
/* All leaves by time, as the queue is empty.  `now` is the time of the knock
 * that is being answered. */
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

/* vat/fan_rest.c: a TC that holds all inner nodes of the one before it. */

/* Is it one, and how many layers of the first tree are below it?  0: no. */
unsigned vat_fan_lift(const struct fan *fan, const struct fan_tc *tc);
void vat_fan_rest_init(struct fan_tc *tc, void *memory);
void vat_fan_rest_clear(struct fan_tc *tc);
/* The TC before it has evicted a node. */
void vat_fan_rest_push(struct fan_tc *tc, uint64_t key);
/* The first TC has missed the nodes of layers below `missed` of the path to
 * `page`; told: how many nodes the TC missed, and each of those that are
 * larger.
 */
void vat_fan_rest_load(struct fan_tc *tc, const struct vat_tree *first,
                       uint64_t page, unsigned missed, uint8_t *told);
/* The first TC has loaded the path, and evicted what it had to. */
void vat_fan_rest_trim(struct fan_tc *tc);
#endif
