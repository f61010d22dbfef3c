/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/node_set.h -- the nodes of a TC under recency policies: a hash of nodes
 * and a list from the most to the least recent, in one.
 *
 * Nodes live in slots 1..used; slot 0 is the list's sentinel and ends chains.
 * The hash has at least four chains a slot: then the first slot of a chain
 * settles nearly every look-up, for fewer instructions than comparing several
 * candidates, and whether it hits is the only branch that is hard to predict.
 * Links of chains are doubled, so that removal neither searches nor branches.
 * Memory grows with the nodes in use up to the limit W.  Internal to vat/.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node_slot {
  uint64_t key;  /* vat_tree_key(); NODE_NONE in slot 0 */
  uint32_t back; /* the link to this slot in its chain */
  uint32_t newer, older;
};

#define NODE_NONE UINT64_MAX /* a layer 15 whose index is not 0: no node */

struct node_set {
  struct node_slot *slots;
  uint32_t *links;   /* [slot]: the next in its chain; then chains' firsts */
  uint32_t chains;   /* where those begin in links */
  unsigned shift;    /* of a hash, gives the chain */
  uint32_t used;     /* slots in use: nodes in the TC */
  uint32_t capacity; /* slots allocated, without the sentinel */
  uint32_t limit;    /* W, or NODE_LIMIT */
  bool capped;       /* W is larger than NODE_LIMIT */
};

/* 0, or -1 with ENOMEM.  More than NODE_LIMIT nodes are refused when it comes
 * to that. */
enum { NODE_LIMIT = 1 << 28 };
int vat_node_set_init(struct node_set *set, uint64_t limit);
void vat_node_set_fini(struct node_set *set);

/* Make room for `more` nodes, if the limit allows as many.  -1 with ENOMEM. */
int vat_node_set_grow(struct node_set *set, uint32_t more);

static inline uint64_t node_hash(uint64_t key) {
  return key * UINT64_C(0x9e3779b97f4a7c15);
}

/* Where the chain of a hash begins, in links. */
static inline uint32_t node_set_chain(const struct node_set *set,
                                      uint64_t hash) {
  return set->chains + (uint32_t)(hash >> set->shift);
}

/* The slot of `key`, or 0. */
static inline uint32_t node_set_find(const struct node_set *set, uint64_t key,
                                     uint64_t hash) {
  uint32_t slot = set->links[node_set_chain(set, hash)];
  while (set->slots[slot].key != key) {
    slot = set->links[slot];
    if (__builtin_expect(!slot, 1)) break;
  }
  return slot;
}

static inline void node_set_prefetch(const struct node_set *set,
                                     uint64_t hash) {
  __builtin_prefetch(&set->links[node_set_chain(set, hash)]);
}

/* Take a slot out of the list, not out of the hash. */
static inline void node_set_unlink(struct node_set *set, uint32_t slot) {
  uint32_t newer = set->slots[slot].newer, older = set->slots[slot].older;
  set->slots[newer].older = older;
  set->slots[older].newer = newer;
}

/* Put a slot on the list as the most recent. */
static inline void node_set_push(struct node_set *set, uint32_t slot) {
  uint32_t newest = set->slots[0].older;
  set->slots[slot].older = newest;
  set->slots[slot].newer = 0;
  set->slots[newest].newer = slot;
  set->slots[0].older = slot;
}

/* Take the node of a slot out of the hash, not out of the list. */
static inline void node_set_leave(struct node_set *set, uint32_t slot) {
  uint32_t next = set->links[slot], back = set->slots[slot].back;
  set->links[back] = next;
  set->slots[next].back = back;
}

/* A slot for a new node: fresh, or that of the least recent, evicted. */
static inline uint32_t node_set_take(struct node_set *set) {
  struct node_slot *slots = set->slots;
  if (__builtin_expect(set->used < set->limit, 0)) return ++set->used;
  uint32_t slot = slots[0].newer, newer = slots[slot].newer;
  slots[0].newer = newer;
  slots[newer].older = 0;
  node_set_leave(set, slot);
  return slot;
}

/* Enter `key` into the hash under `slot`. */
static inline void node_set_enter(struct node_set *set, uint32_t slot,
                                  uint64_t key, uint64_t hash) {
  uint32_t chain = node_set_chain(set, hash), next = set->links[chain];
  set->slots[slot].key = key;
  set->slots[slot].back = chain;
  set->slots[next].back = slot;
  set->links[slot] = next;
  set->links[chain] = slot;
}

/* Load a node that is not in the set; it is in the hash, not on the list. */
static inline uint32_t node_set_load(struct node_set *set, uint64_t key,
                                     uint64_t hash) {
  uint32_t slot = node_set_take(set);
  node_set_enter(set, slot, key, hash);
  return slot;
}
