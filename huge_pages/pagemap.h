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

/* A base page of a range. */
struct hp_page {
  uint64_t frame; /* 0: not told */
  uint8_t order;  /* part of a page of 2^order base pages that is whole in the
                     range and aligned to its size; 0 also where not told */
  bool present;   /* the page of zeros, which Rss leaves out, is not */
  bool swapped;
  bool shared; /* present, and mapped more than once */
  bool file;   /* present, of a file or of shared memory */
  bool huge;   /* present, mapped by an entry of a higher table */
};

struct hp_pagemap {
  int entries, flags;   /* files; flags -1: frames are not told */
  size_t page_bytes;    /* base pages */
  size_t most;          /* base pages of a huge page: of a range at most */
  struct hp_page *page; /* what hp_pagemap_read() found, in order */
  uint64_t *words;      /* for reading */
  void *regions;
  bool hidden; /* a page was present, and its frame not told */
};

/* 0, or -1 with ENOMEM, or the errno of what could not be opened. */
int hp_pagemap_open(struct hp_pagemap *map, pid_t pid);
void hp_pagemap_close(struct hp_pagemap *map);

/* Were frames told of all that was read, so that sizes are known? */
bool hp_pagemap_tells_frames(const struct hp_pagemap *map);

/* Read [start, end), multiples of base pages, into map->page; at most a huge
 * page.  -1 with the errno of a read; the process is gone: ESRCH. */
int hp_pagemap_read(struct hp_pagemap *map, uintptr_t start, uintptr_t end);

/* The first address in [start, end) with something present or swapped; `end`
 * where there is none.  Before Linux 6.7, which has no call for it, `start`. */
uintptr_t hp_pagemap_next(const struct hp_pagemap *map, uintptr_t start,
                          uintptr_t end);
