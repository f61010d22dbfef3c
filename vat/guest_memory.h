/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/guest_memory.h -- where a guest's pages lie in the memory of a virtual
 * machine of a given size.
 *
 * The memory is an array of frames of the guest's page size.  What needs a
 * frame is a page of data, or a page of tables: the 8-byte entries of the nodes
 * of one layer are an array, entry i for node i, that is cut into pages.  (With
 * K = 512 and pages of 4 KiB, such a page is one table of amd64.)  A page gets
 * its frame when it is first needed, first those of tables, from the root on,
 * then that of data.  The j-th page gets frame pi(j), for a seeded permutation
 * pi of all frames (vat/permutation.h): so whatever is accessed lies scattered
 * over all of the memory, as on a machine whose free frames are in no order.
 * Memory here: that of a hash table of the pages in use.  Internal to vat/.
 */
#pragma once
#include "vat/node_map.h"
#include "vat/permutation.h"
#include "vat/tree.h"

enum {
  GUEST_ENTRY_BITS = 3,                /* an entry has 8 bytes */
  GUEST_DATA = VAT_LAYERS_MAX,         /* in place of the layer of a table */
  GUEST_TAG_BITS = 5,                  /* of those, in a key */
  GUEST_PAGES_MAX = VAT_LAYERS_MAX + 1 /* that one address needs */
};

struct guest_memory {
  struct vat_tree tree;
  struct permutation order;
  uint64_t used;          /* frames given away */
  struct node_map frames; /* of each page: 1 + its frame */
};

/* A memory of `bytes`, of which there are enough for a frame.  0, or -1 with
 * ENOMEM. */
int vat_guest_memory_init(struct guest_memory *memory,
                          const struct vat_tree *tree, uint64_t bytes,
                          uint64_t seed);
void vat_guest_memory_fini(struct guest_memory *memory); /* zeroed: fine */

/* Frames for page number `page` and for the tables above it, where they have
 * none.  0, or -1 with ENOMEM, or ENOBUFS when all frames are in use. */
int vat_guest_memory_provide(struct guest_memory *memory, uint64_t page);

/* The page of tables in which the node of `layer` above `page` has its entry,
 * or with layer GUEST_DATA the page of data: one word. */
static inline uint64_t guest_memory_key(const struct guest_memory *memory,
                                        uint64_t page, unsigned layer) {
  unsigned bits = memory->tree.page_bits;
  uint64_t at = page;
  if (layer != GUEST_DATA) {
    at = vat_tree_node(&memory->tree, page, layer);
    if (bits > GUEST_ENTRY_BITS) at >>= bits - GUEST_ENTRY_BITS;
  }
  return at << GUEST_TAG_BITS | layer;
}

/* Guest-physical addresses; the page must have been provided. */
static inline uint64_t guest_memory_page(struct guest_memory *memory,
                                         uint64_t page, unsigned layer) {
  uint64_t key = guest_memory_key(memory, page, layer);
  return (*node_map_at(&memory->frames, key) - 1) << memory->tree.page_bits;
}

static inline uint64_t guest_memory_data(struct guest_memory *memory,
                                         uint64_t address) {
  unsigned bits = memory->tree.page_bits;
  uint64_t offset = address & ((UINT64_C(1) << bits) - 1);
  return guest_memory_page(memory, address >> bits, GUEST_DATA) | offset;
}

static inline uint64_t guest_memory_node(struct guest_memory *memory,
                                         uint64_t page, unsigned layer) {
  uint64_t entry = vat_tree_node(&memory->tree, page, layer)
                   << GUEST_ENTRY_BITS;
  uint64_t mask = (UINT64_C(1) << memory->tree.page_bits) - 1;
  return guest_memory_page(memory, page, layer) | (entry & mask);
}
