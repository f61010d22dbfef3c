/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints how many kilobytes of its 64 MiB of small blocks, which glibc has from
 * brk(), are on huge pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_smaps.h"

int main(void) {
  enum { COUNT = 1024, EACH = 64 << 10 };
  char *first = NULL, *last = NULL;
  for (int i = 0; i < COUNT; i++) {
    last = malloc(EACH);
    if (!last) return 1;
    memset(last, 1, EACH);
    if (!first) first = last;
  }
  printf("%zu\n", own_memory(first, (size_t)(last - first)).huge_kib);
  return 0;
}
