/* SPDX-License-Identifier: BSD-2-Clause */
/* ISLRU (Jurkiewicz, PhD thesis, Definition 2.9): take the least recently used
 * node u; evict the lowest node in the TC that is u or a descendant of u.  Its
 * TC is an initial segment of the tree at all times (ISP): a node's ancestors
 * are in it.
 *
 * For W > d it is one list (doc/simulator-internals.md has the proof): nodes by
 * recency, where a translation moves its path to the front, leaf first and root
 * last. A node's descendants then stand behind it, so that the last of the list
 * is what the definition evicts; and which nodes of a path miss is settled by
 * the list at the start of the translation.  O(1) a changed layer. */
#include "vat/curve_ops.h"
#include "vat/recency.h"

static int islru_translate(void *state, const uint64_t *pages, size_t count) {
  /* Leaf first, so that the parent of each is before it. */
  return recency_translate(state, pages, count, RECENCY_LEAF_FIRST);
}

static void *islru_create(const struct vat_tree *tree, uint64_t nodes,
                          const struct vat_tc_options *options,
                          uint64_t *misses) {
  return vat_recency_create(tree, nodes, misses, true, options);
}

const struct vat_policy vat_policy_islru = {
    .name = "islru",
    .summary =
        "LRU that keeps ancestors: evicts the lowest node below the LRU one",
    .recency = VAT_RECENCY_ISLRU,
    .repeats_free_from = vat_recency_repeats_free_from,
    .pairs_free_from = vat_recency_pairs_free_from,
    .create = islru_create,
    .destroy = vat_recency_destroy,
    .translate = islru_translate,
    .curve = &vat_curve_islru,
};
