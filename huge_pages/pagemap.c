/* SPDX-License-Identifier: BSD-2-Clause */
#include "huge_pages/pagemap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"

/* Bits of pagemap and kpageflags (Linux, admin-guide/mm/pagemap.rst). */
#define BIT(n) (UINT64_C(1) << (n))
static const uint64_t present = BIT(63), swapped = BIT(62), exclusive = BIT(56);
static const uint64_t frame = BIT(55) - 1;
static const uint64_t head = BIT(15), tail = BIT(16);

enum { MOST = (2 << 20) / 4096 };

/* PAGEMAP_SCAN of Linux 6.7, with struct pm_scan_arg and page_region, which
 * older headers lack. */
struct scan_arg {
  uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
  uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
struct scan_region {
  uint64_t start, end, categories;
};
#define SCAN _IOWR('f', 16, struct scan_arg)
enum { SCAN_REGIONS = 8, SCAN_IS_PRESENT = 1 << 3, SCAN_IS_HUGE = 1 << 6 };

int hp_pagemap_open(struct hp_pagemap *map, pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/pagemap", (int)pid);
  *map = (struct hp_pagemap){.flags = -1, .page_bytes = hp_base_page_bytes()};
  map->entries = hp_kernel_open(path, O_RDONLY);
  if (map->entries < 0) return -1;
  map->flags = hp_kernel_open("/proc/kpageflags", O_RDONLY);
  return 0;
}

void hp_pagemap_close(struct hp_pagemap *map) {
  if (map->entries >= 0) close(map->entries);
  if (map->flags >= 0) close(map->flags);
  *map = (struct hp_pagemap){.entries = -1, .flags = -1};
}

bool hp_pagemap_tells_frames(const struct hp_pagemap *map) {
  return map->flags >= 0;
}

static int read_words(int file, uint64_t at, uint64_t *words, size_t count) {
  ssize_t bytes = (ssize_t)(count * sizeof *words);
  ssize_t got = pread(file, words, (size_t)bytes, (off_t)(at * sizeof *words));
  if (got == bytes) return 0;
  if (got >= 0) errno = ESRCH;
  return -1;
}

/* The order of a page of `count` base pages, the first of which is number
 * `page` of the addresses; 0 where it is none that translates as one. */
static size_t order_of(size_t count, uint64_t page) {
  size_t order = 0;
  while ((size_t)1 << (order + 1) <= count) order++;
  bool whole = count == (size_t)1 << order && page % count == 0;
  return whole && order < HP_PAGEMAP_ORDERS ? order : 0;
}

/* `count` base pages from number `page` on have frames in a row, with these
 * flags: a page of the kernel is a head and all tails behind it.  flags[count]
 * tells whether the last one goes on. */
static void add_run(uint64_t page, const uint64_t *flags, size_t count,
                    size_t by[HP_PAGEMAP_ORDERS]) {
  for (size_t i = 0, next; i < count; i = next) {
    next = i + 1;
    if (flags[i] & head)
      while (next < count && flags[next] & tail) next++;
    bool whole = !(flags[next] & tail);
    by[whole ? order_of(next - i, page + i) : 0] += next - i;
  }
}

static bool follows(uint64_t before, uint64_t entry) {
  return entry & present && (entry & frame) == (before & frame) + 1;
}

static int add_sizes(const struct hp_pagemap *map, uint64_t page,
                     const uint64_t *entries, size_t count,
                     size_t by[HP_PAGEMAP_ORDERS]) {
  uint64_t flags[MOST + 1];
  for (size_t i = 0, next; i < count; i = next) {
    next = i + 1;
    if (!(entries[i] & present)) continue;
    while (next < count && follows(entries[next - 1], entries[next])) next++;
    uint64_t first = entries[i] & frame;
    if (read_words(map->flags, first, flags, next - i)) return -1;
    if (read_words(map->flags, first + next - i, flags + (next - i), 1))
      flags[next - i] = 0; /* behind the last frame that there is */
    add_run(page + i, flags, next - i, by);
  }
  return 0;
}

/* Base pages that an entry of a higher table maps; an older kernel does not
 * tell, and then it is the pages of the kernel that are that large. */
static size_t huge_pages_of(const struct hp_pagemap *map, uintptr_t start,
                            uintptr_t end,
                            const struct hp_pagemap_count *count) {
  struct scan_region regions[SCAN_REGIONS];
  struct scan_arg arg = {.size = sizeof arg,
                         .start = start,
                         .end = end,
                         .vec = (uintptr_t)regions,
                         .vec_len = SCAN_REGIONS,
                         .category_mask = SCAN_IS_HUGE | SCAN_IS_PRESENT,
                         .return_mask = SCAN_IS_HUGE};
  size_t bytes = 0;
  int found = ioctl(map->entries, SCAN, &arg);
  if (found < 0) return count->by[9] == MOST ? MOST : 0;
  for (int i = 0; i < found; i++) bytes += regions[i].end - regions[i].start;
  return bytes / map->page_bytes;
}

int hp_pagemap_read(const struct hp_pagemap *map, uintptr_t start,
                    uintptr_t end, struct hp_pagemap_count *count) {
  uint64_t entries[MOST], page = start / map->page_bytes;
  size_t pages = (end - start) / map->page_bytes;
  *count = (struct hp_pagemap_count){0};
  if (pages > MOST) {
    errno = EINVAL;
    return -1;
  }
  if (read_words(map->entries, page, entries, pages)) return -1;
  for (size_t i = 0; i < pages; i++) {
    count->present += !!(entries[i] & present);
    count->swapped += !!(entries[i] & swapped);
    count->shared += (entries[i] & (present | exclusive)) == present;
  }
  if (map->flags < 0)
    count->by[0] = count->present;
  else if (add_sizes(map, page, entries, pages, count->by))
    return -1;
  count->huge = huge_pages_of(map, start, end, count);
  return 0;
}
