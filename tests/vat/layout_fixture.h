/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/vat/layout_fixture.h -- small random layouts, and which page an address
 * is on by the definition in vat/layout.h. */
#pragma once
#include <stdbool.h>

#include "vat/layout.h"

enum { LAYOUT_RANGES = 6 };

struct given_layout {
  struct vat_tree tree;
  struct vat_layout_range range[LAYOUT_RANGES];
  size_t count;
  unsigned default_bits;
};

/* Ranges of random sizes and bounds; `below` is a source of random numbers. */
struct given_layout random_layout(const struct vat_tree *tree,
                                  uint64_t (*below)(uint64_t m));

struct vat_layout *layout_of(const struct given_layout *given);

/* The size (log2) of the page at an address: by trying all ranges. */
unsigned reference_page_bits(const struct given_layout *given,
                             uint64_t address);

/* Print what a test failed on. */
void report_layout(const struct given_layout *given);
