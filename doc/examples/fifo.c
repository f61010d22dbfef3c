/* SPDX-License-Identifier: BSD-2-Clause */
/* FIFO: evict the node that was loaded first, however recently it was accessed.
 * An example of a policy (doc/for-contributors.md); no theorem is about it.
 * O(1) a node. */
#include <stdlib.h>

#include "vat/node_set.h"
#include "vat/policy.h"

struct fifo {
  struct vat_tree tree;
  uint64_t *misses;    /* by layer; the caller's */
  struct node_set set; /* its list has the nodes in the order of their loads */
};

static void fifo_destroy(void *state) {
  struct fifo *fifo = state;
  if (!fifo) return;
  vat_node_set_fini(&fifo->set);
  free(fifo);
}

static void *fifo_create(const struct vat_tree *tree, uint64_t nodes,
                         const struct vat_tc_options *options,
                         uint64_t *misses) {
  (void)options;
  struct fifo *fifo = calloc(1, sizeof *fifo);
  if (!fifo) return NULL;
  fifo->tree = *tree;
  fifo->misses = misses;
  if (!vat_node_set_init(&fifo->set, nodes)) return fifo;
  free(fifo);
  return NULL;
}

static int fifo_translate(void *state, const uint64_t *pages, size_t count) {
  struct fifo *fifo = state;
  for (size_t i = 0; i < count; i++) {
    for (unsigned layer = fifo->tree.levels + 1; layer-- > 0;) {
      uint64_t key = vat_tree_key(&fifo->tree, pages[i], layer);
      uint64_t hash = node_hash(key);
      if (node_set_find(&fifo->set, key, hash)) continue;
      fifo->misses[layer]++;
      if (vat_node_set_grow(&fifo->set, 1)) return -1;
      node_set_push(&fifo->set, node_set_load(&fifo->set, key, hash));
    }
  }
  return 0;
}

const struct vat_policy vat_policy_fifo = {
    .name = "fifo",
    .summary = "evict the node that was loaded first",
    .create = fifo_create,
    .destroy = fifo_destroy,
    .translate = fifo_translate,
};
