/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/sized_thp_pages.c -- transparent huge pages of the sizes between
 * base pages and the PMD size (Linux 6.8).
 *
 * A fault takes the largest page that is switched on, lies in the mapping and
 * in which nothing is there yet.  So that this is one of the wanted size, and
 * no other switch has to be changed, the advice is given to one page at a time:
 * the mapping that has it is as large as the page, and the next larger does not
 * fit.  Afterwards nothing of the region has it, and khugepaged, which would
 * collapse base pages and these into pages of the PMD size, passes over it.
 */
#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "huge_pages/guarded_map.h"
#include "huge_pages/guardian.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pagemap.h"
#include "huge_pages/region.h"
#include "huge_pages/thp_choice.h"
#include "huge_pages/thp_faults.h"

/* 8 KiB have no switch: two pages are too few for what the kernel keeps of an
 * anonymous one. */
static size_t sized_sizes(size_t sizes[HP_KINDS_MAX]) {
  size_t count = 0, most = hp_thp_page_bytes();
  for (size_t bytes = 2 * hp_base_page_bytes();
       bytes < most && count < HP_KINDS_MAX; bytes *= 2)
    if (hp_thp_choice_of(bytes) >= 0) sizes[count++] = bytes;
  return count;
}

static int sized_map(struct hp_region *region) {
  region->base = hp_guarded_map(region->bytes, hp_thp_page_bytes());
  if (!region->base) return -1;
  region->via = "madvise";
  if (!madvise(region->base, region->bytes, MADV_NOHUGEPAGE)) return 0;
  hp_guarded_unmap(region->base, region->bytes);
  errno = ENOTSUP;
  return -1;
}

static int populate_page(unsigned char *page, size_t bytes) {
  madvise(page, bytes, MADV_HUGEPAGE);
  int failed = hp_populate(page, bytes);
  int error = errno;
  madvise(page, bytes, MADV_NOHUGEPAGE);
  errno = error;
  return failed;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static int sized_populate(struct hp_region *region, size_t at, size_t bytes) {
  size_t page = region->kind->bytes, pages = bytes / page;
  struct hp_thp_faults before, after;
  bool counts = !hp_thp_faults_read(page, &before);
  for (size_t end = at + bytes; at < end; at += page)
    if (populate_page(region->base + at, page)) return -1;
  if (counts && !hp_thp_faults_read(page, &after))
    region->counted += hp_thp_faults_given(&before, &after, pages) * page;
  return 0;
}

/* Bytes on pages of 2^i base pages.  With `again`, pages that are not of the
 * region's size are faulted in once more. */
struct tally {
  size_t bytes[64];
  bool again;
};

static void tally_page(struct hp_region *region, struct tally *tally,
                       const struct hp_page *page, size_t at, size_t base) {
  size_t whole = region->kind->bytes, count = whole / base;
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    good &= page[i].present && base << page[i].order == whole;
    if (page[i].present) tally->bytes[page[i].order] += base;
  }
  if (good || !tally->again) return;
  madvise(region->base + at, whole, MADV_DONTNEED);
  populate_page(region->base + at, whole);
}

/* -1 with ENOTSUP where frames are not told. */
static int tally_region(struct hp_region *region, struct tally *tally) {
  struct hp_pagemap map;
  if (hp_pagemap_open(&map, getpid())) return -1;
  size_t step = map.most * map.page_bytes, whole = region->kind->bytes;
  uintptr_t start = (uintptr_t)region->base;
  int failed = 0;
  for (size_t at = 0, next; !failed && at < region->bytes; at = next) {
    next = least(at + step, region->bytes);
    failed = hp_pagemap_read(&map, start + at, start + next);
    if (!failed && !hp_pagemap_tells_frames(&map)) {
      errno = ENOTSUP;
      failed = -1;
    }
    for (size_t page = at; !failed && page < next; page += whole)
      tally_page(region, tally, map.page + (page - at) / map.page_bytes, page,
                 map.page_bytes);
  }
  int error = errno;
  hp_pagemap_close(&map);
  errno = error;
  return failed;
}

/* A fault that finds no page of the size ready takes a smaller one. */
static void sized_settle(struct hp_region *region) {
  int order = __builtin_ctzll(region->kind->bytes / hp_base_page_bytes());
  for (int tries = 0; tries < 4; tries++) {
    struct tally tally = {.again = true};
    if (tally_region(region, &tally) || tally.bytes[order] == region->bytes)
      return;
  }
}

/* By frames, if we may see them.  Otherwise smaps counts these pages as base
 * pages; of those, as many are of the size as the page faults counted. */
static int sized_verify(const struct hp_region *region,
                        struct hp_granted *granted) {
  struct tally tally = {.again = false};
  struct hp_region copy = *region;
  size_t base = hp_base_page_bytes();
  if (!tally_region(&copy, &tally)) {
    *granted = (struct hp_granted){.missing = region->bytes};
    for (size_t order = 0; order < 64; order++)
      hp_granted_add(granted, base << order, tally.bytes[order]);
    return 0;
  }
  struct hp_granted seen;
  if (hp_region_read_smaps(region, &seen)) return -1;
  *granted = (struct hp_granted){.missing = region->bytes};
  for (size_t i = 0; i < seen.sizes; i++) {
    bool ours = seen.by[i].page_bytes == base;
    size_t sized = ours ? least(region->counted, seen.by[i].bytes) : 0;
    hp_granted_add(granted, region->kind->bytes, sized);
    hp_granted_add(granted, seen.by[i].page_bytes, seen.by[i].bytes - sized);
  }
  return 0;
}

const struct hp_kind hp_sized_thp_kind = {
    .prefix = "thp-",
    .summary = "transparent huge pages of this size, by its own switch",
    .sizes = sized_sizes,
    .map = sized_map,
    .populate = sized_populate,
    .settle = sized_settle,
    .verify = sized_verify,
    .explain = hp_thp_explain,
    .holding = &hp_thp_switch_holding,
    .alone = &hp_thp_alone_holding,
    .named = true,
};
