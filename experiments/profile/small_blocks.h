/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/small_blocks.h -- what the small blocks of a site need,
 * where they are and in memory of their own.
 *
 * `vat exec` has them in jemalloc (experiments/exec/site_arena.c): blocks are
 * rounded up to its sizes, and each extent of pages, a slab of small blocks or
 * one larger block, is described in 128 bytes; or, those of 449 bytes to 4 KiB,
 * in slabs of its own, 16 bytes further apart (site_slabs.c).  What they take
 * in the program's heap is not counted, as its pages belong to who maps them;
 * it is computed: of glibc's malloc(), or of another, which is taken to be as
 * dense as jemalloc.
 */
#pragma once
#include "experiments/profile/profile.h"

struct small_blocks {
  uint64_t bytes; /* that the program asks for */
  uint64_t arena; /* that they need in the arena; pages of 4 KiB */
  uint64_t heap;  /* that they take in the program's; pages of 4 KiB, too */
};

/* The most at once.  Of profiles of an older vat they are estimated.  Is the
 * program's malloc() glibc's? */
struct small_blocks small_blocks_of(const struct profile_site *site,
                                    bool glibc);

/* Small mappings, as they are cut from larger pages one after the other
 * (experiments/exec/page_shim.c): `heap` is what was touched of them.  0s:
 * these are not cut. */
struct small_blocks small_blocks_mapped(const struct profile_site *site);

/* What it rounds a block up to. */
uint64_t small_blocks_size(uint64_t bytes);

/* What its large blocks need where these are in the arena, too. */
uint64_t small_blocks_large(const struct profile_site *site);

/* What the arena of a process takes for itself, and vat's library.  Programs of
 * 10^6 blocks of 100 bytes, of 2 * 10^6 of 48 and of 10^7 of 32 had 2, 6 and 8
 * to 10 MiB more at their peak than blocks and extents explain. */
#define SMALL_BLOCKS_BEGIN (UINT64_C(4) << 20)

/* Of a page of them it keeps so much, as said above: the first 2 MiB of this
 * are on base pages. */
#define SMALL_BLOCKS_OF_PAGE 128

/* It maps so much at a time (site_arena.c); of the last, a part may be left. */
#define SMALL_BLOCKS_CHUNK (UINT64_C(8) << 20)
