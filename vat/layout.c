/* SPDX-License-Identifier: BSD-2-Clause */
#include "vat/layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "vat/layout_find.h"

unsigned vat_layout_leaf(const struct vat_tree *tree, unsigned page_bits) {
  return (page_bits - tree->page_bits) / tree->index_bits;
}

static int check_size(const struct vat_tree *tree, unsigned page_bits) {
  if (page_bits >= tree->page_bits && page_bits < 64 &&
      page_bits - tree->page_bits < PATH_PAGE_BITS) {
    unsigned leaf = vat_layout_leaf(tree, page_bits);
    if (leaf <= PATH_LEAF_MOST && leaf < tree->levels) return 0;
  }
  errno = EINVAL;
  return -1;
}

static int by_start(const void *a, const void *b) {
  const struct vat_layout_range *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

/* A copy of the ranges by start, none of them empty.  NULL with errno. */
static struct vat_layout_range *sorted(const struct vat_tree *tree,
                                       const struct vat_layout_range *ranges,
                                       size_t *count) {
  size_t kept = 0;
  struct vat_layout_range *copy = calloc(*count + 1, sizeof *copy);
  if (!copy) return NULL;
  for (size_t i = 0; i < *count; i++) {
    if (check_size(tree, ranges[i].page_bits)) goto fail;
    errno = ERANGE;
    if (ranges[i].end < ranges[i].start) goto fail;
    if (ranges[i].end > ranges[i].start) copy[kept++] = ranges[i];
  }
  qsort(copy, kept, sizeof *copy, by_start);
  errno = EEXIST;
  for (size_t i = 1; i < kept; i++)
    if (copy[i].start < copy[i - 1].end) goto fail;
  *count = kept;
  return copy;
fail:
  free(copy);
  return NULL;
}

/* Room for the pieces of a range: itself, and the rest behind it in three. */
enum { PIECES_OF_RANGE = 4 };

static void add_piece(struct vat_layout *layout, uint64_t start,
                      unsigned page_bits) {
  const struct vat_tree *tree = &layout->tree;
  uint64_t digits = PATH_PAGE >> (page_bits - tree->page_bits)
                                     << (page_bits - tree->page_bits);
  uint64_t leaf = vat_layout_leaf(tree, page_bits);
  struct layout_piece piece = {start, digits | leaf << PATH_PAGE_BITS};
  if (layout->count && layout->pieces[layout->count - 1].keep == piece.keep)
    return;
  layout->pieces[layout->count++] = piece;
  if (leaf > layout->leaf_most) layout->leaf_most = (unsigned)leaf;
}

/* The first multiple of 2^bits from `at` on. */
static uint64_t round_up(uint64_t at, unsigned bits) {
  uint64_t down = at >> bits << bits;
  return down == at ? at : down + (UINT64_C(1) << bits);
}

/* The rest from one page of the tree to another, the second not in it. */
static void add_rest(struct vat_layout *layout, uint64_t from, uint64_t to,
                     unsigned default_bits) {
  unsigned base = layout->tree.page_bits;
  uint64_t inner = round_up(from, default_bits - base);
  uint64_t end = to >> (default_bits - base) << (default_bits - base);
  if (from == to) return;
  if (inner >= end) {
    add_piece(layout, from, base);
    return;
  }
  if (from < inner) add_piece(layout, from, base);
  add_piece(layout, inner, default_bits);
  if (end < to) add_piece(layout, end, base);
}

static void find_chunks(struct vat_layout *layout) {
  uint64_t bounds = 0;
  for (size_t i = 1; i < layout->count; i++) bounds |= layout->pieces[i].start;
  layout->chunk_bits = bounds ? (unsigned)__builtin_ctzll(bounds) : 60;
}

/* The first page of the tree that a byte address has no part of. */
static uint64_t pages_end(const struct vat_tree *tree) {
  unsigned bits = vat_tree_page_number_bits(tree);
  return UINT64_C(1) << (bits + tree->page_bits < 64 ? bits
                                                     : 64 - tree->page_bits);
}

static void add_ranges(struct vat_layout *layout,
                       const struct vat_layout_range *ranges, size_t count,
                       unsigned default_bits) {
  uint64_t from = 0, last = pages_end(&layout->tree);
  for (size_t i = 0; i < count; i++) {
    unsigned bits = ranges[i].page_bits, digits = bits - layout->tree.page_bits;
    uint64_t start = ranges[i].start >> bits, end = ranges[i].end >> bits;
    if (start << bits != ranges[i].start) start++;
    if (end > last >> digits) end = last >> digits;
    if (start >= end) continue;
    add_rest(layout, from, start << digits, default_bits);
    add_piece(layout, start << digits, bits);
    from = end << digits;
  }
  add_rest(layout, from, last, default_bits);
}

struct vat_layout *vat_layout_create(const struct vat_tree *tree,
                                     const struct vat_layout_range *ranges,
                                     size_t count, unsigned default_bits) {
  if (vat_tree_check(tree) || check_size(tree, default_bits)) return NULL;
  struct vat_layout_range *copy = sorted(tree, ranges, &count);
  if (!copy) return NULL;
  struct vat_layout *layout =
      calloc(1, sizeof *layout + (PIECES_OF_RANGE * count + PIECES_OF_RANGE) *
                                     sizeof *layout->pieces);
  if (layout) {
    layout->tree = *tree;
    add_ranges(layout, copy, count, default_bits);
    find_chunks(layout);
  }
  free(copy);
  return layout;
}

void vat_layout_destroy(struct vat_layout *layout) { free(layout); }

/* The number of the piece that a page is in. */
static size_t piece_of(const struct vat_layout *layout, uint64_t page) {
  size_t from = 0, to = layout->count;
  while (to - from > 1) {
    size_t middle = from + (to - from) / 2;
    if (layout->pieces[middle].start <= page)
      from = middle;
    else
      to = middle;
  }
  return from;
}

/* Does a block of chunks lie in a piece? */
static bool holds(const struct vat_layout *layout, size_t piece, uint64_t block,
                  unsigned block_bits) {
  uint64_t start = block << block_bits;
  uint64_t last = start | ((UINT64_C(1) << block_bits) - 1);
  return start >= layout->pieces[piece].start &&
         (piece + 1 == layout->count || last < layout->pieces[piece + 1].start);
}

uint64_t vat_layout_find_chunk(struct layout_find *find, uint64_t page) {
  const struct vat_layout *layout = find->layout;
  unsigned block_bits = layout->chunk_bits + LAYOUT_BLOCK_BITS;
  if (block_bits > PATH_PAGE_BITS) block_bits = PATH_PAGE_BITS;
  uint64_t chunk = page >> layout->chunk_bits, block = page >> block_bits;
  struct layout_known *of_chunk = &find->chunk[chunk % LAYOUT_KNOWN];
  struct layout_known *of_block = &find->block[block % LAYOUT_KNOWN];
  of_chunk->number = chunk;
  if (of_block->number == block) return of_chunk->keep = of_block->keep;
  size_t piece = piece_of(layout, page);
  of_chunk->keep = layout->pieces[piece].keep;
  if (holds(layout, piece, block, block_bits))
    *of_block = (struct layout_known){block, of_chunk->keep};
  return of_chunk->keep;
}

unsigned vat_layout_page_bits(const struct vat_layout *layout,
                              uint64_t address) {
  uint64_t page = address >> layout->tree.page_bits;
  uint64_t digits = path_page(layout->pieces[piece_of(layout, page)].keep);
  return layout->tree.page_bits + (unsigned)__builtin_ctzll(digits);
}

void vat_layout_find_init(struct layout_find *find,
                          const struct vat_layout *layout) {
  memset(find, 0xff, sizeof *find);
  find->layout = layout;
}

int vat_layout_find_create(struct layout_find **find,
                           const struct vat_layout *layout,
                           const struct vat_tree *tree) {
  *find = NULL;
  if (!layout) return 0;
  if (memcmp(&layout->tree, tree, sizeof *tree) != 0) {
    errno = EINVAL;
    return -1;
  }
  *find = malloc(sizeof **find);
  if (*find) vat_layout_find_init(*find, layout);
  return *find ? 0 : -1;
}
