/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/sized_pages.h -- how much of a mapping of another process
 * is on transparent huge pages of one size below that of a whole page table.
 *
 * smaps counts these as base pages.  What tells is the frames: those of a page
 * follow each other, and the kernel holds them as one.  Only CAP_SYS_ADMIN sees
 * frames.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "huge_pages/pagemap.h"
#include "huge_pages/smaps_mapping.h"

struct sized_pages {
  size_t page_bytes;
  struct hp_pagemap map;
};

/* Of process `pid`.  -1 with errno, and nothing to close. */
int sized_pages_open(struct sized_pages *sized, pid_t pid, size_t page_bytes);
void sized_pages_close(struct sized_pages *sized);

/* Bytes of the mapping on such pages, as far as frames are told. */
size_t sized_pages_of(struct sized_pages *sized,
                      const struct hp_mapping *mapping);

/* Were they, of all that was read? */
bool sized_pages_told(const struct sized_pages *sized);
