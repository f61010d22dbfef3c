/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/tlb.h -- the caches that processors have for translations: two levels of
 * TLB, set-associative, for pages of one size, and page-walk caches.
 *
 * A set is that of the lowest bits of the page number, and LRU within.  What
 * the first level misses is looked up in the second, and loaded into both; the
 * first hides its hits from the second, which hence may replace what the first
 * holds. What both miss is walked, from the lowest inner node that its layer's
 * page-walk cache holds; the root's place is always known (Intel SDM vol. 3A,
 * section 4.10.3).  Freestanding, and all memory is the caller's.  Internal to
 * vat/.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

enum { TLB_ENTRIES_MAX = 1 << 20, TLB_WAYS_MAX = 1024 };

/* `entries` / `ways` sets, a power of two; without entries: no such cache. */
struct tlb_cache_shape {
  uint32_t entries, ways;
};
struct tlb_shape {
  struct tlb_cache_shape level[2];
  struct tlb_cache_shape walk; /* of each layer of inner nodes but the root's */
};
bool vat_tlb_shape_check(const struct tlb_cache_shape *shape);

struct tlb_cache {
  uint64_t *keys; /* set by set, the most recent first */
  uint32_t sets, ways;
};

struct tlb {
  struct vat_tree tree;
  struct tlb_cache level[2];
  struct tlb_cache walk[VAT_LEVELS_MAX]; /* of layers 1 to d - 1 */
  uint64_t second_hits; /* of its second level, since it was empty */
};

/* Bytes of memory for a TLB.  Its caches are empty at first. */
size_t vat_tlb_bytes(const struct tlb_shape *shape,
                     const struct vat_tree *tree);
void vat_tlb_init(struct tlb *tlb, const struct tlb_shape *shape,
                  const struct vat_tree *tree, void *memory);
void vat_tlb_clear(struct tlb *tlb);

/* Returns how many nodes, layers 0 and up, are read by a walk; 0: none, as a
 * TLB has the page. */
unsigned vat_tlb_access(struct tlb *tlb, uint64_t page);
