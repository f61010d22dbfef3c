/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/mapped_blocks.h -- large blocks that glibc maps by
 * themselves.
 *
 * Where the heap is chosen, `vat exec` has them begin with a larger page
 * (experiments/exec/site_heap.c).  The last page is a larger one, too, if at
 * most an eighth of the block is beyond its end; else the end is on base pages.
 * A profile has no list of sizes: where some of the blocks are freed, each is
 * taken to be half of the next, as those of a table that grows, and else all to
 * have the same.
 */
#pragma once
#include "experiments/profile/profile.h"

struct mapped_blocks {
  double on_pages; /* bytes on larger pages, for each byte of a block */
  double ends;     /* bytes on base pages, in all of the site's blocks */
};

/* 1 and 0 where there are none. */
struct mapped_blocks mapped_blocks_of(const struct profile_site *site,
                                      uint64_t page);
