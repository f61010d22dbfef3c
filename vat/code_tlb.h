/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/code_tlb.h -- the TLBs of a processor that translates instruction fetches
 * beside data.
 *
 * Fetches have a first level of their own (the ITLB).  What it misses is looked
 * up in the second level, which is that of data; or in one of their own, as on
 * processors whose second levels are separate.  What that misses, too, is
 * walked, by the page-walk caches that data have.  Levels and walks are those
 * of vat/mixed_tlb.h.
 *
 * Data are on pages of one size: of each of several sizes, TLBs are simulated
 * beside code on base pages.  Beside data on the first of these sizes, code is
 * also simulated on large pages: the same accesses, and all code on pages of 2
 * MiB.  A page of data and one of code that are the same page are one entry of
 * a second level that both share.
 *
 * Freestanding, and all memory is the caller's.  Internal to vat/, and for
 * experiments/valgrind/.
 */
#pragma once
#include "vat/mixed_tlb.h"

enum {
  CODE_TLB_DATA = 4, /* sizes of data pages, at most */
  CODE_TLB_BASE = 0, /* pages of code */
  CODE_TLB_LARGE = 1,
  CODE_TLB_PAGES = 2
};

/* A size of data pages: 2^digits base pages, whose leaf is on layer `leaf`. */
struct code_tlb_data {
  unsigned digits, leaf;
};

struct code_tlbs_shape {
  struct tlb_shape data;
  /* Its second level without entries: that of data.  It has no page-walk
   * caches. */
  struct mixed_tlb_shape code;
  struct code_tlb_data size[CODE_TLB_DATA];
  unsigned sizes; /* of these, 1 and more */
};

struct code_tlbs {
  struct code_tlb_data size[CODE_TLB_DATA];
  unsigned sizes;
  bool own_second; /* of fetches */
  struct mixed_tlb code[CODE_TLB_PAGES];
  struct mixed_tlb data[CODE_TLB_DATA]; /* beside code on base pages */
  struct mixed_tlb beside_large;        /* size[0], beside code on large ones */
  uint64_t walks_beside_large;          /* of data, so far */
};

/* 4 KiB, 2 MiB, 1 GiB. */
extern const struct vat_tree code_tlb_tree;
enum { CODE_TLB_LARGE_BITS = 21 };

/* Bytes of memory, aligned as malloc() does it.  All is empty at first. */
size_t vat_code_tlbs_bytes(const struct code_tlbs_shape *shape);
void vat_code_tlbs_init(struct code_tlbs *tlbs,
                        const struct code_tlbs_shape *shape, void *memory);
void vat_code_tlbs_clear(struct code_tlbs *tlbs);

/* A data access with pages of size[which], to a base page.  Returns how many
 * nodes, leaf and up, are read by a walk; 0: none. */
unsigned vat_code_tlbs_data(struct code_tlbs *tlbs, unsigned which,
                            uint64_t page);

/* A fetch from a base page, in two steps.  The first returns bit 1 << CODE_TLB_
 * BASE and 1 << CODE_TLB_LARGE of what the first level missed with code on such
 * pages: that depends on fetches alone.  The second step is for these, when all
 * data accesses before the fetch are done, and gives the nodes that a walk
 * reads; 0: none. */
unsigned vat_code_tlbs_first(struct code_tlbs *tlbs, uint64_t page);
unsigned vat_code_tlbs_beyond(struct code_tlbs *tlbs, unsigned code,
                              uint64_t page);
