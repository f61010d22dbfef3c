/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/lazy_tc_nodes.h -- nodes of a TC of vat/lazy_tc.h by key, and its least
 * recent leaf.
 * Internal to vat/.
 */
#pragma once
#include "vat/lazy_tc.h"
#include "vat/node_set.h"

static inline uint32_t *chain_of(const struct lazy_tc *tc, uint64_t key) {
  return &tc->chains[node_hash(key) >> tc->shift];
}

static inline uint32_t find(const struct lazy_tc *tc, uint64_t key) {
  const struct lazy_node *nodes = tc->nodes;
  uint32_t slot = *chain_of(tc, key);
  while (slot && nodes[slot].key != key) slot = nodes[slot].next;
  return slot;
}

static inline void leave(struct lazy_tc *tc, uint32_t slot) {
  struct lazy_node *nodes = tc->nodes;
  uint32_t *link = chain_of(tc, nodes[slot].key);
  while (*link != slot) link = &nodes[*link].next;
  *link = nodes[slot].next;
}

/* A branch on which is later would be hard to predict, so there is none. */
static inline void stamp(struct lazy_node *leaf, uint64_t time) {
  leaf->stamp = leaf->stamp < time ? time : leaf->stamp;
}

/* Is the leaf one of a recent page, so that it cannot be evicted, though its
 * own time is older than the queue?  Known only where the table is of the
 * tree's own page size. */
static inline bool is_recent(const struct lazy_tcs *tcs,
                             const struct lazy_tc *tc, uint32_t slot) {
  uint64_t page = tc->nodes[slot].key >> 4;
  return tc->leaves[page & (LAZY_TC_RECENT - 1)] == slot &&
         tc->tree.page_bits == tcs->page_bits;
}

/* Before the first eviction after accesses were deferred. */
void vat_lazy_tc_prepare(const struct lazy_tcs *tcs, struct lazy_tc *tc);
/* All leaves by time, as the queue is empty.  `now` is the time of the access
 * that is being looked up. */
void vat_lazy_tc_make_queue(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                            uint64_t now);

/* Take the least recent leaf from the queue. */
static inline uint32_t next_leaf(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                                 uint64_t now) {
  if (!tc->prepared) vat_lazy_tc_prepare(tcs, tc);
  for (;;) {
    if (tc->next == tc->queued) vat_lazy_tc_make_queue(tcs, tc, now);
    uint32_t slot = tc->queue[tc->next++];
    if (tc->nodes[slot].stamp <= tc->made && !is_recent(tcs, tc, slot))
      return slot;
    tc->skipped[tc->skipped_count++] = slot;
  }
}

/*
 * vat/lazy_tc_lru.c: load what is not there of the path to `page`, whose leaf,
 * on layer `bottom`, is not, or has lost ancestors.  Returns the leaf, and
 * tells how many nodes were missed.
 */
uint32_t vat_lazy_tc_load_lru(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                              uint64_t page, unsigned bottom, uint64_t now,
                              uint8_t *missed);

/* vat/lazy_tc_tlb.c: look up the deferred accesses in a TLB. */
void vat_lazy_tc_walk(struct lazy_tcs *tcs, unsigned t);

/* vat/lazy_tc_inner.c: a TC that holds all inner nodes of the one before it. */

/* Is it one, and how many layers of the first tree are below it?  0: no. */
unsigned vat_lazy_tc_lift(const struct lazy_tcs *tcs, const struct lazy_tc *tc);
void vat_lazy_tc_inner_init(struct lazy_tc *tc, void *memory);
void vat_lazy_tc_inner_clear(struct lazy_tc *tc);
/* The TC before it has evicted a node. */
void vat_lazy_tc_inner_push(struct lazy_tc *tc, uint64_t key);
/* The first TC has missed the nodes of layers below `missed` of the path to
 * `page`; told: how many nodes the TC missed, and each of those that are
 * larger.
 */
void vat_lazy_tc_inner_load(struct lazy_tc *tc, const struct vat_tree *first,
                            uint64_t page, unsigned missed, uint8_t *told);
/* The first TC has loaded the path, and evicted what it had to. */
void vat_lazy_tc_inner_trim(struct lazy_tc *tc);
