/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

uint64_t gups(size_t bytes, uint64_t updates) {
  size_t count = bytes / sizeof(uint64_t);
  uint64_t *table = footprint_got(calloc(count, sizeof *table));
  for (size_t i = 0; i < count; i++) table[i] = i;
  for (uint64_t i = 0; i < updates; i++) {
    uint64_t number = cpu_random_at(1, i), bits = number;
    table[cpu_random_take(&bits, count)] ^= number;
  }
  uint64_t sum = footprint_sum(table, count);
  free(table);
  return sum;
}
