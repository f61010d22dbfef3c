/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/node_set.h -- the nodes of a TC under recency policies: a hash of nodes
 * and a list from the most to the least recent, in one.
 *
 * Nodes live in slots 1..used; slot 0 is the list's sentinel.  The hash has
 * buckets of one cache line: eight one-byte tags, compared all at once in a
 * word, eight slots, and a chain for the rare node that finds its bucket full.
 * A slot remembers where its tag is, so that removal searches nothing.  Memory
 * grows with the nodes in use up to the limit W.  Internal to vat/.
 */
#ifndef VAT_NODE_SET_H
#define VAT_NODE_SET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NODE_WAYS = 8 };

struct node_slot {
  uint64_t key;    /* vat_tree_key() */
  uint32_t tag_at; /* bucket * NODE_WAYS + way, or NODE_CHAINED | next slot */
  uint32_t newer, older;
  uint32_t parent; /* slot of the parent node when this one was loaded */
};

#define NODE_CHAINED UINT32_C(0x80000000)

struct node_bucket {
  uint8_t tags[NODE_WAYS]; /* 0: free */
  uint32_t slots[NODE_WAYS];
  uint32_t chain; /* first chained slot, or 0 */
  uint32_t unused[5];
};

struct node_set {
  struct node_slot *slots;
  struct node_bucket *buckets;
  unsigned shift;    /* of a hash, gives the bucket */
  uint32_t used;     /* slots in use: nodes in the TC */
  uint32_t capacity; /* slots allocated, without the sentinel */
  uint32_t limit;    /* W, or NODE_LIMIT */
  bool capped;       /* W is larger than NODE_LIMIT */
};

/* 0, or -1 with ENOMEM.  More than NODE_LIMIT nodes are refused when it comes
 * to that. */
enum { NODE_LIMIT = 1 << 28 };
int node_set_init(struct node_set *set, uint64_t limit);
void node_set_fini(struct node_set *set);

/* Make room for `more` nodes, if the limit allows as many.  -1 with ENOMEM. */
int node_set_grow(struct node_set *set, uint32_t more);

/* Remove a chained slot from its bucket's chain. */
void node_set_unchain(struct node_set *set, uint32_t slot);

static inline uint64_t node_hash(uint64_t key) {
  return key * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t node_tags(const struct node_bucket *bucket) {
  uint64_t tags;
  memcpy(&tags, bucket->tags, sizeof tags);
  return tags;
}

#define NODE_BYTES UINT64_C(0x0101010101010101)

/* The bytes of `tags` that equal `tag`, as high bits; what the borrow of a
 * match marks falsely above it is sorted out by comparing keys. */
static inline uint64_t node_match(uint64_t tags, uint8_t tag) {
  uint64_t x = tags ^ tag * NODE_BYTES;
  return (x - NODE_BYTES) & ~x & NODE_BYTES << 7;
}

static inline unsigned node_first_way(uint64_t match) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return (unsigned)__builtin_ctzll(match) / 8;
#else
  return (unsigned)__builtin_clzll(match) / 8;
#endif
}

static inline struct node_bucket *node_bucket_of(const struct node_set *set,
                                                 uint64_t hash) {
  return &set->buckets[hash >> set->shift];
}

/* Never 0, which marks a free way.  Bits that choose no bucket, and far enough
 * up to depend on more than the layer and the last digits of a page: the lowest
 * byte of a product knows only the lowest bytes of its factors. */
static inline uint8_t node_tag_of(uint64_t hash) {
  return (uint8_t)(hash >> 24) | 1;
}

/* The slot of `key`, or 0. */
static inline uint32_t node_set_find(const struct node_set *set, uint64_t key,
                                     uint64_t hash) {
  const struct node_bucket *bucket = node_bucket_of(set, hash);
  uint64_t match = node_match(node_tags(bucket), node_tag_of(hash));
  for (; match; match &= match - 1) {
    uint32_t slot = bucket->slots[node_first_way(match)];
    if (__builtin_expect(set->slots[slot].key == key, 1)) return slot;
  }
  uint32_t slot = bucket->chain;
  while (__builtin_expect(slot != 0, 0) && set->slots[slot].key != key)
    slot = set->slots[slot].tag_at & ~NODE_CHAINED;
  return slot;
}

static inline void node_set_prefetch(const struct node_set *set,
                                     uint64_t hash) {
  __builtin_prefetch(node_bucket_of(set, hash));
}

/* Take a slot out of the list, not out of the hash. */
static inline void node_set_unlink(struct node_set *set, uint32_t slot) {
  uint32_t newer = set->slots[slot].newer, older = set->slots[slot].older;
  set->slots[newer].older = older;
  set->slots[older].newer = newer;
}

/* Put a slot on the list as the most recent. */
static inline void node_set_push(struct node_set *set, uint32_t slot) {
  uint32_t newest = set->slots[0].older;
  set->slots[slot].older = newest;
  set->slots[slot].newer = 0;
  set->slots[newest].newer = slot;
  set->slots[0].older = slot;
}

/* A slot for a new node: fresh, or that of the least recent, evicted. */
static inline uint32_t node_set_take(struct node_set *set) {
  struct node_slot *slots = set->slots;
  if (__builtin_expect(set->used < set->limit, 0)) return ++set->used;
  uint32_t slot = slots[0].newer, newer = slots[slot].newer;
  slots[0].newer = newer;
  slots[newer].older = 0;
  uint32_t tag_at = slots[slot].tag_at;
  if (__builtin_expect(!(tag_at & NODE_CHAINED), 1))
    set->buckets[tag_at / NODE_WAYS].tags[tag_at % NODE_WAYS] = 0;
  else
    node_set_unchain(set, slot);
  return slot;
}

/* Enter `key` into the hash under `slot`. */
static inline void node_set_enter(struct node_set *set, uint32_t slot,
                                  uint64_t key, uint64_t hash) {
  struct node_bucket *bucket = node_bucket_of(set, hash);
  uint64_t room = node_match(node_tags(bucket), 0);
  set->slots[slot].key = key;
  if (__builtin_expect(room != 0, 1)) {
    unsigned way = node_first_way(room);
    bucket->tags[way] = node_tag_of(hash);
    bucket->slots[way] = slot;
    set->slots[slot].tag_at = (uint32_t)(hash >> set->shift) * NODE_WAYS + way;
  } else {
    set->slots[slot].tag_at = NODE_CHAINED | bucket->chain;
    bucket->chain = slot;
  }
}

/* Load a node that is not in the set; it is in the hash, not on the list. */
static inline uint32_t node_set_load(struct node_set *set, uint64_t key,
                                     uint64_t hash) {
  uint32_t slot = node_set_take(set);
  node_set_enter(set, slot, key, hash);
  return slot;
}
#endif
