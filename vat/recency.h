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

/* Pages ahead whose buckets are fetched: some 100 ns of translations. */
enum { RECENCY_AHEAD = 8 };

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

struct recency *recency_create(const struct vat_tree *tree, uint64_t nodes,
                               uint64_t *misses, bool initial_segment);
void recency_destroy(void *state);

/* Load the first path of all. */
void recency_start(struct recency *r, uint64_t page);

/* Repeats of a page change nothing from W = d + 1. */
uint64_t recency_repeats_free_from(const struct vat_tree *tree);

/* The highest layer on which the paths of two different pages differ. */
static inline unsigned recency_top(const struct recency *r, uint64_t a,
                                   uint64_t b) {
  return r->top_of_bit[63 - __builtin_clzll(a ^ b)];
}
#endif
