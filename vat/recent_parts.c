/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/recent_parts.h"

#include <stdlib.h>

/* Room for one part more. */
static int grow(struct recent_parts *parts) {
  uint32_t capacity = parts->set.capacity;
  if (vat_node_set_grow(&parts->set, 1)) return -1;
  if (parts->misses && parts->set.capacity == capacity) return 0;
  uint64_t *misses = reallocarray(
      parts->misses, (size_t)parts->set.capacity + 1, sizeof *misses);
  if (!misses) return -1;
  parts->misses = misses;
  return 0;
}

int vat_recent_parts_init(struct recent_parts *parts, uint64_t nodes) {
  *parts = (struct recent_parts){.nodes = nodes};
  if (vat_node_set_init(&parts->set,
                        nodes < UINT64_MAX / 2 ? 2 * nodes : UINT64_MAX))
    return -1;
  return grow(parts);
}

void vat_recent_parts_fini(struct recent_parts *parts) {
  vat_node_set_fini(&parts->set);
  free(parts->misses);
  parts->misses = NULL;
}

int vat_recent_parts_access(struct recent_parts *parts, uint64_t part,
                            uint64_t before, uint64_t after) {
  struct node_set *set = &parts->set;
  uint64_t hash = node_hash(part);
  uint32_t slot = node_set_find(set, part, hash);
  bool far = !slot || before - parts->misses[slot] >= parts->nodes;
  if (slot) {
    node_set_unlink(set, slot);
  } else {
    if (set->used == set->capacity && grow(parts)) return -1;
    slot = node_set_load(set, part, hash);
  }
  node_set_push(set, slot);
  parts->misses[slot] = after;
  return far;
}
