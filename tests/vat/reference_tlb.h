/* SPDX-License-Identifier: BSD-2-Clause */
/* tests/vat/reference_tlb.h -- TLBs and page-walk caches by their definition:
 * which keys there are, and when they were touched.  A key that is not among
 * the last `ways` of its set is not held.  Linear in the keys, which are few.
 */
#pragma once
#include "vat/tlb.h"

enum { TLB_REFERENCE_KEYS = 4096, TLB_REFERENCE_LEVELS = 4 };

struct tlb_reference_cache {
  struct tlb_cache_shape shape;
  uint64_t touched[TLB_REFERENCE_KEYS]; /* 0: never */
};

struct tlb_reference {
  struct vat_tree tree;
  struct tlb_reference_cache level[2], walk[TLB_REFERENCE_LEVELS];
};

/* Empty.  The tree has at most TLB_REFERENCE_LEVELS levels. */
void tlb_reference_init(struct tlb_reference *all, const struct vat_tree *tree,
                        const struct tlb_shape *shape);
/* Nodes that a walk reads.  `page` is below TLB_REFERENCE_KEYS, and `now` later
 * than all before. */
unsigned tlb_reference_access(struct tlb_reference *all, uint64_t page,
                              uint64_t now);
