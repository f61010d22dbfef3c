/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages/arena.h -- malloc for many small objects inside one region.
 *
 * A jemalloc arena whose extents are carved from a region of any page kind.
 * When the region is full allocation fails; it never falls back to other
 * memory.  Without a region it is an ordinary one, to compare with: on what the
 * system gives.  One arena may be used by one thread at a time.
 */
#pragma once
#include <stddef.h>

#include "huge_pages/region.h"

struct hp_arena;

/*
 * Create an arena over `region`, which must outlive it and be used for nothing
 * else; NULL: none.  NULL with errno: ENOTSUP (built without jemalloc), ENOMEM.
 */
struct hp_arena *hp_arena_create(const struct hp_region *region);
void hp_arena_destroy(struct hp_arena *arena); /* frees all; NULL is fine */

/* As malloc and free; memory comes from the region or not at all (ENOMEM). */
void *hp_arena_malloc(struct hp_arena *arena, size_t bytes);
void hp_arena_free(struct hp_arena *arena, void *object); /* NULL is fine */

size_t hp_arena_used(
    const struct hp_arena *arena); /* bytes of extents carved */
