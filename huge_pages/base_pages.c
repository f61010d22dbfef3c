/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/base_pages.c -- the machine's ordinary pages, and no other.
 *
 * Where memory has been in use for a while, free base pages lie scattered, and
 * what a program takes depends on which it gets: on a virtual machine each then
 * has a line of the host's page table for itself, and no prefetcher goes from
 * one to the next.  (Seen: a scan of 100 MiB took 1.35 times as long, one of
 * 2 GiB, for which the kernel opens up whole blocks, as long as ever.)  So they
 * are taken from whole blocks where it has any: faulted in as huge pages, which
 * are then divided.  Programs have them as they are given; that is
 * hp_kind_given().
 */
#include <config.h>
#include <sys/mman.h>
#include <unistd.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/guarded_map.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"

size_t hp_base_page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/*
 * Aligned as a huge page would be, so that the same data has the same cache
 * sets and page table indices on every kind.
 */
static int map_aligned(struct hp_region *region) {
  region->base = hp_guarded_map(region->bytes, hp_thp_page_bytes());
  if (!region->base) return -1;
  region->via = "mmap";
  return 0;
}

static int base_map(struct hp_region *region) {
  if (map_aligned(region)) return -1;
  /* Fails where the kernel has no transparent huge pages: then pages are as
   * they come. */
  madvise(region->base, region->bytes, MADV_HUGEPAGE);
  return 0;
}

/* The kernel would give pages of nothing but zeros back as it divides. */
static void mark(volatile unsigned char *block, size_t bytes, size_t page,
                 unsigned char value) {
  for (size_t at = 0; at < bytes; at += page) block[at] = value;
}

/*
 * A huge page of which one base page is cold is divided.  One that is only
 * mapped by base pages is still one to the kernel: whoever asks whether it was
 * accessed (DAMON, reclaim) clears the accessed bits of all its entries at
 * once, and the next walk to each page has to set its own.
 */
static void divide(unsigned char *block, size_t bytes, size_t page) {
#ifdef MADV_COLD
  mark(block, bytes, page, 1);
  madvise(block, page, MADV_COLD);
  mark(block, bytes, page, 0);
#endif
  /* Where that failed: where protection changes inside of a huge page, it is
   * mapped by base pages from then on. */
  mprotect(block, page, PROT_READ);
  mprotect(block, page, PROT_READ | PROT_WRITE);
}

static void base_settle(struct hp_region *region) {
  size_t block = hp_thp_page_bytes(), page = hp_base_page_bytes();
  madvise(region->base, region->bytes, MADV_NOHUGEPAGE);
  for (size_t at = 0; at + block <= region->bytes; at += block)
    divide(region->base + at, block, page);
}

static int given_map(struct hp_region *region) {
  if (map_aligned(region)) return -1;
  madvise(region->base, region->bytes, MADV_NOHUGEPAGE);
  return 0;
}

static int base_explain(const struct hp_kind *kind, size_t bytes,
                        struct hp_missing *missing) {
  (void)kind;
  return hp_memory_explain(bytes, missing);
}

static size_t base_sizes(size_t sizes[HP_KINDS_MAX]) {
  sizes[0] = hp_base_page_bytes();
  return 1;
}

/* 4k first: 64k may also be a hugetlb size where base pages are smaller. */
static const char *const base_names[] = {"4k", "16k", "64k", NULL};

const struct hp_kind hp_base_kind = {
    .summary = "base pages, transparent huge pages forbidden",
    .sizes = base_sizes,
    .known_as = base_names,
    .base = true,
    .for_programs = true,
    .map = base_map,
    .settle = base_settle,
    .explain = base_explain,
};

const struct hp_kind hp_base_given_kind = {
    .name = "given",
    .summary = "base pages as the kernel gives them to any program",
    .sizes = base_sizes,
    .map = given_map,
    .explain = base_explain,
};
