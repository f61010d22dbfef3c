/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/recency.h"

#include <stdlib.h>

struct recency *vat_recency_create(const struct vat_tree *tree, uint64_t nodes,
                                   uint64_t *misses, bool initial_segment,
                                   const struct vat_tc_options *options) {
  struct recency *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->tree = *tree;
  r->misses = misses;
  r->mixed = options->layout != NULL;
  r->is_short = nodes < vat_recency_pairs_free_from(tree);
  r->holds_four = nodes >= 4 * (uint64_t)(tree->levels + 1);
  if (r->is_short)
    vat_short_list_init(&r->short_list, tree, (unsigned)nodes, misses,
                        initial_segment);
  for (unsigned bit = 0; bit < 64; bit++)
    r->top_of_bit[bit] = (uint8_t)(bit / tree->index_bits);
  if (!vat_node_set_init(&r->set, nodes)) return r;
  free(r);
  return NULL;
}

void vat_recency_destroy(void *state) {
  struct recency *r = state;
  if (!r) return;
  vat_node_set_fini(&r->set);
  free(r);
}

void vat_recency_start(struct recency *r, uint64_t path) {
  for (unsigned layer = r->tree.levels + 1; layer-- > path_leaf(path);) {
    uint64_t key = vat_tree_key(&r->tree, path_page(path), layer);
    uint32_t slot = node_set_load(&r->set, key, node_hash(key));
    r->path[0][layer] = r->path[1][layer] = slot;
    r->misses[layer]++;
  }
  r->path[0][RECENCY_LEAF] = r->path[1][RECENCY_LEAF] = path_leaf(path);
  r->last = r->before = path;
  r->apart = -1;
  r->started = true;
}

uint64_t vat_recency_repeats_free_from(const struct vat_tree *tree) {
  return tree->levels + 1;
}

uint64_t vat_recency_pairs_free_from(const struct vat_tree *tree) {
  return 2 * (tree->levels + 1);
}
