/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/mixed_tlb.h"

#include "vat/tlb_cache.h"

size_t vat_mixed_tlb_bytes(const struct mixed_tlb_shape *shape,
                           const struct vat_tree *tree) {
  size_t entries = 0;
  for (unsigned i = 0; i < MIXED_TLB_SIZES; i++)
    entries +=
        shape->from[i].level[0].entries + shape->from[i].level[1].entries;
  return vat_tlb_bytes(&shape->all, tree) + sizeof(uint64_t) * entries;
}

/* Which cache of a level a page of that size is looked up in. */
static unsigned which_cache(const struct mixed_tlb_shape *shape, unsigned level,
                            unsigned page_bits) {
  unsigned which = 0;
  for (unsigned i = 0; i < MIXED_TLB_SIZES && shape->from[i].page_bits; i++)
    if (shape->from[i].level[level].entries &&
        page_bits >= shape->from[i].page_bits)
      which = i + 1;
  return which;
}

void vat_mixed_tlb_init(struct mixed_tlb *tlb,
                        const struct mixed_tlb_shape *shape,
                        const struct vat_tree *tree, void *memory) {
  uint64_t *keys = memory;
  unsigned base = tree->page_bits, coalesced = 0;
  if (shape->coalesce_bits > base) coalesced = shape->coalesce_bits - base;
  tlb->tree = *tree;
  for (unsigned l = 0; l < 2; l++) {
    keys = tlb_cache_init(&tlb->level[l][0], &shape->all.level[l], keys);
    for (unsigned i = 0; i < MIXED_TLB_SIZES; i++)
      keys =
          tlb_cache_init(&tlb->level[l][i + 1], &shape->from[i].level[l], keys);
    for (unsigned digits = 0; digits < PATH_PAGE_BITS; digits++)
      tlb->which[l][digits] = (uint8_t)which_cache(shape, l, base + digits);
  }
  for (unsigned digits = 0; digits < PATH_PAGE_BITS; digits++)
    tlb->entry[digits] = (uint8_t)(digits > coalesced ? digits : coalesced);
  for (unsigned layer = 1; layer < tree->levels; layer++)
    keys = tlb_cache_init(&tlb->walk[layer], &shape->all.walk, keys);
  vat_mixed_tlb_clear(tlb);
}

void vat_mixed_tlb_clear(struct mixed_tlb *tlb) {
  for (unsigned l = 0; l < 2; l++)
    for (unsigned i = 0; i <= MIXED_TLB_SIZES; i++)
      tlb_cache_clear(&tlb->level[l][i]);
  for (unsigned layer = 1; layer < tlb->tree.levels; layer++)
    tlb_cache_clear(&tlb->walk[layer]);
  tlb->second_hits = 0;
}

bool vat_mixed_tlb_level(struct mixed_tlb *tlb, unsigned level, uint64_t page,
                         unsigned digits) {
  uint64_t number = page >> tlb->entry[digits];
  /* The size is that of the lowest 1: numbers have up to 60 bits. */
  uint64_t key = (2 * number + 1) << tlb->entry[digits];
  return tlb_cache_touch(&tlb->level[level][tlb->which[level][digits]], number,
                         key);
}

unsigned vat_mixed_tlb_walk(struct mixed_tlb *tlb, uint64_t page,
                            unsigned leaf) {
  unsigned layer = leaf + 1;
  for (; layer < tlb->tree.levels; layer++) {
    uint64_t node = vat_tree_node(&tlb->tree, page, layer);
    if (tlb_cache_touch(&tlb->walk[layer], node, node)) break;
  }
  return layer - leaf;
}

unsigned vat_mixed_tlb_access(struct mixed_tlb *tlb, uint64_t page,
                              unsigned digits, unsigned leaf) {
  if (vat_mixed_tlb_level(tlb, 0, page, digits)) return 0;
  if (vat_mixed_tlb_level(tlb, 1, page, digits)) {
    tlb->second_hits++;
    return 0;
  }
  return vat_mixed_tlb_walk(tlb, page, leaf);
}
