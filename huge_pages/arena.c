/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/arena.c -- jemalloc over one region.
 *
 * jemalloc asks the extent hooks for runs of its pages; they are cut off the
 * front of the region.  It gets them once and keeps them: every hook that
 * would return, purge or decommit memory declines, because punching holes
 * into huge pages is what an arena on huge pages must not do.  Its metadata
 * comes through the same hooks and so lives on the same kind of page.
 */
#include "huge_pages/arena.h"

#include <config.h>
#include <errno.h>
#include <jemalloc/jemalloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct hp_arena {
  extent_hooks_t hooks; /* first: jemalloc passes it back to us */
  unsigned char *base;
  size_t bytes;
  size_t used;
  unsigned index;  /* of the jemalloc arena */
  unsigned tcache; /* so that malloc and free seldom take the arena's lock */
};

static void *extent_alloc(extent_hooks_t *hooks, void *wanted, size_t bytes,
                          size_t alignment, bool *zero, bool *commit,
                          unsigned index) {
  (void)index;
  struct hp_arena *arena = (struct hp_arena *)hooks;
  uintptr_t next = (uintptr_t)arena->base + arena->used;
  size_t gap = -next & (alignment - 1), left = arena->bytes - arena->used;
  if (gap > left || bytes > left - gap) return NULL;
  unsigned char *extent = arena->base + arena->used + gap;
  if (wanted && wanted != extent) return NULL;
  arena->used += gap + bytes;
  /* The region may have been used before: its memory need not be zero. */
  if (*zero) memset(extent, 0, bytes);
  *commit = true;
  return extent;
}

/* true: "declined, the extent stays where it is" */
static bool keep(extent_hooks_t *hooks, void *extent, size_t bytes,
                 bool committed, unsigned index) {
  (void)hooks, (void)extent, (void)bytes, (void)committed, (void)index;
  return true;
}

static void forget(extent_hooks_t *hooks, void *extent, size_t bytes,
                   bool committed, unsigned index) {
  (void)hooks, (void)extent, (void)bytes, (void)committed, (void)index;
}

static bool decline(extent_hooks_t *hooks, void *extent, size_t bytes,
                    size_t offset, size_t length, unsigned index) {
  (void)hooks, (void)extent, (void)bytes;
  (void)offset, (void)length, (void)index;
  return true;
}

/* false: "done"; all memory is committed from the start. */
static bool commit(extent_hooks_t *hooks, void *extent, size_t bytes,
                   size_t offset, size_t length, unsigned index) {
  (void)hooks, (void)extent, (void)bytes;
  (void)offset, (void)length, (void)index;
  return false;
}

static bool split(extent_hooks_t *hooks, void *extent, size_t bytes,
                  size_t bytes_a, size_t bytes_b, bool committed,
                  unsigned index) {
  (void)hooks, (void)extent, (void)bytes, (void)bytes_a, (void)bytes_b;
  (void)committed, (void)index;
  return false;
}

static bool merge(extent_hooks_t *hooks, void *a, size_t bytes_a, void *b,
                  size_t bytes_b, bool committed, unsigned index) {
  (void)hooks, (void)a, (void)bytes_a, (void)b, (void)bytes_b;
  (void)committed, (void)index;
  return false;
}

static const extent_hooks_t region_hooks = {
    .alloc = extent_alloc,
    .dalloc = keep,
    .destroy = forget,
    .commit = commit,
    .decommit = decline,
    .purge_lazy = decline,
    .purge_forced = decline,
    .split = split,
    .merge = merge,
};

/*
 * Without a region: as jemalloc's own hooks do it, but that memory is unmapped
 * when it is done with.  Theirs would leave 2 MiB of addresses behind an arena
 * that is destroyed (jemalloc 5.3, opt.retain).
 */
static void *system_alloc(extent_hooks_t *hooks, void *wanted, size_t bytes,
                          size_t alignment, bool *zero, bool *commit_,
                          unsigned index) {
  (void)hooks, (void)index;
  size_t all;
  if (wanted || __builtin_add_overflow(bytes, alignment, &all)) return NULL;
  unsigned char *map = mmap(NULL, all, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return NULL;
  size_t gap = -(uintptr_t)map & (alignment - 1);
  if (gap) munmap(map, gap);
  munmap(map + gap + bytes, alignment - gap);
  *zero = *commit_ = true;
  return map + gap;
}

static bool system_dalloc(extent_hooks_t *hooks, void *extent, size_t bytes,
                          bool committed, unsigned index) {
  (void)hooks, (void)committed, (void)index;
  return munmap(extent, bytes);
}

static void system_destroy(extent_hooks_t *hooks, void *extent, size_t bytes,
                           bool committed, unsigned index) {
  system_dalloc(hooks, extent, bytes, committed, index);
}

static const extent_hooks_t system_hooks = {
    .alloc = system_alloc,
    .dalloc = system_dalloc,
    .destroy = system_destroy,
    .commit = commit,
    .decommit = decline,
    .purge_lazy = decline,
    .purge_forced = decline,
    .split = split,
    .merge = merge,
};

/* Write one of the settings "arena.<index>.<name>". */
static int set(const struct hp_arena *arena, const char *name, void *value,
               size_t size) {
  char key[64];
  snprintf(key, sizeof key, "arena.%u.%s", arena->index, name);
  return mallctl(key, NULL, NULL, value, size);
}

/* What is given back could not serve again: the hooks decline. */
static int keep_all(const struct hp_arena *arena) {
  ssize_t never = -1;
  return set(arena, "dirty_decay_ms", &never, sizeof never) ||
         set(arena, "muzzy_decay_ms", &never, sizeof never);
}

struct hp_arena *hp_arena_create(const struct hp_region *region) {
  struct hp_arena *arena = calloc(1, sizeof *arena);
  if (!arena) return NULL;
  extent_hooks_t *hooks = &arena->hooks;
  size_t size = sizeof arena->index;
  arena->hooks = region ? region_hooks : system_hooks;
  if (region) {
    arena->base = region->base;
    arena->bytes = region->bytes;
  }
  /* Unchecked, a failure here would leave index 0: the process' own arena. */
  if (mallctl("arenas.create", &arena->index, &size, &hooks, sizeof hooks) ||
      !arena->index)
    goto no_arena;
  size = sizeof arena->tcache;
  if ((region && keep_all(arena)) ||
      mallctl("tcache.create", &arena->tcache, &size, NULL, 0))
    goto no_tcache;
  return arena;

no_tcache:
  set(arena, "destroy", NULL, 0);
no_arena:
  free(arena);
  errno = ENOMEM;
  return NULL;
}

void hp_arena_destroy(struct hp_arena *arena) {
  if (!arena) return;
  /* The cache first: it would hand objects back to an arena that is gone. */
  mallctl("tcache.destroy", NULL, NULL, &arena->tcache, sizeof arena->tcache);
  set(arena, "destroy", NULL, 0);
  free(arena);
}

void *hp_arena_malloc(struct hp_arena *arena, size_t bytes) {
  void *object = mallocx(bytes ? bytes : 1, MALLOCX_ARENA(arena->index) |
                                                MALLOCX_TCACHE(arena->tcache));
  if (!object) errno = ENOMEM;
  return object;
}

void hp_arena_free(struct hp_arena *arena, void *object) {
  if (object) dallocx(object, MALLOCX_TCACHE(arena->tcache));
}

size_t hp_arena_used(const struct hp_arena *arena) { return arena->used; }
