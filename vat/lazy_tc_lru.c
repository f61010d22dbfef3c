/* SPDX-License-Identifier: BSD-2-Clause */
/* LRU is one list by recency, too, but a path's root is behind its leaf.  Of
 * nodes that were last accessed on the way to the same leaf the top one
 * is evicted first, then those below it, then the leaf.  When the least recent
 * leaf is to be evicted, these are its ancestors with nothing else below them,
 * as all leaves that are more recent are in the TC.  So only this leaf, the
 * `tail`, ever misses ancestors; these stay in their slots, marked as evicted,
 * until the leaf is evicted.
 *
 * An access whose path has an evicted node misses all nodes below it as well.
 * The walk comes from above, and each miss makes room by evicting the next node
 * between the evicted ones and the tail, before the walk gets there.
 */
#include "vat/lazy_tc_nodes.h"

static void release(struct lazy_tc *tc, uint32_t slot) {
  leave(tc, slot);
  tc->held -= !tc->nodes[slot].evicted;
  tc->free[tc->freed++] = slot;
}

/* Release the tail, and those of its ancestors that have no other child. */
static void drop_tail(struct lazy_tc *tc) {
  uint32_t slot = tc->tail;
  tc->tail = 0;
  tc->inner++; /* it is none */
  do {
    uint32_t parent = tc->nodes[slot].parent;
    release(tc, slot);
    tc->inner--;
    slot = parent;
  } while (!--tc->nodes[slot].children && slot);
}

/* Evict the least recent node. */
static void make_room(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                      uint64_t now) {
  struct lazy_node *nodes = tc->nodes;
  if (!tc->tail) tc->tail = next_leaf(tcs, tc, now);
  uint32_t top = 0, slot = nodes[tc->tail].parent;
  for (; slot && nodes[slot].children == 1; slot = nodes[slot].parent)
    if (!nodes[slot].evicted) top = slot;
  if (!top) {
    drop_tail(tc);
    return;
  }
  nodes[top].evicted = 1;
  tc->held--;
}

static uint32_t load(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                     uint64_t key, uint32_t parent, uint32_t children,
                     uint64_t now) {
  if (tc->held == tc->limit) make_room(tcs, tc, now);
  tc->held++;
  uint32_t slot = tc->freed ? tc->free[--tc->freed] : ++tc->used;
  uint32_t *chain = chain_of(tc, key);
  tc->nodes[slot] = (struct lazy_node){key, now, *chain, parent, children, 0};
  return *chain = slot;
}

/* Load the evicted nodes from `slot` up again; returns the layer above the
 * topmost, or `least`. */
static unsigned bring_back(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                           uint32_t slot, unsigned least, uint64_t now) {
  unsigned above = least;
  for (; slot; slot = tc->nodes[slot].parent) {
    if (!tc->nodes[slot].evicted) continue;
    above = (unsigned)(tc->nodes[slot].key & 15) + 1;
    if (tc->held == tc->limit) make_room(tcs, tc, now);
    tc->nodes[slot].evicted = 0;
    tc->held++;
  }
  return above;
}

uint32_t vat_lazy_tc_load_lru(const struct lazy_tcs *tcs, struct lazy_tc *tc,
                              uint64_t page, unsigned bottom, uint64_t now,
                              uint8_t *missed) {
  uint32_t parent = 0;
  unsigned layer = bottom;
  while (!parent && ++layer <= tc->tree.levels)
    parent = find(tc, vat_tree_key(&tc->tree, page, layer));
  tc->nodes[parent].children++; /* which keeps it */
  *missed = (uint8_t)(bring_back(tcs, tc, parent, layer, now) - bottom);
  tc->inner += layer - bottom - 1;
  while (--layer > bottom)
    parent =
        load(tcs, tc, vat_tree_key(&tc->tree, page, layer), parent, 1, now);
  uint32_t leaf =
      load(tcs, tc, vat_tree_key(&tc->tree, page, bottom), parent, 0, now);
  return tc->fresh[tc->loaded++] = leaf;
}
