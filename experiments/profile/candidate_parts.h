/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/candidate_parts.h -- the parts of a candidate that can be
 * chosen instead of all of it.
 *
 * Of blocks: the bytes from one unit to another, the same ones of each block.
 * For each number of pages, it is the part of so many pages or fewer that
 * misses most.  Where blocks differ in length, later units are fewer pages.
 * Beyond CANDIDATE_EXACT pages, the numbers differ by a 256th: the part of the
 * largest number that fits saves then a little less than the best one could,
 * and the bound is of the next larger number.
 * Of small blocks: the first ones, in proportion.
 */
#pragma once
#include "experiments/profile/chooser_item.h"

enum { CANDIDATE_EXACT = 256 };

/* What of its candidate is chosen; `from` and `to` as there. */
struct candidate_part {
  uint64_t from, to, touched;
  double times, misses;
};

struct candidate_parts {
  struct candidate_part *at;
  struct chooser_part *item; /* of the same */
  size_t count;
};

/* Units of blocks, by rising bytes. */
struct candidate_unit {
  uint64_t from, to;         /* bytes of each block */
  uint64_t bytes;            /* on larger pages, in all blocks; whole pages */
  uint64_t touched, faulted; /* the latter each time that it was mapped */
  uint64_t saving, misses;   /* on any scale */
};

/* All of it. */
struct candidate_whole {
  uint64_t bytes, page, touched, asked;
  double times, saving, misses;
};

/* Both add to empty parts; what is 0 in all units is not divided. */
void candidate_parts_of_blocks(struct candidate_parts *parts,
                               const struct candidate_whole *whole,
                               const struct candidate_unit *unit, size_t units);
void candidate_parts_of_small(struct candidate_parts *parts,
                              const struct candidate_whole *whole);
void candidate_parts_fini(struct candidate_parts *parts);
