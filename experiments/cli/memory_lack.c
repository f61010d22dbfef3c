/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/memory_lack.h"

#include <errno.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

/* Its parser asserts that it has memory (2.14), so that it is given some of a
 * reserve, nothing of which comes back, until the command has found out.  A
 * line of results is a few KiB. */
enum { RESERVE = 1 << 20, ALIGNMENT = _Alignof(max_align_t) };
static _Alignas(max_align_t) char reserve[RESERVE];
static atomic_size_t reserved;
static atomic_bool lacks;

static void *take_reserve(size_t size) {
  if (size > RESERVE) return NULL;
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  size_t at = atomic_fetch_add(&reserved, size);
  return at <= RESERVE - size ? reserve + at : NULL;
}

void memory_lack_note(void) { atomic_store(&lacks, true); }

static void *allocate(size_t size) {
  void *memory = malloc(size);
  if (memory) return memory;
  memory_lack_note();
  return take_reserve(size);
}

void memory_lack_free(void *memory) {
  char *at = memory;
  if (at < reserve || at >= reserve + RESERVE) free(memory);
}

void memory_lack_watch(void) {
  json_set_alloc_funcs(allocate, memory_lack_free);
}

bool memory_lacks(void) {
  if (!atomic_load(&lacks)) return false;
  errno = ENOMEM;
  return true;
}
