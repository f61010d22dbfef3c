/* SPDX-License-Identifier: BSD-2-Clause */
/* ISLRU (Jurkiewicz, PhD thesis, Definition 2.9): take the least recently used
 * node u; evict the lowest node in the TC that is u or a descendant of u.  Its
 * TC is an initial segment of the tree at all times (ISP): a node's ancestors
 * are in it.
 *
 * For W > d it is one list (doc/simulator.md has the proof): nodes by recency,
 * where a translation moves its path to the front, leaf first and root last.
 * A node's descendants then stand behind it, so that the last of the list is
 * what the definition evicts; and which nodes of a path miss is settled by the
 * list at the start of the translation.  O(1) a changed layer. */
#include "vat/curve_ops.h"
#include "vat/recency.h"

/* The old nodes of layers 0..top go to the front: leaf first, so that the
 * parent of each is before it. */
static inline void retire(struct recency *r, unsigned top) {
  struct node_slot *slots = r->set.slots;
  uint32_t older = slots[0].older;
  for (unsigned layer = 0; layer <= top; layer++) {
    uint32_t slot = r->path[layer];
    slots[slot].older = older;
    slots[older].newer = slot;
    older = slot;
  }
  slots[older].newer = 0;
  slots[0].older = older;
}

/*
 * Look for the new nodes from the leaf upwards.  By the ISP the first one found
 * has all its ancestors in the TC, and each knows its parent's slot, which
 * cannot have been given away while a child was there.  Loads follow the hits,
 * so that a hit is never evicted for a miss of its own path.
 */
static inline __attribute__((always_inline)) void step(struct recency *r,
                                                       uint64_t page,
                                                       unsigned top) {
  struct node_set *set = &r->set;
  uint64_t hash[VAT_LAYERS_MAX], key[VAT_LAYERS_MAX];
  uint32_t slot = 0;
  unsigned layer = 0;
  retire(r, top);
  for (; layer <= top; layer++) {
    key[layer] = vat_tree_key(&r->tree, page, layer);
    hash[layer] = node_hash(key[layer]);
    slot = node_set_find(set, key[layer], hash[layer]);
    if (slot) break;
  }
  unsigned missing = layer;
  for (; layer <= top; layer++) {
    node_set_unlink(set, slot);
    r->path[layer] = slot;
    slot = set->slots[slot].parent;
  }
  uint32_t parent = r->path[missing]; /* of layer missing - 1 */
  for (layer = missing; layer-- > 0;) {
    slot = node_set_load(set, key[layer], hash[layer]);
    set->slots[slot].parent = parent;
    parent = r->path[layer] = slot;
    r->misses[layer]++;
  }
}

static int islru_translate(void *state, const uint64_t *pages, size_t count) {
  struct recency *r = state;
  if (r->is_short) {
    short_list_translate(&r->short_list, pages, count);
    return 0;
  }
  for (size_t i = 0; i < count; i++) {
    if (node_set_grow(&r->set, VAT_LAYERS_MAX)) return -1;
    if (!r->started) recency_start(r, pages[i]);
    if (pages[i] == r->last) continue;
    if (i + RECENCY_AHEAD < count)
      node_set_prefetch(&r->set, node_hash(vat_tree_key(
                                     &r->tree, pages[i + RECENCY_AHEAD], 0)));
    /* The common cases each get a copy of step() whose loops are unrolled. */
    unsigned top = recency_top(r, pages[i], r->last);
    switch (top) {
      case 0:
        step(r, pages[i], 0);
        break;
      case 1:
        step(r, pages[i], 1);
        break;
      case 2:
        step(r, pages[i], 2);
        break;
      default:
        step(r, pages[i], top);
    }
    r->last = pages[i];
  }
  return 0;
}

static void *islru_create(const struct vat_tree *tree, uint64_t nodes,
                          const struct vat_tc_options *options,
                          uint64_t *misses) {
  (void)options;
  return recency_create(tree, nodes, misses, true);
}

const struct vat_policy vat_policy_islru = {
    .name = "islru",
    .summary =
        "LRU that keeps ancestors: evicts the lowest node below the LRU one",
    .recency = VAT_RECENCY_ISLRU,
    .repeats_free_from = recency_repeats_free_from,
    .create = islru_create,
    .destroy = recency_destroy,
    .translate = islru_translate,
    .curve = &curve_islru,
};
