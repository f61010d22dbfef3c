/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/base_pages.c -- the machine's ordinary pages, and no other. */
#include <config.h>
#include <sys/mman.h>
#include <unistd.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/guarded_map.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"

size_t hp_base_page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static int base_map(struct hp_region *region) {
  /*
   * Aligned as a huge page would be, so that the same data has the same cache
   * sets and page table indices on every kind.
   */
  region->base = hp_guarded_map(region->bytes, hp_thp_page_bytes());
  if (!region->base) return -1;
  region->via = "mmap";
  /* Fails only where the kernel has no transparent huge pages to forbid. */
  madvise(region->base, region->bytes, MADV_NOHUGEPAGE);
  return 0;
}

static void base_unmap(struct hp_region *region) {
  hp_guarded_unmap(region->base, region->bytes);
}

static int base_explain(const struct hp_kind *kind, size_t bytes,
                        struct hp_lack *lack) {
  (void)kind;
  return hp_memory_explain(bytes, lack);
}

const struct hp_kind hp_base_kind = {
    .summary = "base pages, transparent huge pages forbidden",
    .map = base_map,
    .unmap = base_unmap,
    .explain = base_explain,
};
