/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/vat/layout_fixture.h"

#include <stdio.h>

/* A page size whose leaf is below the root. */
static unsigned any_bits(const struct vat_tree *tree,
                         uint64_t (*below)(uint64_t m)) {
  unsigned digits = tree->index_bits * tree->levels;
  return tree->page_bits + (unsigned)below(digits < 8 ? digits : 8);
}

struct given_layout random_layout(const struct vat_tree *tree,
                                  uint64_t (*below)(uint64_t m)) {
  struct given_layout given = {.tree = *tree};
  unsigned digits = tree->index_bits * tree->levels;
  uint64_t size = UINT64_C(1) << (tree->page_bits + digits);
  uint64_t at = 0;
  given.default_bits = below(2) ? tree->page_bits : any_bits(tree, below);
  while (given.count < LAYOUT_RANGES && below(6)) {
    struct vat_layout_range *range = &given.range[given.count];
    range->page_bits = any_bits(tree, below);
    range->start = at + below(3) * below(size / 8 + 1);
    if (below(2)) /* on a page's bound */
      range->start = (range->start >> range->page_bits) << range->page_bits;
    if (range->start < at || range->start >= size) break;
    uint64_t bytes = 1 + below(4) * below(size / 4 + 1);
    if (below(2)) bytes = (1 + below(4)) << range->page_bits;
    at = range->end = range->start + bytes;
    given.count++;
  }
  for (size_t i = given.count; i > 1; i--) { /* in any order */
    struct vat_layout_range *a = &given.range[below(i)];
    struct vat_layout_range *b = &given.range[i - 1], c = *a;
    *a = *b;
    *b = c;
  }
  return given;
}

struct vat_layout *layout_of(const struct given_layout *given) {
  return vat_layout_create(&given->tree, given->range, given->count,
                           given->default_bits);
}

/* Does the page of that size at an address lie in the range?  It ends at
 * 2^64 at most. */
static bool has_page(const struct vat_layout_range *range, uint64_t address,
                     uint64_t tree_end) {
  uint64_t bytes = UINT64_C(1) << range->page_bits;
  uint64_t start = address / bytes * bytes;
  return start >= range->start && start + bytes <= range->end &&
         start + bytes <= tree_end;
}

unsigned reference_page_bits(const struct given_layout *given,
                             uint64_t address) {
  const struct vat_tree *tree = &given->tree;
  uint64_t bytes = UINT64_C(1) << given->default_bits;
  uint64_t start = address / bytes * bytes;
  uint64_t end = UINT64_C(1)
                 << (tree->page_bits + tree->index_bits * tree->levels);
  for (size_t i = 0; i < given->count; i++)
    if (has_page(&given->range[i], address, end))
      return given->range[i].page_bits;
  for (uint64_t at = start; at < start + bytes;
       at += UINT64_C(1) << tree->page_bits)
    for (size_t i = 0; i < given->count; i++)
      if (has_page(&given->range[i], at, end)) return tree->page_bits;
  return given->default_bits;
}

void report_layout(const struct given_layout *given) {
  printf("k=%u p=%u d=%u default %u", given->tree.index_bits,
         given->tree.page_bits, given->tree.levels, given->default_bits);
  for (size_t i = 0; i < given->count; i++)
    printf(" %llx-%llx:%u", (unsigned long long)given->range[i].start,
           (unsigned long long)given->range[i].end, given->range[i].page_bits);
  puts("");
}
