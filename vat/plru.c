/* SPDX-License-Identifier: BSD-2-Clause */
/* Tree pseudo-LRU, as set-associative caches of processors have it, over the
 * whole TC: the cells are the leaves of a binary tree, each inner node of which
 * has a bit that says which of its two sides was not accessed last.  From the
 * root, these bits lead to the victim.
 *
 * Inner nodes are 1..W - 1, cell c is node W + c, and the parent of i is i / 2:
 * for powers of two the usual tree, and for any other W one whose leaves are on
 * at most two adjacent layers.  O(log W) an access. */
#include "vat/cells.h"

static void accessed(struct cells *cells, uint32_t cell) {
  for (uint32_t i = cells->set.limit + cell; i > 1; i /= 2) {
    cells_bit_set(cells, i / 2, i % 2 == 0);
    cells->steps++;
  }
}

static uint32_t victim(struct cells *cells) {
  uint32_t i = 1;
  for (; i < cells->set.limit; cells->steps++) i = 2 * i + cells_bit(cells, i);
  return i - cells->set.limit;
}

static const struct cells_ops ops = {.accessed = accessed, .victim = victim};

static void *plru_create(const struct vat_tree *tree, uint64_t nodes,
                         const struct vat_tc_options *options,
                         uint64_t *misses) {
  (void)options;
  return vat_cells_create(&ops, tree, nodes, misses, true);
}

const struct vat_policy vat_policy_plru = {
    .name = "plru",
    .summary = "tree pseudo-LRU: a bit for each two halves, as in processors",
    .create = plru_create,
    .destroy = vat_cells_destroy,
    .translate = vat_cells_translate,
};
