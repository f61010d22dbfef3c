/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading: also compiled into a library that programs load, so it takes nothing
 * of a C library but pread(), ioctl() and errno. */
#include <config.h>
#include <errno.h>
#include <unistd.h>

#include "huge_pages/pagemap.h"
#include "huge_pages/pagemap_scan.h"

/* Bits of pagemap and kpageflags (Linux, admin-guide/mm/pagemap.rst). */
#define BIT(n) (UINT64_C(1) << (n))
#define PRESENT BIT(63)
#define SWAPPED BIT(62)
#define FILE_PAGE BIT(61)
#define EXCLUSIVE BIT(56)
#define FRAME (BIT(55) - 1)
#define HEAD BIT(15)
#define TAIL BIT(16)
#define ZEROS BIT(24)

bool hp_pagemap_tells_frames(const struct hp_pagemap *map) {
  return map->flags >= 0 && !map->hidden;
}

static int read_words(int file, uint64_t at, uint64_t *words, size_t count) {
  size_t bytes = count * sizeof *words;
  ssize_t got = pread(file, words, bytes, (off_t)(at * sizeof *words));
  if (got == (ssize_t)bytes) return 0;
  if (got >= 0) errno = ESRCH;
  return -1;
}

/* The order of a page of `count` base pages, the first of which is number
 * `page` of the addresses; 0 where it is none that translates as one. */
static uint8_t order_of(size_t count, uint64_t page) {
  uint8_t order = 0;
  while ((size_t)1 << (order + 1) <= count) order++;
  return count == (size_t)1 << order && page % count == 0 ? order : 0;
}

/* `count` base pages from number `page` on have frames in a row, with these
 * flags: a page of the kernel is a head and all tails behind it.  flags[count]
 * tells whether the last one goes on. */
static void set_orders(struct hp_page *at, uint64_t page, const uint64_t *flags,
                       size_t count) {
  for (size_t i = 0, next; i < count; i = next) {
    next = i + 1;
    if (flags[i] & ZEROS) at[i].present = false;
    if (flags[i] & HEAD)
      while (next < count && flags[next] & TAIL) next++;
    bool whole = !(flags[next] & TAIL);
    uint8_t order = whole ? order_of(next - i, page + i) : 0;
    for (size_t k = i; k < next; k++) at[k].order = order;
  }
}

static int read_orders(struct hp_pagemap *map, uint64_t page, size_t count) {
  struct hp_page *at = map->page;
  for (size_t i = 0, next; i < count; i = next) {
    next = i + 1;
    if (!at[i].frame) continue;
    while (next < count && at[next].frame == at[next - 1].frame + 1) next++;
    if (read_words(map->flags, at[i].frame, map->words, next - i)) return -1;
    if (read_words(map->flags, at[i].frame + next - i, map->words + (next - i),
                   1))
      map->words[next - i] = 0; /* behind the last frame that there is */
    set_orders(at + i, page + i, map->words, next - i);
  }
  return 0;
}

/* Which of them are zeros or mapped by a higher table; an older kernel does not
 * tell, and then it is the pages of the kernel that are that large. */
static void read_huge(struct hp_pagemap *map, uintptr_t start, uintptr_t end) {
  struct hp_scan_region *regions = map->regions;
  struct hp_scan_arg arg = {.size = sizeof arg,
                            .start = start,
                            .end = end,
                            .vec = (uintptr_t)regions,
                            .vec_len = map->most,
                            .category_mask = HP_SCAN_PRESENT,
                            .category_anyof_mask = HP_SCAN_HUGE | HP_SCAN_ZEROS,
                            .return_mask = HP_SCAN_HUGE | HP_SCAN_ZEROS};
  int found = ioctl(map->entries, HP_SCAN, &arg);
  for (size_t i = 0; found < 0 && i < (end - start) / map->page_bytes; i++)
    map->page[i].huge =
        map->page[i].present && (size_t)1 << map->page[i].order == map->most;
  for (int i = 0; i < found; i++)
    for (uint64_t at = regions[i].start; at < regions[i].end;
         at += map->page_bytes) {
      struct hp_page *page = &map->page[(at - start) / map->page_bytes];
      if (regions[i].categories & HP_SCAN_ZEROS) page->present = false;
      page->huge = page->present;
      if (!(regions[i].categories & HP_SCAN_HUGE)) page->huge = false;
    }
}

int hp_pagemap_read(struct hp_pagemap *map, uintptr_t start, uintptr_t end) {
  uint64_t first = start / map->page_bytes;
  size_t count = (end - start) / map->page_bytes;
  if (count > map->most) {
    errno = EINVAL;
    return -1;
  }
  if (read_words(map->entries, first, map->words, count)) return -1;
  for (size_t i = 0; i < count; i++) {
    uint64_t entry = map->words[i];
    bool present = entry & PRESENT;
    map->page[i] = (struct hp_page){.frame = present ? entry & FRAME : 0,
                                    .present = present,
                                    .swapped = entry & SWAPPED,
                                    .shared = present && !(entry & EXCLUSIVE),
                                    .file = present && entry & FILE_PAGE};
    if (present && !map->page[i].frame) map->hidden = true;
  }
  if (hp_pagemap_tells_frames(map) && read_orders(map, first, count)) return -1;
  read_huge(map, start, end);
  return 0;
}

uintptr_t hp_pagemap_next(const struct hp_pagemap *map, uintptr_t start,
                          uintptr_t end) {
  struct hp_scan_region region;
  struct hp_scan_arg arg = {
      .size = sizeof arg,
      .start = start,
      .end = end,
      .vec = (uintptr_t)&region,
      .vec_len = 1,
      .max_pages = 1,
      .category_anyof_mask = HP_SCAN_PRESENT | HP_SCAN_SWAPPED,
      .return_mask = HP_SCAN_PRESENT};
  int found = ioctl(map->entries, HP_SCAN, &arg);
  if (found < 0) return start;
  return found ? (uintptr_t)region.start : end;
}
