/* SPDX-License-Identifier: BSD-2-Clause */
/* FIFO: evict the node that was loaded first, however recently it was accessed.
 * Cells are filled and emptied in turns, so that the hand is at the oldest.
 * O(1) an access.  A larger TC can miss more (Belady, Nelson and Shedler,
 * Communications of the ACM 12(6), 1969), hence no curve. */
#include "vat/cells.h"

static const struct cells_ops ops = {.victim = cells_turn};

static void *fifo_create(const struct vat_tree *tree, uint64_t nodes,
                         const struct vat_tc_options *options,
                         uint64_t *misses) {
  (void)options;
  return vat_cells_create(&ops, tree, nodes, misses, false);
}

const struct vat_policy vat_policy_fifo = {
    .name = "fifo",
    .summary = "evict the node that was loaded first",
    .create = fifo_create,
    .destroy = vat_cells_destroy,
    .translate = vat_cells_translate,
};
