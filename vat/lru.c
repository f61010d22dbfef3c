/* SPDX-License-Identifier: BSD-2-Clause */
/* LRU over single node accesses, a translation being d + 1 of them, root first
 * (Jurkiewicz, PhD thesis, section 2.3).  A leaf is then more recent than its
 * ancestors, which are evicted before it: the TC need not be an initial
 * segment.  O(1) a changed layer.
 *
 * For W > d the accesses to layers that did not change hit, and reorder only
 * the front d + 1 nodes; a victim is never among the new path's nodes accessed
 * so far, since those are at most d of the W.  But a miss may evict a node of
 * the path that is still to come, so that hits and misses interleave. */
#include "vat/curve_ops.h"
#include "vat/recency.h"

/* The old nodes of layers 0..top go to the front, the leaf in front of all. */
static inline void retire(struct recency *r, unsigned top) {
  for (unsigned layer = top + 1; layer-- > 0;)
    node_set_push(&r->set, r->path[layer]);
}

static inline __attribute__((always_inline)) void step(struct recency *r,
                                                       uint64_t page,
                                                       unsigned top) {
  struct node_set *set = &r->set;
  retire(r, top);
  for (unsigned layer = top + 1; layer-- > 0;) {
    uint64_t key = vat_tree_key(&r->tree, page, layer);
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

static int lru_translate(void *state, const uint64_t *pages, size_t count) {
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

static void *lru_create(const struct vat_tree *tree, uint64_t nodes,
                        const struct vat_tc_options *options,
                        uint64_t *misses) {
  (void)options;
  return recency_create(tree, nodes, misses, false);
}

const struct vat_policy vat_policy_lru = {
    .name = "lru",
    .summary = "evict the node whose last access is furthest back",
    .recency = VAT_RECENCY_LRU,
    .repeats_free_from = recency_repeats_free_from,
    .create = lru_create,
    .destroy = recency_destroy,
    .translate = lru_translate,
    .curve = &curve_lru,
};
