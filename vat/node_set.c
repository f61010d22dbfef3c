/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/node_set.h"

#include <errno.h>
#include <stdlib.h>

/* Chains for `capacity` nodes: with four to eight a node two nodes rarely share
 * one; more would take more of the first-level cache than they save. */
static unsigned lg_chains(uint64_t capacity) {
  unsigned lg = 1;
  while ((UINT64_C(1) << lg) < 4 * capacity) lg++;
  return lg;
}

/* Slots for `capacity` nodes, and all nodes entered anew. */
static int resize(struct node_set *set, uint64_t capacity) {
  unsigned lg = lg_chains(capacity);
  struct node_slot *slots =
      reallocarray(set->slots, capacity + 1, sizeof *slots);
  if (!slots) return -1;
  set->slots = slots;
  uint32_t *links = calloc(capacity + 1 + ((size_t)1 << lg), sizeof *links);
  if (!links) return -1;
  free(set->links);
  set->links = links;
  set->chains = (uint32_t)capacity + 1;
  set->shift = 64 - lg;
  set->capacity = (uint32_t)capacity;
  for (uint32_t slot = 1; slot <= set->used; slot++)
    node_set_enter(set, slot, slots[slot].key, node_hash(slots[slot].key));
  return 0;
}

int vat_node_set_init(struct node_set *set, uint64_t limit) {
  *set = (struct node_set){
      .limit = limit < NODE_LIMIT ? (uint32_t)limit : NODE_LIMIT,
      .capped = limit > NODE_LIMIT};
  if (resize(set, set->limit < 64 ? set->limit : 64)) {
    vat_node_set_fini(set);
    return -1;
  }
  set->slots[0] = (struct node_slot){.key = NODE_NONE};
  return 0;
}

void vat_node_set_fini(struct node_set *set) {
  free(set->slots);
  free(set->links);
  *set = (struct node_set){0};
}

int vat_node_set_grow(struct node_set *set, uint32_t more) {
  uint64_t need = (uint64_t)set->used + more;
  if (need > set->limit && set->capped) {
    errno = ENOMEM;
    return -1;
  }
  if (need > set->limit) need = set->limit;
  if (need <= set->capacity) return 0;
  uint64_t capacity =
      need > 2 * (uint64_t)set->capacity ? need : 2 * (uint64_t)set->capacity;
  return resize(set, capacity < set->limit ? capacity : set->limit);
}
