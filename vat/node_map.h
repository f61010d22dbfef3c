/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/node_map.h -- a number for each node: open addressing, at most half full,
 * memory proportional to the distinct nodes.  Internal to vat/. */
#pragma once
#include <stdint.h>

#include "vat/node_set.h"

struct node_map_entry {
  uint64_t key_plus_1; /* 0: free */
  uint64_t value;
};

struct node_map {
  struct node_map_entry *entries;
  unsigned shift;
  uint64_t count, capacity;
};

int vat_node_map_init(struct node_map *map); /* 0, or -1 with ENOMEM */
void vat_node_map_fini(struct node_map *map);

/* Make room for `more` new keys.  0, or -1 with ENOMEM. */
int vat_node_map_grow(struct node_map *map, uint64_t more);

static inline void node_map_prefetch(const struct node_map *map, uint64_t key) {
  __builtin_prefetch(&map->entries[node_hash(key + 1) >> map->shift], 1);
}

/* The value of `key`, made 0 if it is new; room must be there. */
static inline uint64_t *node_map_at(struct node_map *map, uint64_t key) {
  uint64_t mask = map->capacity - 1;
  uint64_t at = node_hash(key + 1) >> map->shift;
  while (map->entries[at].key_plus_1 != key + 1) {
    if (!map->entries[at].key_plus_1) {
      map->entries[at].key_plus_1 = key + 1;
      map->count++;
      break;
    }
    at = (at + 1) & mask;
  }
  return &map->entries[at].value;
}
