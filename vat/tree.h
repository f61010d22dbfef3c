/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/tree.h -- the translation tree of the VAT model.
 *
 * A virtual address is an index and an offset of `page_bits` bits (P = 2^p
 * cells a page); the index is `levels` digits of `index_bits` bits (a node has
 * K = 2^k children).  The root is on layer d = levels, the leaves, one a page,
 * on layer 0; so a translation path has d + 1 nodes (Jurkiewicz, PhD thesis,
 * sections 2.2 and 2.3).  Node (l, i) is the i-th of layer l from the left.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  VAT_LEVELS_MAX = 15,                /* d */
  VAT_LAYERS_MAX = VAT_LEVELS_MAX + 1 /* nodes of the longest path */
};

struct vat_tree {
  unsigned index_bits; /* k, 1..32 */
  unsigned page_bits;  /* p, 0..48; 0: addresses are page numbers */
  unsigned levels;     /* d, 1..VAT_LEVELS_MAX */
};

/* A tree by name: "amd64-4k", "amd64-2m-5", "arm64-16k", ... */
struct vat_tree_preset {
  const char *name;
  struct vat_tree tree;
  const char *summary;
};
extern const struct vat_tree_preset vat_tree_presets[]; /* ends: NULL name */
const struct vat_tree_preset *vat_tree_preset_find(const char *name);

/* 0, or -1 with errno EINVAL when a parameter is out of its range. */
int vat_tree_check(const struct vat_tree *tree);

/* The least number of levels (>= 1) whose tree holds page number `page`. */
unsigned vat_tree_levels_for(unsigned index_bits, uint64_t page);

/* Bits of a page number: at most 60, so that a node's layer and index fit one
 * word; no machine has as many. */
static inline unsigned vat_tree_page_number_bits(const struct vat_tree *tree) {
  unsigned bits = tree->index_bits * tree->levels;
  return bits < 60 ? bits : 60;
}

/* Does the tree have a leaf for page number `page`? */
static inline bool vat_tree_holds(const struct vat_tree *tree, uint64_t page) {
  return !(page >> vat_tree_page_number_bits(tree));
}

/* One word for node (layer, index above `page`). */
static inline uint64_t vat_tree_key(const struct vat_tree *tree, uint64_t page,
                                    unsigned layer) {
  unsigned shift = tree->index_bits * layer;
  return (shift < 64 ? page >> shift : 0) << 4 | layer;
}

/* Index within its layer of the node above `page` on `layer`. */
static inline uint64_t vat_tree_node(const struct vat_tree *tree, uint64_t page,
                                     unsigned layer) {
  unsigned shift = tree->index_bits * layer;
  return shift < 64 ? page >> shift : 0;
}

#ifdef __cplusplus
}
#endif
