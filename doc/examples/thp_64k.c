/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/thp_64k.c -- transparent huge pages of 64 KiB (Linux 6.8). */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#define SWITCH "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled"

enum { PAGE = 64 << 10 };

/* Bits of /proc/self/pagemap (Linux, admin-guide/mm/pagemap.rst). */
static const uint64_t present = UINT64_C(1) << 63;
static const uint64_t frame = (UINT64_C(1) << 55) - 1;

static size_t thp_64k_sizes(size_t sizes[HP_KINDS_MAX]) {
  sizes[0] = PAGE;
  return 1;
}

/*
 * A fault takes the largest page that fits: one of 2 MiB where the table of
 * that range is not there yet.  So a base page comes first in each such range,
 * and thp_64k_settle() makes good the 64 KiB around it.
 */
static int thp_64k_map(struct hp_region *region) {
  if (hp_thp_map(region)) return -1;
  madvise(region->base, region->bytes, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < region->bytes; at += hp_thp_page_bytes())
    *(volatile unsigned char *)(region->base + at) = 0;
  madvise(region->base, region->bytes, MADV_HUGEPAGE);
  return 0;
}

static void thp_64k_settle(struct hp_region *region) {
  for (size_t at = 0; at < region->bytes; at += hp_thp_page_bytes()) {
    madvise(region->base + at, PAGE, MADV_DONTNEED);
    madvise(region->base + at, PAGE, MADV_POPULATE_WRITE);
  }
}

/* One page where its frames follow each other, from a multiple of its size. */
static bool is_whole(const uint64_t *entries, size_t count) {
  uint64_t first = entries[0] & frame;
  if (first % count) return false;
  for (size_t i = 0; i < count; i++)
    if (!(entries[i] & present) || (entries[i] & frame) != first + i)
      return false;
  return true;
}

/* smaps counts these pages as base pages: of those, see which are not. */
static int thp_64k_verify(const struct hp_region *region,
                          struct hp_granted *granted) {
  uint64_t entries[PAGE / 4096];
  size_t base = hp_base_page_bytes(), count = PAGE / base, whole = 0;
  if (hp_region_read_smaps(region, granted)) return -1;
  if (granted->sizes != 1 || granted->by[0].page_bytes != base) return 0;
  int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0) return -1;
  for (size_t at = 0; at < region->bytes; at += PAGE) {
    off_t entry = (off_t)((uintptr_t)(region->base + at) / base * 8);
    ssize_t bytes = (ssize_t)(count * sizeof *entries);
    if (pread(pagemap, entries, (size_t)bytes, entry) == bytes &&
        is_whole(entries, count))
      whole += PAGE;
  }
  close(pagemap);
  if (!whole) return 0;
  granted->by[0].bytes -= whole;
  if (!granted->by[0].bytes) granted->sizes = 0;
  granted->by[granted->sizes].page_bytes = PAGE;
  granted->by[granted->sizes++].bytes = whole;
  return 0;
}

static int thp_64k_explain(const struct hp_kind *kind, size_t bytes,
                           struct hp_missing *missing) {
  char text[256];
  if (!hp_kernel_read_text(SWITCH, text, sizeof text) && !geteuid())
    return hp_thp_explain(kind, bytes, missing);
  snprintf(missing->why, sizeof missing->why, "%s",
           geteuid() ? "only root may read which frames it got"
                     : "this kernel has no such pages");
  snprintf(missing->fix, sizeof missing->fix, "%s",
           geteuid() ? "run this by sudo" : "run on Linux 6.8 or later");
  errno = ENOTSUP;
  return -1;
}

const struct hp_kind hp_thp_64k_kind = {
    .name = "thp-64k",
    .summary = "transparent huge pages of 64 KiB",
    .words = "transparent huge pages of 64 KiB",
    .sizes = thp_64k_sizes,
    .map = thp_64k_map,
    .settle = thp_64k_settle,
    .verify = thp_64k_verify,
    .explain = thp_64k_explain,
};
