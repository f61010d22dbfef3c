/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/cells.h"

#include <stdlib.h>

#include "vat/path.h"

struct cells *vat_cells_create(const struct cells_ops *ops,
                               const struct vat_tree *tree, uint64_t nodes,
                               uint64_t *misses, bool bits) {
  struct cells *cells = calloc(1, sizeof *cells);
  if (!cells) return NULL;
  cells->ops = ops;
  cells->tree = *tree;
  cells->misses = misses;
  if (!vat_node_set_init(&cells->set, nodes)) {
    if (bits) cells->bits = calloc(cells->set.limit / 64 + 1, sizeof(uint64_t));
    if (!bits || cells->bits) return cells;
  }
  vat_cells_destroy(cells);
  return NULL;
}

void vat_cells_destroy(void *state) {
  struct cells *cells = state;
  if (!cells) return;
  vat_node_set_fini(&cells->set);
  free(cells->bits);
  free(cells);
}

/* The slot of a node that is not in the TC; there is room. */
static uint32_t load(struct cells *cells, uint64_t key, uint64_t hash) {
  struct node_set *set = &cells->set;
  uint32_t slot;
  if (set->used < set->limit) {
    slot = ++set->used;
  } else {
    slot = cells->ops->victim(cells) + 1;
    node_set_leave(set, slot);
  }
  node_set_enter(set, slot, key, hash);
  return slot;
}

static void translate(struct cells *cells, uint64_t path) {
  uint64_t page = path_page(path);
  unsigned leaf = path_leaf(path);
  cells->hit = true;
  cells->last = path;
  for (unsigned layer = cells->tree.levels + 1; layer-- > leaf;) {
    uint64_t key = vat_tree_key(&cells->tree, page, layer);
    uint64_t hash = node_hash(key);
    uint32_t slot = node_set_find(&cells->set, key, hash);
    if (!slot) {
      cells->hit = false;
      cells->misses[layer]++;
      slot = load(cells, key, hash);
    }
    if (cells->ops->accessed) cells->ops->accessed(cells, slot - 1);
  }
}

int vat_cells_translate(void *state, const uint64_t *pages, size_t count) {
  struct cells *cells = state;
  for (size_t i = 0; i < count; i++) {
    if (cells->hit && pages[i] == cells->last) continue;
    if (vat_node_set_grow(&cells->set, cells->tree.levels + 1)) return -1;
    translate(cells, pages[i]);
  }
  return 0;
}
