/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/array.h"

#include "experiments/cli/memory.h"

void *array_room(void *items, size_t count, size_t size) {
  if (count & (count - 1)) return items;
  return memory_grow(items, count ? 2 * count : 1, size);
}
