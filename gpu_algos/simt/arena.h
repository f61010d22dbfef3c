/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/simt/arena.h -- the emulated device's memory.
 *
 * One range of addresses, reserved when first needed; allocations lie in it
 * with pages between that nothing may touch.  Offsets into it are the same in
 * every run of a program that allocates the same.  One host thread at a time,
 * but any may look up.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simt_allocation {
  uint64_t offset, bytes;        /* as asked for */
  uint64_t page_start, page_end; /* what of the range it has, no guards */
};

struct simt_arena {
  char *base;     /* aligned to 1 GiB; NULL: nothing was allocated yet */
  uint64_t bytes; /* of the range */
};

extern struct simt_arena simt_arena;

/* Zeroed memory, aligned as cudaMalloc() aligns it; NULL: there is no more. */
void *simt_arena_allocate(uint64_t bytes);

/* False: it is no allocation. */
bool simt_arena_release(void *memory);

/* What holds the offset; NULL: nothing does. */
const struct simt_allocation *simt_arena_find(uint64_t offset);

/* The allocation that ends next before the offset, or else the first: how far
 * the offset is from its begin, and its size; all 0 where there is none. */
struct simt_nearest {
  int64_t offset;
  uint64_t bytes;
};
struct simt_nearest simt_arena_nearest(uint64_t offset);

/* Behind the last allocation, as an offset. */
uint64_t simt_arena_end(void);

uint64_t simt_arena_free_bytes(void);
