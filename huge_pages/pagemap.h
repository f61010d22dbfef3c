/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/pagemap.h -- which base pages of a process are there, and of what
 * pages they are part.
 *
 * Internal to this project.  /proc/PID/pagemap tells what is there to who may
 * read smaps.  Which frames these are, and with /proc/kpageflags which of them
 * the kernel holds as one page, it tells to CAP_SYS_ADMIN only.  The process
 * runs on meanwhile: each call shows one moment.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { HP_PAGEMAP_ORDERS = 20 }; /* pages of 2^0 to 2^19 base pages */

/* Base pages of a range. */
struct hp_pagemap_count {
  size_t present, swapped;
  size_t shared; /* present, and some other process has them, too */
  size_t huge;   /* present, and mapped by an entry of a higher table */
  /* Of those present, in pages of 2^i base pages that are whole in the range
   * and begin at a multiple of their size there.  All in by[0] without rights.
   */
  size_t by[HP_PAGEMAP_ORDERS];
};

struct hp_pagemap {
  int entries, flags; /* files; flags -1: frames are not told */
  size_t page_bytes;  /* base pages */
};

/* 0, or -1 with the errno of what could not be opened. */
int hp_pagemap_open(struct hp_pagemap *map, pid_t pid);
void hp_pagemap_close(struct hp_pagemap *map);

/* Are frames told, so that sizes are known? */
bool hp_pagemap_tells_frames(const struct hp_pagemap *map);

/* Count [start, end), multiples of base pages and at most 2 MiB apart.  -1 with
 * the errno of a read; the process is gone: ESRCH. */
int hp_pagemap_read(const struct hp_pagemap *map, uintptr_t start,
                    uintptr_t end, struct hp_pagemap_count *count);
