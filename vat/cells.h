/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/cells.h -- what the policies share that know the cells of a TC and
 * nothing of the tree: fifo, clock, random, plru.
 *
 * A TC of W nodes has the cells 0..W - 1.  A missing node goes to the first
 * cell that is still empty; if none is, to the one that the policy chooses,
 * whose node is evicted.  A translation is d + 1 accesses, root first, and each
 * is one look-up: O(1) and what the policy does.
 *
 * Only a translation of the page before that has just hit throughout is
 * skipped: it sets the same bits to the same values again.  A repeat may miss
 * where the first translation evicted nodes of its own path.  Internal to vat/.
 */
#pragma once
#include "vat/node_set.h"
#include "vat/policy.h"

struct cells;

struct cells_ops {
  /* `cell` was accessed, and maybe loaded just before; NULL: no matter. */
  void (*accessed)(struct cells *cells, uint32_t cell);
  /* The cell to be emptied; all W are in use. */
  uint32_t (*victim)(struct cells *cells);
};

struct cells {
  const struct cells_ops *ops;
  struct node_set set; /* slot c + 1 is cell c; its list is not used */
  struct vat_tree tree;
  uint64_t *misses;
  uint64_t last; /* path translated last, if `hit`: and all of it hit */
  bool hit;
  uint64_t *bits; /* W of them, 0 at first: what a policy remembers */
  uint32_t hand;  /* of fifo and clock: the cell whose turn it is */
  uint64_t state; /* of random's generator */
  uint64_t steps; /* cells and bits that victim() and accessed() looked at */
};

/* An empty TC.  `bits`: the policy needs them.  NULL with ENOMEM. */
struct cells *vat_cells_create(const struct cells_ops *ops,
                               const struct vat_tree *tree, uint64_t nodes,
                               uint64_t *misses, bool bits);
void vat_cells_destroy(void *state);
int vat_cells_translate(void *state, const uint64_t *pages, size_t count);

static inline bool cells_bit(const struct cells *cells, uint32_t at) {
  return cells->bits[at / 64] >> at % 64 & 1;
}

static inline void cells_bit_set(struct cells *cells, uint32_t at, bool value) {
  uint64_t mask = UINT64_C(1) << at % 64;
  cells->bits[at / 64] = (cells->bits[at / 64] & ~mask) | (value ? mask : 0);
}

/* The hand goes on, round and round. */
static inline uint32_t cells_turn(struct cells *cells) {
  uint32_t cell = cells->hand;
  cells->hand = cell + 1 == cells->set.limit ? 0 : cell + 1;
  cells->steps++;
  return cell;
}
