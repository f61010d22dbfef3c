/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/simt/device_calls.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu_algos/simt/arena.h"

enum simt_error simt_malloc(void **memory, size_t bytes) {
  if (!memory) return simt_note_error(SIMT_INVALID_VALUE);
  *memory = bytes ? simt_arena_allocate(bytes) : NULL;
  if (bytes && !*memory) return simt_note_error(SIMT_MEMORY_ALLOCATION);
  return SIMT_SUCCESS;
}

enum simt_error simt_free(void *memory) {
  if (memory && !simt_arena_release(memory))
    return simt_note_error(SIMT_INVALID_VALUE);
  return SIMT_SUCCESS;
}

enum simt_error simt_host_malloc(void **memory, size_t bytes) {
  *memory = malloc(bytes);
  return *memory ? SIMT_SUCCESS : simt_note_error(SIMT_MEMORY_ALLOCATION);
}

enum simt_error simt_host_free(void *memory) {
  free(memory);
  return SIMT_SUCCESS;
}

/* Outside of the arena is the host's memory, of which nothing is known here. */
static bool allowed(const void *memory, size_t bytes) {
  uint64_t offset = (uint64_t)((const char *)memory - simt_arena.base);
  if (!simt_arena.base || offset >= simt_arena.bytes) return memory != NULL;
  const struct simt_allocation *found = simt_arena_find(offset);
  return found && bytes <= found->offset + found->bytes - offset;
}

enum simt_error simt_copy(void *to, const void *from, size_t bytes) {
  if (!bytes) return simt_kernel_error();
  if (!allowed(to, bytes) || !allowed(from, bytes))
    return simt_note_error(SIMT_INVALID_VALUE);
  memmove(to, from, bytes);
  return simt_kernel_error();
}

enum simt_error simt_fill(void *memory, int byte, size_t bytes) {
  if (!bytes) return simt_kernel_error();
  if (!allowed(memory, bytes)) return simt_note_error(SIMT_INVALID_VALUE);
  memset(memory, byte, bytes);
  return simt_kernel_error();
}

enum simt_error simt_memory_info(size_t *free_bytes, size_t *bytes) {
  *free_bytes = simt_arena_free_bytes();
  *bytes = simt_arena.base ? simt_arena.bytes : *free_bytes;
  return SIMT_SUCCESS;
}

enum simt_error simt_event_create(struct simt_event **event) {
  *event = calloc(1, sizeof **event);
  return *event ? SIMT_SUCCESS : simt_note_error(SIMT_MEMORY_ALLOCATION);
}

enum simt_error simt_event_destroy(struct simt_event *event) {
  free(event);
  return SIMT_SUCCESS;
}

enum simt_error simt_event_record(struct simt_event *event) {
  struct timespec now;
  if (!event) return simt_note_error(SIMT_INVALID_HANDLE);
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  return SIMT_SUCCESS;
}

enum simt_error simt_event_elapsed(float *milliseconds,
                                   const struct simt_event *from,
                                   const struct simt_event *to) {
  if (!from || !to || from->seconds <= 0 || to->seconds <= 0)
    return simt_note_error(SIMT_INVALID_HANDLE);
  *milliseconds = (float)((to->seconds - from->seconds) * 1e3);
  return SIMT_SUCCESS;
}
