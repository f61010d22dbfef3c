/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/guarded_map.c -- reserve too much, cut to fit, open the inside. */
#include "huge_pages/guarded_map.h"

#include <config.h>
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "huge_pages/kind_list.h"

size_t hp_guarded_span(size_t bytes, size_t align) {
  size_t more = 2 * hp_base_page_bytes() + align;
  return bytes > SIZE_MAX - more ? SIZE_MAX : bytes + more;
}

void *hp_guarded_map(size_t bytes, size_t align) {
  size_t page = hp_base_page_bytes();
  size_t all = hp_guarded_span(bytes, align);
  unsigned char *start = mmap(
      NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    errno = ENOMEM;
    return NULL;
  }
  uintptr_t first = (uintptr_t)start + page;
  unsigned char *base = start + page + (-first & (align - 1));
  size_t before = (size_t)(base - start) - page;
  size_t after = all - before - bytes - 2 * page;
  if (before) munmap(start, before);
  if (after) munmap(base + bytes + page, after);
  void *inside = mmap(base, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (inside != MAP_FAILED) return inside;
  hp_guarded_unmap(base, bytes);
  errno = ENOMEM;
  return NULL;
}

void hp_guarded_unmap(void *base, size_t bytes) {
  size_t page = hp_base_page_bytes();
  munmap((unsigned char *)base - page, bytes + 2 * page);
}
