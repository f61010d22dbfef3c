/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jemalloc has beside malloc, for a program that is linked to it and hands
 * a block of malloc() to these.  mallocx() itself is left to it. */
#include <dlfcn.h>
#include <string.h>

#include "experiments/exec/site.h"

/* The program's, or NULL where there is no jemalloc in it. */
static void *find(void **known, const char *name) {
  void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found) return found;
  found = dlsym(RTLD_NEXT, name);
  __atomic_store_n(known, found, __ATOMIC_RELAXED);
  return found;
}

#define REAL(type, name)            \
  static void *known;               \
  void *found = find(&known, name); \
  type *function;                   \
  memcpy(&function, &found, sizeof function)

typedef void *allocating(size_t, int);
typedef void *resizing(void *, size_t, int);
typedef size_t stretching(void *, size_t, size_t, int);
typedef size_t measuring(const void *, int);
typedef void freeing(void *, int);
typedef void freeing_sized(void *, size_t, int);

resizing rallocx;
stretching xallocx;
measuring sallocx;
freeing dallocx;
freeing_sized sdallocx;

/* Elsewhere, by the flags: they may ask for an alignment, or for zeroes. */
static void *move(void *block, int64_t owner, size_t bytes, int flags) {
  REAL(allocating, "mallocx");
  size_t had = site_block_size(block, owner);
  void *to = function ? function(bytes, flags) : site_next.calloc(1, bytes);
  if (!to) return NULL;
  memcpy(to, block, had < bytes ? had : bytes);
  site_block_free(block, owner);
  return to;
}

SHIM_EXPORT void *rallocx(void *block, size_t bytes, int flags) {
  int64_t owner = site_owner(block);
  if (owner != SITE_NOBODY) return move(block, owner, bytes, flags);
  REAL(resizing, "rallocx");
  return function ? function(block, bytes, flags)
                  : site_next.realloc(block, bytes);
}

/* In place: it stays as it is, which is always allowed. */
SHIM_EXPORT size_t xallocx(void *block, size_t bytes, size_t extra, int flags) {
  int64_t owner = site_owner(block);
  if (owner != SITE_NOBODY) return site_block_size(block, owner);
  REAL(stretching, "xallocx");
  return function ? function(block, bytes, extra, flags) : sallocx(block, 0);
}

SHIM_EXPORT size_t sallocx(const void *block, int flags) {
  int64_t owner = site_owner(block);
  if (owner != SITE_NOBODY) return site_block_size(block, owner);
  REAL(measuring, "sallocx");
  return function ? function(block, flags)
                  : site_real()->malloc_usable_size((void *)block);
}

SHIM_EXPORT void dallocx(void *block, int flags) {
  int64_t owner = site_owner(block);
  if (owner != SITE_NOBODY) {
    site_block_free(block, owner);
    return;
  }
  REAL(freeing, "dallocx");
  if (function)
    function(block, flags);
  else
    site_next.free(block);
}

SHIM_EXPORT void sdallocx(void *block, size_t bytes, int flags) {
  int64_t owner = site_owner(block);
  if (owner != SITE_NOBODY) {
    site_block_free(block, owner);
    return;
  }
  REAL(freeing_sized, "sdallocx");
  if (function)
    function(block, bytes, flags);
  else
    site_next.free(block);
}
