/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/recency.h -- what the recency policies, islru and lru, share.
 *
 * For W > d the d + 1 nodes of the last path are the most recent ones, so they
 * are kept beside the list.  A translation moves only the layers that changed
 * since the last one: their old nodes go to the front of the list, their new
 * ones leave it.  Internal to vat/.
 */
#ifndef VAT_RECENCY_H
#define VAT_RECENCY_H
#include "vat/node_set.h"
#include "vat/policy.h"
#include "vat/short_list.h"

enum {
  /* Pages ahead whose chains are fetched, and half as many whose slots are, so
   * that each has some 50 ns to arrive. */
  RECENCY_AHEAD = 8,
  /* Nodes from which that pays: with fewer all is in the second-level cache,
   * whose latency the processor hides by itself. */
  RECENCY_FAR = 1 << 14,
  /* Pages for which room is made at a time. */
  RECENCY_BLOCK = 256,
};

struct recency {
  struct node_set set;
  struct vat_tree tree;
  uint64_t *misses;
  bool started;
  uint64_t last; /* page of the path */
  uint32_t path[VAT_LAYERS_MAX];
  uint8_t top_of_bit[64]; /* the highest layer that a differing bit changes */
  bool is_short;          /* W <= d: all is in short_list instead */
  struct short_list short_list;
};

struct recency *vat_recency_create(const struct vat_tree *tree, uint64_t nodes,
                                   uint64_t *misses, bool initial_segment);
void vat_recency_destroy(void *state);

/* Load the first path of all. */
void vat_recency_start(struct recency *r, uint64_t page);

/* Repeats of a page change nothing from W = d + 1. */
uint64_t vat_recency_repeats_free_from(const struct vat_tree *tree);

/* In which order the nodes of a path that is left go to the front of the list:
 * the last one is the most recent. */
enum recency_order { RECENCY_ROOT_FIRST, RECENCY_LEAF_FIRST };

/* node_set_push() for layers 0..top, with the newest in a register. */
static inline void recency_retire(struct node_set *set, const uint32_t *path,
                                  unsigned top, enum recency_order order) {
  struct node_slot *slots = set->slots;
  uint32_t newest = slots[0].older;
  for (unsigned i = 0; i <= top; i++) {
    uint32_t slot = path[order == RECENCY_LEAF_FIRST ? i : top - i];
    slots[slot].older = newest;
    slots[newest].newer = slot;
    newest = slot;
  }
  slots[newest].newer = 0;
  slots[0].older = newest;
}

/*
 * Move from the last page to another: their paths differ on layers 0..top.
 * New nodes are looked for root first, in the order of accesses.  Of islru's
 * initial segment hits are above misses, so they leave the list before a miss
 * evicts.
 */
static inline __attribute__((always_inline)) void recency_step(
    struct recency *r, struct node_set *set, uint64_t page, unsigned top,
    enum recency_order order) {
  recency_retire(set, r->path, top, order);
  for (unsigned layer = top + 1; layer-- > 0;) {
    /* No shift is too far: pages differ in a digit of layer `top`. */
    uint64_t key = page >> r->tree.index_bits * layer << 4 | layer;
    uint64_t hash = node_hash(key);
    uint32_t slot = node_set_find(set, key, hash);
    if (slot) {
      node_set_unlink(set, slot);
    } else {
      slot = node_set_load(set, key, hash);
      r->misses[layer]++;
    }
    r->path[layer] = slot;
  }
}

static inline void recency_fetch(const struct node_set *set,
                                 const uint64_t *pages, size_t i,
                                 size_t count) {
  if (i + RECENCY_AHEAD >= count) return;
  uint64_t chain = node_hash(pages[i + RECENCY_AHEAD] << 4);
  uint64_t slot = node_hash(pages[i + RECENCY_AHEAD / 2] << 4);
  __builtin_prefetch(&set->links[node_set_chain(set, chain)]);
  __builtin_prefetch(&set->slots[set->links[node_set_chain(set, slot)]]);
}

/*
 * The loop of all that keep recency.  What it reads of the set is copied, since
 * a compiler that sees words stored through pointers must take them for parts
 * of the original; and the common tops get a copy of the step each, whose
 * loops are unrolled.
 */
static inline __attribute__((always_inline)) void recency_walk(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order) {
  struct node_set set = r->set;
  uint64_t last = r->last;
  bool far = set.capacity >= RECENCY_FAR;
  for (size_t i = 0; i < count; i++) {
    uint64_t page = pages[i];
    if (page == last) continue;
    if (far) recency_fetch(&set, pages, i, count);
    unsigned top = r->top_of_bit[63 - __builtin_clzll(page ^ last)];
    last = page;
    if (top == 0)
      recency_step(r, &set, page, 0, order);
    else if (top == 1)
      recency_step(r, &set, page, 1, order);
    else if (top == 2)
      recency_step(r, &set, page, 2, order);
    else
      recency_step(r, &set, page, top, order);
  }
  r->set.used = set.used;
  r->last = last;
}

/* Translate pages: 0, or -1 with errno. */
static inline __attribute__((always_inline)) int recency_translate(
    struct recency *r, const uint64_t *pages, size_t count,
    enum recency_order order) {
  for (size_t done = 0, n; !r->is_short && done < count; done += n) {
    n = count - done < RECENCY_BLOCK ? count - done : RECENCY_BLOCK;
    if (vat_node_set_grow(&r->set, (uint32_t)n * (r->tree.levels + 1)))
      return -1;
    if (!r->started) vat_recency_start(r, pages[0]);
    recency_walk(r, pages + done, n, order);
  }
  if (r->is_short) vat_short_list_translate(&r->short_list, pages, count);
  return 0;
}
#endif
