/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code on huge pages as a mapping of its file.
 *
 * Nothing of the program changes: names, sharing with other processes, gdb and
 * perf are as ever.  It needs addresses that agree with the offset in the file
 * modulo 2 MiB, and either of
 *
 *   MADV_COLLAPSE  Linux 6.1 with CONFIG_READ_ONLY_THP_FOR_FS, or a tmpfs
 *   a file system with large folios (XFS; ext4 since Linux 6.16): what is read
 *                  while the mapping has MADV_HUGEPAGE comes in pages of 2 MiB.
 *                  What the kernel has in smaller ones, from before, is dropped
 *                  and read again, unless some process maps it.
 *
 * Pages that have been read like that stay so for who maps the file next.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "experiments/exec/shim.h"
#include "huge_pages/pagemap_scan.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* Linux 5.14 */
#endif

struct way {
  const struct shim_text *text;
  int pagemap;
  bool collapses, rereads; /* until that fails once */
};

/* The first pages of [start, start + THP) in these categories.  False: there
 * are none, or the kernel does not tell. */
static bool scan(const struct way *way, uintptr_t start,
                 struct hp_scan_arg *categories,
                 struct hp_scan_region *region) {
  categories->size = sizeof *categories;
  categories->start = start;
  categories->end = start + THP;
  categories->vec = (uintptr_t)region;
  categories->vec_len = 1;
  return syscall(SYS_ioctl, way->pagemap, HP_SCAN, categories) > 0;
}

static bool is_huge(const struct way *way, uintptr_t start) {
  struct hp_scan_region region;
  struct hp_scan_arg huge = {.category_mask = HP_SCAN_HUGE,
                             .return_mask = HP_SCAN_HUGE};
  return scan(way, start, &huge, &region) && region.start == start &&
         region.end == start + THP;
}

/* Does it differ from the file: by relocations, or breakpoints? */
static bool is_changed(const struct way *way, uintptr_t start) {
  struct hp_scan_region region;
  struct hp_scan_arg changed = {
      .category_inverted = HP_SCAN_FILE,
      .category_mask = HP_SCAN_FILE,
      .category_anyof_mask = HP_SCAN_PRESENT | HP_SCAN_SWAPPED,
      .return_mask = HP_SCAN_PRESENT};
  return scan(way, start, &changed, &region);
}

/* Map it anew, as the kernel has it now, or reads it.  Where that fails it is
 * mapped when it is used. */
static bool map_again(const struct way *way, uintptr_t start) {
  syscall(SYS_madvise, start, (size_t)THP, MADV_DONTNEED);
  syscall(SYS_madvise, start, (size_t)THP, MADV_POPULATE_READ);
  return is_huge(way, start);
}

static bool collapse(struct way *way, uintptr_t start) {
  if (!way->collapses) return false;
  if (syscall(SYS_madvise, start, (size_t)THP, MADV_COLLAPSE)) {
    if (errno == EINVAL) way->collapses = false;
    return false;
  }
  syscall(SYS_madvise, start, (size_t)THP, MADV_POPULATE_READ);
  return true;
}

/* Where the kernel does not have it in one piece afterwards, it most likely
 * cannot: a file system without large folios, memory in fragments, or a
 * program that is in use. */
static bool read_again(struct way *way, uintptr_t start) {
  if (!way->rereads) return false;
  uint64_t offset = start - way->text->start + way->text->offset;
  syscall(SYS_madvise, start, (size_t)THP, MADV_DONTNEED);
  syscall(SYS_fadvise64, way->text->file, offset, (size_t)THP,
          POSIX_FADV_DONTNEED);
  way->rereads = map_again(way, start);
  return way->rereads;
}

/* Without PAGEMAP_SCAN, which came before large folios of ext4 and after those
 * of XFS, nobody can tell what is huge, nor what may be dropped. */
static bool make_huge(struct way *way, uintptr_t start, bool scans) {
  if (!scans) return collapse(way, start);
  if (is_changed(way, start)) return false;
  return map_again(way, start) || collapse(way, start) ||
         read_again(way, start);
}

void shim_text_file(const struct shim_text *text, bool *huge) {
  uintptr_t first = text->start & ~((uintptr_t)THP - 1);
  uintptr_t from = (text->start + THP - 1) & ~((uintptr_t)THP - 1);
  uintptr_t to = text->end & ~((uintptr_t)THP - 1);
  if (from >= to || (text->start - text->offset) % THP || text->file < 0 ||
      syscall(SYS_madvise, from, to - from, MADV_HUGEPAGE))
    return;
  struct way way = {.text = text, .collapses = true, .rereads = true};
  way.pagemap = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/pagemap",
                             O_RDONLY | O_CLOEXEC);
  struct hp_scan_arg nothing = {.size = sizeof nothing};
  bool scans = syscall(SYS_ioctl, way.pagemap, HP_SCAN, &nothing) >= 0;
  for (uintptr_t at = from; at < to; at += THP)
    huge[(at - first) / THP] = make_huge(&way, at, scans);
  if (way.pagemap >= 0) syscall(SYS_close, way.pagemap);
}
