/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/arena_absent.c -- arenas in a build without jemalloc. */
#include <config.h>
#include <errno.h>

#include "huge_pages/arena.h"

struct hp_arena *hp_arena_create(const struct hp_region *region) {
  (void)region;
  errno = ENOTSUP;
  return NULL;
}

void hp_arena_destroy(struct hp_arena *arena) { (void)arena; }

void *hp_arena_malloc(struct hp_arena *arena, size_t bytes) {
  (void)arena, (void)bytes;
  errno = ENOTSUP;
  return NULL;
}

void hp_arena_free(struct hp_arena *arena, void *object) {
  (void)arena, (void)object;
}

size_t hp_arena_used(const struct hp_arena *arena) {
  (void)arena;
  return 0;
}
