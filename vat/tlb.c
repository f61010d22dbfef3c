/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/tlb.h"

#include <string.h>

#define NO_KEY UINT64_MAX /* no page has that number */

bool vat_tlb_shape_check(const struct tlb_cache_shape *shape) {
  if (!shape->entries || !shape->ways || shape->entries > TLB_ENTRIES_MAX ||
      shape->ways > TLB_WAYS_MAX || shape->entries % shape->ways)
    return false;
  uint32_t sets = shape->entries / shape->ways;
  return !(sets & (sets - 1));
}

size_t vat_tlb_bytes(const struct tlb_shape *shape,
                     const struct vat_tree *tree) {
  size_t walk = (size_t)shape->walk.entries * (tree->levels - 1);
  return sizeof(uint64_t) *
         (shape->level[0].entries + shape->level[1].entries + walk);
}

static uint64_t *set_up(struct tlb_cache *cache,
                        const struct tlb_cache_shape *shape, uint64_t *memory) {
  cache->keys = memory;
  cache->ways = shape->ways;
  cache->sets = shape->entries ? shape->entries / shape->ways : 0;
  return memory + shape->entries;
}

void vat_tlb_init(struct tlb *tlb, const struct tlb_shape *shape,
                  const struct vat_tree *tree, void *memory) {
  uint64_t *keys = memory;
  tlb->tree = *tree;
  for (unsigned i = 0; i < 2; i++)
    keys = set_up(&tlb->level[i], &shape->level[i], keys);
  for (unsigned layer = 1; layer < tree->levels; layer++)
    keys = set_up(&tlb->walk[layer], &shape->walk, keys);
  vat_tlb_clear(tlb);
}

static void clear(struct tlb_cache *cache) {
  for (size_t i = 0; i < (size_t)cache->sets * cache->ways; i++)
    cache->keys[i] = NO_KEY;
}

void vat_tlb_clear(struct tlb *tlb) {
  for (unsigned i = 0; i < 2; i++) clear(&tlb->level[i]);
  for (unsigned layer = 1; layer < tlb->tree.levels; layer++)
    clear(&tlb->walk[layer]);
}

/* True on a hit; either way the key is the most recent of its set then. */
static bool touch(struct tlb_cache *cache, uint64_t key) {
  if (!cache->sets) return false;
  uint64_t *set = cache->keys + (key & (cache->sets - 1)) * cache->ways;
  uint32_t way = 0;
  while (way < cache->ways && set[way] != key) way++;
  bool hit = way < cache->ways;
  memmove(set + 1, set, (hit ? way : way - 1) * sizeof *set);
  set[0] = key;
  return hit;
}

unsigned vat_tlb_access(struct tlb *tlb, uint64_t page) {
  unsigned layer = 1;
  if (touch(&tlb->level[0], page) || touch(&tlb->level[1], page)) return 0;
  while (layer < tlb->tree.levels &&
         !touch(&tlb->walk[layer], vat_tree_node(&tlb->tree, page, layer)))
    layer++;
  return layer;
}
