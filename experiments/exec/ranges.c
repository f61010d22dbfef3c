/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/exec/ranges.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct range *chunk_of(struct ranges *ranges, uint32_t number) {
  struct range **place = &ranges->chunk[number / RANGES_CHUNK], *none = NULL;
  struct range *chunk = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (chunk) return chunk;
  size_t bytes = RANGES_CHUNK * sizeof *chunk;
  long map = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
  if (map == -1) return NULL;
  if (__atomic_compare_exchange_n(place, &none, (struct range *)map, false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return (struct range *)map;
  syscall(SYS_munmap, map, bytes);
  return none;
}

struct range *ranges_at(const struct ranges *ranges, uint32_t number) {
  return &ranges->chunk[number / RANGES_CHUNK][number % RANGES_CHUNK];
}

static bool take(struct ranges *ranges, uint32_t number,
                 const struct range *range) {
  struct range *chunk = chunk_of(ranges, number);
  uintptr_t expected = RANGES_FREE;
  if (!chunk) return false;
  struct range *record = &chunk[number % RANGES_CHUNK];
  if (!__atomic_compare_exchange_n(&record->start, &expected, RANGES_BUSY,
                                   false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  record->bytes = range->bytes;
  record->base = range->base;
  record->mapped = range->mapped;
  record->choice = range->choice;
  __atomic_store_n(&record->start, range->start, __ATOMIC_RELEASE);
  return true;
}

/* From where one became free, or from behind the last. */
uint32_t ranges_add(struct ranges *ranges, const struct range *range) {
  uint32_t number = __atomic_load_n(&ranges->next, __ATOMIC_RELAXED);
  while (number < RANGES_CHUNK * RANGES_CHUNKS && !take(ranges, number, range))
    if (!chunk_of(ranges, number++)) return UINT32_MAX;
  if (number == RANGES_CHUNK * RANGES_CHUNKS) return UINT32_MAX;
  __atomic_store_n(&ranges->next, number + 1, __ATOMIC_RELAXED);
  uint32_t used = __atomic_load_n(&ranges->used, __ATOMIC_RELAXED);
  while (used <= number &&
         !__atomic_compare_exchange_n(&ranges->used, &used, number + 1, false,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
  __atomic_add_fetch(&ranges->live, range->bytes, __ATOMIC_RELAXED);
  return number;
}

void ranges_remove(struct ranges *ranges, uint32_t number) {
  struct range *record = ranges_at(ranges, number);
  __atomic_sub_fetch(&ranges->live, record->bytes, __ATOMIC_RELAXED);
  __atomic_store_n(&record->start, RANGES_FREE, __ATOMIC_RELEASE);
  uint32_t next = __atomic_load_n(&ranges->next, __ATOMIC_RELAXED);
  if (number < next) __atomic_store_n(&ranges->next, number, __ATOMIC_RELAXED);
}
