/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/json_memory.h"

#include <errno.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool lacks;

static void *allocate(size_t size) {
  void *memory = malloc(size);
  if (!memory) atomic_store(&lacks, true);
  return memory;
}

void json_memory_watch(void) { json_set_alloc_funcs(allocate, free); }

bool json_memory_lacks(void) {
  if (!atomic_load(&lacks)) return false;
  errno = ENOMEM;
  return true;
}
