/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/layout_file.h -- which ranges of addresses have which page
 * size, as a text file that people and scripts write:
 *
 *   # comment
 *   default 4k
 *   7f1200000000-7f1240000000 2m
 *   0x10000000-0x10010000 64k
 *
 * Bounds are hexadecimal, as in /proc/PID/maps; the second is the first byte
 * behind the range.  Sizes are powers of two with k, m or g.  Without `default`
 * the rest has pages of the tree.
 */
#pragma once
#include <stdio.h>

#include "vat/layout.h"

enum { LAYOUT_FILE_WHY = 200 };

struct layout_file {
  struct vat_layout_range *range; /* in the order of the file */
  unsigned *line;                 /* of each, from 1 */
  size_t count, room;
  unsigned default_bits; /* 0: as the tree */
};

/* 0; or -1 with a sentence in `why`, "4: ...", where 4 is the line, and `file`
 * empty.  Ranges may overlap.  The caller owns it. */
int layout_file_parse(struct layout_file *file, FILE *text,
                      char why[LAYOUT_FILE_WHY]);
void layout_file_fini(struct layout_file *file); /* zeroed is fine */

/* The page size of the most bits, among ranges and the rest; 0: that of the
 * tree. */
unsigned layout_file_largest(const struct layout_file *file);
