/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/tlb_cache.h -- one set-associative cache of translations, LRU in each
 * set.  Freestanding.  Internal to vat/. */
#pragma once
#include <string.h>

#include "vat/tlb.h"

#define TLB_NO_KEY UINT64_MAX /* no page has that number */

/* The cache in `memory`, whose rest is returned. */
static inline uint64_t *tlb_cache_init(struct tlb_cache *cache,
                                       const struct tlb_cache_shape *shape,
                                       uint64_t *memory) {
  cache->keys = memory;
  cache->ways = shape->ways;
  cache->sets = shape->entries ? shape->entries / shape->ways : 0;
  return memory + shape->entries;
}

static inline void tlb_cache_clear(struct tlb_cache *cache) {
  for (size_t i = 0; i < (size_t)cache->sets * cache->ways; i++)
    cache->keys[i] = TLB_NO_KEY;
}

/* True on a hit; either way `key` is the most recent then of the set that the
 * lowest bits of `number` name. */
static inline bool tlb_cache_touch(struct tlb_cache *cache, uint64_t number,
                                   uint64_t key) {
  if (!cache->sets) return false;
  uint64_t *set = cache->keys + (number & (cache->sets - 1)) * cache->ways;
  uint32_t way = 0;
  while (way < cache->ways && set[way] != key) way++;
  bool hit = way < cache->ways;
  memmove(set + 1, set, (hit ? way : way - 1) * sizeof *set);
  set[0] = key;
  return hit;
}
