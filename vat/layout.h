/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/layout.h -- pages of several sizes in one translation tree.
 *
 * A page of 2^q bytes, q >= p, takes the place of 2^(q - p) pages of the tree
 * (vat/tree.h).  Let q - p = m k + j with 0 <= j < k.  Then its leaf stands on
 * layer m, and there for 2^j neighbouring nodes with one parent: one node of a
 * TC, whose key is that of the first of them.  Its translation path has the
 * d + 1 - m nodes of layers d to m.  With k = 9, p = 12: a page of 2 MiB is a
 * node of layer 1, one of 1 GiB a node of layer 2; one of 64 KiB is a node of
 * layer 0 that stands for 16 leaves below the same parent.  Its misses are
 * counted on layer m.  A root is no leaf: m < d.
 *
 * A layout is a list of address ranges with the size of their pages.  A range
 * has as many pages of its size as lie in it, each at a multiple of the size;
 * what is left at its ends belongs to the rest.  The rest has pages of a
 * default size where one fits between ranges, and pages of the tree elsewhere.
 * That is how the kernel places transparent huge pages.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vat_layout_range {
  uint64_t start, end; /* bytes start to end - 1 */
  unsigned page_bits;  /* q */
};

struct vat_layout;

/*
 * Create the layout of `count` ranges, in any order, of a tree; the rest has
 * pages of 2^default_bits bytes.  The caller owns it; release with
 * vat_layout_destroy(), after all that was created with it.  Any number of
 * simulations may read it at a time.  NULL with errno: EINVAL (a bad tree, or a
 * page size that is smaller than the tree's or whose leaf is on layer 8 or
 * above, or not below the root), EEXIST (ranges overlap), ERANGE (a range ends
 * before it starts), ENOMEM.
 */
struct vat_layout *vat_layout_create(const struct vat_tree *tree,
                                     const struct vat_layout_range *ranges,
                                     size_t count, unsigned default_bits);
void vat_layout_destroy(struct vat_layout *layout); /* NULL is fine */

/* The layer of the leaf of a page of 2^page_bits bytes; it need not be below
 * the root. */
unsigned vat_layout_leaf(const struct vat_tree *tree, unsigned page_bits);

/* The size (log2) of the page at an address. */
unsigned vat_layout_page_bits(const struct vat_layout *layout,
                              uint64_t address);

#ifdef __cplusplus
}
#endif
