/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

uint64_t search(size_t bytes, uint64_t searches) {
  struct cpu_random random = {0};
  size_t count = bytes / sizeof(uint64_t);
  uint64_t *keys = footprint_got(calloc(count, sizeof *keys)), sum = 0;
  for (size_t i = 0; i < count; i++) keys[i] = 3 * i;
  for (uint64_t k = 0; k < searches; k++)
    sum += footprint_last(keys, count, cpu_random_below(&random, 3 * count));
  free(keys);
  return sum;
}
