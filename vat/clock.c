/* SPDX-License-Identifier: BSD-2-Clause */
/* CLOCK, or second chance (Corbato, A Paging Experiment with the Multics
 * System, 1968): a bit a cell says that its node was accessed since the hand
 * passed.  The hand passes such cells and clears their bits; it evicts the
 * first node whose bit is clear.  To load a node is to access it.
 *
 * The hand goes on by one cell for each miss and for each bit that it clears,
 * which an access had set: at most two cells an access, on average. */
#include "vat/cells.h"

static void accessed(struct cells *cells, uint32_t cell) {
  cells_bit_set(cells, cell, true);
}

static uint32_t victim(struct cells *cells) {
  for (;;) {
    uint32_t cell = cells_turn(cells);
    if (!cells_bit(cells, cell)) return cell;
    cells_bit_set(cells, cell, false);
  }
}

static const struct cells_ops ops = {.accessed = accessed, .victim = victim};

static void *clock_create(const struct vat_tree *tree, uint64_t nodes,
                          const struct vat_tc_options *options,
                          uint64_t *misses) {
  (void)options;
  return vat_cells_create(&ops, tree, nodes, misses, true);
}

const struct vat_policy vat_policy_clock = {
    .name = "clock",
    .summary = "FIFO that passes over nodes accessed since it last came by",
    .create = clock_create,
    .destroy = vat_cells_destroy,
    .translate = vat_cells_translate,
};
