/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/mixed_tlb.h -- TLBs (vat/tlb.h) for pages of several sizes.
 *
 * A level has one cache for all sizes, and may have others for pages from some
 * size on: a page is looked up in the one with the largest such size, as
 * processors have a first level for each size and a second one that sizes
 * share.  A page of any size is one entry; its set is that of the lowest bits
 * of its own number, and pages of different sizes are different entries.
 *
 * With coalescing, an entry of a page smaller than the given size holds the
 * translations of all such pages in a block of that size, which is aligned:
 * that is what processors do whose frames are as contiguous as the pages.  Here
 * all frames are.
 *
 * What no level has is walked, from the lowest inner node that its layer's
 * page-walk cache holds, down to the leaf, which is on a higher layer for
 * larger pages (vat/layout.h).  All memory is the caller's.  Internal to vat/.
 */
#pragma once
#include "vat/layout_find.h"
#include "vat/tlb.h"

enum { MIXED_TLB_SIZES = 4 };

struct mixed_tlb_shape {
  struct tlb_shape all; /* for any size */
  struct {
    unsigned page_bits; /* from this size on; rising; 0: there are no more */
    struct tlb_cache_shape level[2]; /* no entries: the cache before it */
  } from[MIXED_TLB_SIZES];
  unsigned coalesce_bits; /* of the size; 0: no coalescing */
};

struct mixed_tlb {
  struct vat_tree tree;
  struct tlb_cache level[2][MIXED_TLB_SIZES + 1]; /* [0]: for any size */
  struct tlb_cache walk[VAT_LEVELS_MAX];          /* of layers 1 to d - 1 */
  uint64_t second_hits; /* of vat_mixed_tlb_access(), since it was empty; its
                           steps' callers count them */
  /* By the page's size, 2^i of the tree's: its cache, and an entry's size. */
  uint8_t which[2][PATH_PAGE_BITS], entry[PATH_PAGE_BITS];
};

/* Bytes of memory.  Its caches are empty at first. */
size_t vat_mixed_tlb_bytes(const struct mixed_tlb_shape *shape,
                           const struct vat_tree *tree);
void vat_mixed_tlb_init(struct mixed_tlb *tlb,
                        const struct mixed_tlb_shape *shape,
                        const struct vat_tree *tree, void *memory);
void vat_mixed_tlb_clear(struct mixed_tlb *tlb);

/* Translate `page` of the tree, in a page of 2^digits of them whose leaf is on
 * layer `leaf`.  Returns how many nodes, layers `leaf` and up, are read by a
 * walk; 0: none, as a TLB has the page. */
unsigned vat_mixed_tlb_access(struct mixed_tlb *tlb, uint64_t page,
                              unsigned digits, unsigned leaf);

/* Its steps, for who has more caches between them (vat/code_tlb.h).  Look the
 * page up in level 0 or 1: true if it was there, and it is there then. */
bool vat_mixed_tlb_level(struct mixed_tlb *tlb, unsigned level, uint64_t page,
                         unsigned digits);
/* What no level had: the nodes that are read, at least one. */
unsigned vat_mixed_tlb_walk(struct mixed_tlb *tlb, uint64_t page,
                            unsigned leaf);
