/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/vat/reference_tlb.h"

#include <string.h>

void tlb_reference_init(struct tlb_reference *all, const struct vat_tree *tree,
                        const struct tlb_shape *shape) {
  memset(all, 0, sizeof *all);
  all->tree = *tree;
  for (unsigned i = 0; i < 2; i++) all->level[i].shape = shape->level[i];
  for (unsigned i = 0; i < TLB_REFERENCE_LEVELS; i++)
    all->walk[i].shape = shape->walk;
}

static bool touch(struct tlb_reference_cache *cache, uint64_t key,
                  uint64_t now) {
  uint32_t sets =
      cache->shape.entries ? cache->shape.entries / cache->shape.ways : 0;
  uint32_t later = 0;
  if (!sets) return false;
  for (uint64_t other = key % sets; other < TLB_REFERENCE_KEYS; other += sets)
    later += cache->touched[other] > cache->touched[key];
  bool hit = cache->touched[key] && later < cache->shape.ways;
  cache->touched[key] = now;
  return hit;
}

unsigned tlb_reference_access(struct tlb_reference *all, uint64_t page,
                              uint64_t now) {
  const struct vat_tree *tree = &all->tree;
  unsigned layer = 1;
  if (touch(&all->level[0], page, now)) return 0;
  if (touch(&all->level[1], page, now)) return 0;
  while (layer < tree->levels &&
         !touch(&all->walk[layer], page >> layer * tree->index_bits, now))
    layer++;
  return layer;
}
