/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/layout_find.h -- the path of a page, by its layout.
 *
 * A layout is cut into pieces with pages of one size.  Between two bounds of
 * pieces there are whole chunks, as large as all bounds allow; a direct-mapped
 * table of chunks, one per simulation, knows the pieces of those used lately.
 * Another one knows blocks of chunks that lie in one piece, as most do; only
 * what is in neither is searched for.  Internal to vat/.
 */
#pragma once
#include <stdint.h>

#include "vat/layout.h"
#include "vat/path.h"

struct layout_piece {
  uint64_t start; /* page of the tree; it ends where the next one starts */
  uint64_t keep;  /* the digits of a page number that its leaf has, and the
                     leaf's layer as in a path */
};

struct vat_layout {
  struct vat_tree tree;
  unsigned chunk_bits; /* of a page number */
  unsigned leaf_most;  /* the highest layer of a leaf */
  size_t count;
  struct layout_piece pieces[]; /* by `start`; the first starts at 0 */
};

enum {
  LAYOUT_KNOWN = 1024,  /* of either */
  LAYOUT_BLOCK_BITS = 6 /* chunks of a block */
};

struct layout_known {
  uint64_t number, keep; /* UINT64_MAX: none */
};

struct layout_find {
  const struct vat_layout *layout;
  struct layout_known chunk[LAYOUT_KNOWN], block[LAYOUT_KNOWN];
};

/* `layout` outlives it. */
void vat_layout_find_init(struct layout_find *find,
                          const struct vat_layout *layout);

/* One of its own for a layout of `tree`, to be released with free(); NULL
 * without a layout.  0, or -1 with errno: EINVAL (the layout of another tree),
 * ENOMEM. */
int vat_layout_find_create(struct layout_find **find,
                           const struct vat_layout *layout,
                           const struct vat_tree *tree);

/* `keep` of the piece of a page whose chunk is in no table; then it is. */
uint64_t vat_layout_find_chunk(struct layout_find *find, uint64_t page);

/* The same, by the tables. */
static inline uint64_t layout_keep(struct layout_find *find, uint64_t page) {
  uint64_t number = page >> find->layout->chunk_bits;
  const struct layout_known *known = &find->chunk[number % LAYOUT_KNOWN];
  if (__builtin_expect(known->number != number, 0))
    return vat_layout_find_chunk(find, page);
  return known->keep;
}

/* The path of a page of the tree. */
static inline uint64_t layout_path(struct layout_find *find, uint64_t page) {
  uint64_t keep = layout_keep(find, page);
  return (page & keep) | (keep & ~PATH_PAGE);
}
