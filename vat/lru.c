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

static int lru_translate(void *state, const uint64_t *pages, size_t count) {
  return recency_translate(state, pages, count, RECENCY_ROOT_FIRST);
}

static void *lru_create(const struct vat_tree *tree, uint64_t nodes,
                        const struct vat_tc_options *options,
                        uint64_t *misses) {
  return vat_recency_create(tree, nodes, misses, false, options);
}

const struct vat_policy vat_policy_lru = {
    .name = "lru",
    .summary = "evict the node whose last access is furthest back",
    .recency = VAT_RECENCY_LRU,
    .repeats_free_from = vat_recency_repeats_free_from,
    .pairs_free_from = vat_recency_pairs_free_from,
    .create = lru_create,
    .destroy = vat_recency_destroy,
    .translate = lru_translate,
    .curve = &vat_curve_lru,
};
