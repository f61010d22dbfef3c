/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/short_list.h -- lru and islru with a TC too small for the paths of two
 * pages (W < 2d + 2).
 *
 * Straight from the definitions, node access by node access: there is nothing
 * to be fast about in so few nodes.  Internal to vat/.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

struct short_list {
  struct vat_tree tree;
  uint64_t *misses;
  bool initial_segment; /* islru: evict descendants before ancestors */
  unsigned limit, used;
  uint64_t keys[2 * VAT_LAYERS_MAX]; /* most recent first */
};

void vat_short_list_init(struct short_list *list, const struct vat_tree *tree,
                         unsigned nodes, uint64_t *misses,
                         bool initial_segment);
void vat_short_list_translate(struct short_list *list, const uint64_t *pages,
                              size_t count);
