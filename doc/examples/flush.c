/* SPDX-License-Identifier: BSD-2-Clause */
/* Flush when full: a miss that finds the TC full evicts all nodes (Karlin,
 * Manasse, Rudolph and Sleator, Algorithmica 3, 1988).
 * An example of a policy (doc/for-contributors.md); no theorem is about it.
 * O(1) a node. */
#include <stdlib.h>

#include "vat/node_map.h"
#include "vat/policy.h"

struct flush {
  struct vat_tree tree;
  uint64_t *misses; /* by layer; the caller's */
  uint64_t nodes;   /* W */
  uint64_t used;    /* nodes in the TC */
  uint64_t flushes;
  struct node_map since; /* node -> 1 + flushes at its load */
};

static void flush_destroy(void *state) {
  struct flush *flush = state;
  if (!flush) return;
  vat_node_map_fini(&flush->since);
  free(flush);
}

static void *flush_create(const struct vat_tree *tree, uint64_t nodes,
                          const struct vat_tc_options *options,
                          uint64_t *misses) {
  (void)options;
  struct flush *flush = calloc(1, sizeof *flush);
  if (!flush) return NULL;
  flush->tree = *tree;
  flush->misses = misses;
  flush->nodes = nodes;
  if (!vat_node_map_init(&flush->since)) return flush;
  free(flush);
  return NULL;
}

static int flush_translate(void *state, const uint64_t *pages, size_t count) {
  struct flush *flush = state;
  for (size_t i = 0; i < count; i++) {
    if (vat_node_map_grow(&flush->since, flush->tree.levels + 1)) return -1;
    for (unsigned layer = flush->tree.levels + 1; layer-- > 0;) {
      uint64_t key = vat_tree_key(&flush->tree, pages[i], layer);
      uint64_t *since = node_map_at(&flush->since, key);
      if (*since == flush->flushes + 1) continue;
      flush->misses[layer]++;
      if (flush->used == flush->nodes) {
        flush->flushes++;
        flush->used = 0;
      }
      flush->used++;
      *since = flush->flushes + 1;
    }
  }
  return 0;
}

const struct vat_policy vat_policy_flush = {
    .name = "flush",
    .summary = "if the TC is full, evict all nodes",
    .create = flush_create,
    .destroy = flush_destroy,
    .translate = flush_translate,
};
