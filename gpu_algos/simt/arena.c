/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Addresses cost nothing; as much as a device of today has, if the host gives
 * so many. */
static const uint64_t most_bytes = UINT64_C(1) << 37;
static const uint64_t least_bytes = UINT64_C(1) << 32;
static const uint64_t gigabyte = UINT64_C(1) << 30;

/* cudaMalloc() aligns to 256; its large blocks begin where a page does. */
enum { PAGE = 4096, ALIGNMENT = 256, DEVICE_PAGE = 2 << 20 };

struct simt_arena simt_arena;

/* In order of their offsets. */
static struct simt_allocation *allocations;
static size_t count, capacity;

static uint64_t round_up(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

static bool reserve(void) {
  for (uint64_t bytes = most_bytes; bytes >= least_bytes; bytes /= 2) {
    void *range = mmap(NULL, bytes + gigabyte, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    uint64_t skip = -(uintptr_t)range % gigabyte;
    simt_arena = (struct simt_arena){(char *)range + skip, bytes};
    return true;
  }
  return false;
}

/* Where the first allocation behind `offset` is to go. */
static size_t rank(uint64_t offset) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (allocations[middle].page_start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* A small allocation ends where its pages do, but for its alignment: what runs
 * over its end hits the guard.  A large one begins where they do. */
static struct simt_allocation place_behind(uint64_t end, uint64_t bytes) {
  bool large = bytes >= DEVICE_PAGE;
  uint64_t start = round_up(end + PAGE, large ? DEVICE_PAGE : PAGE);
  uint64_t pages_end = start + round_up(bytes, PAGE);
  return (struct simt_allocation){
      .offset = large ? start : pages_end - round_up(bytes, ALIGNMENT),
      .bytes = bytes,
      .page_start = start,
      .page_end = pages_end};
}

/* The first gap that will do, and its index; capacity is there. */
static bool place(uint64_t bytes, struct simt_allocation *placed, size_t *at) {
  uint64_t end = gigabyte; /* what runs far before the first is seen, too */
  for (*at = 0; *at <= count; end = allocations[(*at)++].page_end) {
    uint64_t limit =
        *at < count ? allocations[*at].page_start : simt_arena.bytes;
    *placed = place_behind(end, bytes);
    if (placed->page_end + PAGE <= limit) return true;
  }
  return false;
}

static bool grow(void) {
  if (count < capacity) return true;
  size_t more = capacity ? 2 * capacity : 16;
  struct simt_allocation *bigger =
      realloc(allocations, more * sizeof *allocations);
  if (!bigger) return false;
  allocations = bigger;
  capacity = more;
  return true;
}

void *simt_arena_allocate(uint64_t bytes) {
  struct simt_allocation placed;
  size_t at;
  if (!simt_arena.base && !reserve()) return NULL;
  if (!bytes) bytes = 1;
  if (bytes > simt_arena.bytes || !grow() || !place(bytes, &placed, &at))
    return NULL;
  if (mprotect(simt_arena.base + placed.page_start,
               placed.page_end - placed.page_start, PROT_READ | PROT_WRITE))
    return NULL;
  memmove(&allocations[at + 1], &allocations[at],
          (count++ - at) * sizeof *allocations);
  allocations[at] = placed;
  return simt_arena.base + placed.offset;
}

bool simt_arena_release(void *memory) {
  uint64_t offset = (uint64_t)((char *)memory - simt_arena.base);
  const struct simt_allocation *found = simt_arena_find(offset);
  if (!found || found->offset != offset) return false;
  size_t at = (size_t)(found - allocations);
  char *start = simt_arena.base + found->page_start;
  size_t bytes = found->page_end - found->page_start;
  /* A new mapping in its place gives the memory back, and zeros next time. */
  mmap(start, bytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  memmove(&allocations[at], &allocations[at + 1],
          (--count - at) * sizeof *allocations);
  return true;
}

const struct simt_allocation *simt_arena_find(uint64_t offset) {
  size_t at = rank(offset);
  if (!at) return NULL;
  const struct simt_allocation *found = &allocations[at - 1];
  return offset - found->offset < found->bytes ? found : NULL;
}

struct simt_nearest simt_arena_nearest(uint64_t offset) {
  if (!count) return (struct simt_nearest){0};
  size_t at = rank(offset);
  const struct simt_allocation *near = &allocations[at ? at - 1 : 0];
  return (struct simt_nearest){(int64_t)(offset - near->offset), near->bytes};
}

uint64_t simt_arena_end(void) {
  return count ? allocations[count - 1].page_end : 0;
}

uint64_t simt_arena_free_bytes(void) {
  uint64_t used = 0;
  for (size_t i = 0; i < count; i++)
    used += allocations[i].page_end - allocations[i].page_start;
  return simt_arena.base ? simt_arena.bytes - used : most_bytes;
}
