/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/sized_pages.h -- how much memory of a process is on
 * transparent huge pages of one size below that of a whole page table.
 *
 * smaps counts these as base pages.  What tells is the frames: those of a page
 * follow each other, and the kernel holds them as one.  Only CAP_SYS_ADMIN sees
 * frames: hp_pagemap_tells_frames() tells whether they were seen.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "huge_pages/pagemap.h"

struct sized_pages {
  size_t page_bytes;
  struct hp_pagemap map; /* opened and closed by the owner of this */
};

/* Bytes of [start, end) on such pages, as far as frames are told. */
size_t sized_pages_of(struct sized_pages *sized, uintptr_t start,
                      uintptr_t end);
