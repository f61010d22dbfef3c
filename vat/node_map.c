/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/node_map.h"

#include <stdlib.h>

static int allocate(struct node_map *map, unsigned lg) {
  map->entries = calloc((size_t)1 << lg, sizeof *map->entries);
  if (!map->entries) return -1;
  map->capacity = UINT64_C(1) << lg;
  map->shift = 64 - lg;
  map->count = 0;
  return 0;
}

int vat_node_map_init(struct node_map *map) { return allocate(map, 10); }

void vat_node_map_fini(struct node_map *map) {
  free(map->entries);
  *map = (struct node_map){0};
}

int vat_node_map_grow(struct node_map *map, uint64_t more) {
  if (2 * (map->count + more) <= map->capacity) return 0;
  struct node_map larger;
  unsigned lg = 64 - map->shift + 1;
  while (UINT64_C(1) << lg < 2 * (map->count + more)) lg++;
  if (allocate(&larger, lg)) return -1;
  for (uint64_t i = 0; i < map->capacity; i++)
    if (map->entries[i].key_plus_1)
      *node_map_at(&larger, map->entries[i].key_plus_1 - 1) =
          map->entries[i].value;
  free(map->entries);
  *map = larger;
  return 0;
}
