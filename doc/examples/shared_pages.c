/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/shared_pages.c -- base pages of shared memory. */
#include <config.h>
#include <errno.h>
#include <sys/mman.h>

#include "huge_pages/available_memory.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"

static size_t shared_sizes(size_t sizes[HP_KINDS_MAX]) {
  sizes[0] = hp_base_page_bytes();
  return 1;
}

static int shared_map(struct hp_region *region) {
  void *base = mmap(NULL, region->bytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) {
    errno = ENOMEM;
    return -1;
  }
  region->base = base;
  region->via = "MAP_SHARED";
  return 0;
}

static void shared_unmap(struct hp_region *region) {
  munmap(region->base, region->bytes);
}

static int shared_explain(const struct hp_kind *kind, size_t bytes,
                          struct hp_missing *missing) {
  (void)kind;
  return hp_memory_explain(bytes, missing);
}

const struct hp_kind hp_shared_kind = {
    .name = "shared",
    .summary = "base pages of shared memory",
    .words = "shared memory",
    .sizes = shared_sizes,
    .map = shared_map,
    .unmap = shared_unmap,
    .explain = shared_explain,
    .named = true,
};
