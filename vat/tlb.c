/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/tlb.h"

#include "vat/tlb_cache.h"

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

void vat_tlb_init(struct tlb *tlb, const struct tlb_shape *shape,
                  const struct vat_tree *tree, void *memory) {
  uint64_t *keys = memory;
  tlb->tree = *tree;
  for (unsigned i = 0; i < 2; i++)
    keys = tlb_cache_init(&tlb->level[i], &shape->level[i], keys);
  for (unsigned layer = 1; layer < tree->levels; layer++)
    keys = tlb_cache_init(&tlb->walk[layer], &shape->walk, keys);
  vat_tlb_clear(tlb);
}

void vat_tlb_clear(struct tlb *tlb) {
  for (unsigned i = 0; i < 2; i++) tlb_cache_clear(&tlb->level[i]);
  for (unsigned layer = 1; layer < tlb->tree.levels; layer++)
    tlb_cache_clear(&tlb->walk[layer]);
  tlb->second_hits = 0;
}

static bool touch(struct tlb_cache *cache, uint64_t key) {
  return tlb_cache_touch(cache, key, key);
}

unsigned vat_tlb_access(struct tlb *tlb, uint64_t page) {
  unsigned layer = 1;
  if (touch(&tlb->level[0], page)) return 0;
  if (touch(&tlb->level[1], page)) {
    tlb->second_hits++;
    return 0;
  }
  while (layer < tlb->tree.levels &&
         !touch(&tlb->walk[layer], vat_tree_node(&tlb->tree, page, layer)))
    layer++;
  return layer;
}
