/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

void *footprint_zeroed(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory) return memory;
  fprintf(stderr, "footprints: no memory for %zu of %zu bytes\n", count, size);
  exit(1);
}

uint64_t footprint_sum(const uint64_t *numbers, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += numbers[i] * (2 * i + 1);
  return sum;
}
