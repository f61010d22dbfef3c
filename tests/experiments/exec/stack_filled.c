/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Its stack is full of ones when it calls malloc() for the first time; built
 * with -z now, so that no lookup clears it.  Prints how many kilobytes of its
 * 64 MiB are on huge pages. */
#include <stdio.h>
#include <stdlib.h>

#include "own_smaps.h"

static __attribute__((noinline)) void fill_stack(void) {
  volatile unsigned char below[1 << 16];
  for (size_t i = 0; i < sizeof below; i++) below[i] = 0xff;
}

int main(void) {
  const size_t bytes = (size_t)64 << 20;
  fill_stack();
  volatile char *block = malloc(bytes);
  if (!block) return 1;
  for (size_t i = 0; i < bytes; i += 4096) block[i] = 1;
  printf("%zu\n", own_memory(block, bytes).huge_kib);
  return 0;
}
