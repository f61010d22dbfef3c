/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/node_set.h"

#include <errno.h>
#include <stdlib.h>

/* Buckets for `capacity` nodes: one and a half to three of eight ways full, so
 * that a bucket overflows about once in a thousand. */
static unsigned lg_buckets(uint32_t capacity) {
  unsigned lg = 1;
  while (((uint64_t)3 << lg) < capacity) lg++;
  return lg;
}

static int rehash(struct node_set *set) {
  unsigned lg = lg_buckets(set->capacity);
  size_t bytes = sizeof *set->buckets << lg;
  struct node_bucket *buckets = aligned_alloc(sizeof *buckets, bytes);
  if (!buckets) return -1;
  memset(buckets, 0, bytes);
  free(set->buckets);
  set->buckets = buckets;
  set->shift = 64 - lg;
  for (uint32_t slot = 1; slot <= set->used; slot++) {
    uint64_t key = set->slots[slot].key;
    node_set_enter(set, slot, key, node_hash(key));
  }
  return 0;
}

int node_set_init(struct node_set *set, uint64_t limit) {
  *set = (struct node_set){
      .limit = limit < NODE_LIMIT ? (uint32_t)limit : NODE_LIMIT,
      .capped = limit > NODE_LIMIT};
  set->slots = calloc(1, sizeof *set->slots);
  if (set->slots && !node_set_grow(set, 64)) return 0;
  node_set_fini(set);
  return -1;
}

void node_set_fini(struct node_set *set) {
  free(set->slots);
  free(set->buckets);
  *set = (struct node_set){0};
}

int node_set_grow(struct node_set *set, uint32_t more) {
  uint64_t need = (uint64_t)set->used + more;
  if (need > set->limit && set->capped) {
    errno = ENOMEM;
    return -1;
  }
  if (need > set->limit) need = set->limit;
  if (need <= set->capacity) return 0;
  uint64_t capacity =
      need > 2 * (uint64_t)set->capacity ? need : 2 * (uint64_t)set->capacity;
  if (capacity > set->limit) capacity = set->limit;
  struct node_slot *slots =
      reallocarray(set->slots, capacity + 1, sizeof *slots);
  if (!slots) return -1;
  set->slots = slots;
  set->capacity = (uint32_t)capacity;
  return rehash(set);
}

void node_set_unchain(struct node_set *set, uint32_t slot) {
  struct node_slot *slots = set->slots;
  struct node_bucket *bucket = node_bucket_of(set, node_hash(slots[slot].key));
  uint32_t after = slots[slot].tag_at & ~NODE_CHAINED;
  if (bucket->chain == slot) {
    bucket->chain = after;
    return;
  }
  uint32_t before = bucket->chain;
  while ((slots[before].tag_at & ~NODE_CHAINED) != slot)
    before = slots[before].tag_at & ~NODE_CHAINED;
  slots[before].tag_at = NODE_CHAINED | after;
}
