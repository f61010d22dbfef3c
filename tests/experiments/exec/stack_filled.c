/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Its stack is full of ones when it calls malloc() for the first time; built
 * with -z now, so that no lookup clears it.  Prints how many kilobytes of its
 * 64 MiB are on huge pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) void fill_stack(void) {
  volatile unsigned char below[1 << 16];
  for (size_t i = 0; i < sizeof below; i++) below[i] = 0xff;
}

int main(void) {
  const size_t bytes = (size_t)64 << 20;
  char line[256];
  int kib, all = 0;
  fill_stack();
  char *block = malloc(bytes);
  if (!block) return 1;
  memset(block, 1, bytes);
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (smaps && fgets(line, sizeof line, smaps))
    if (sscanf(line, "AnonHugePages: %d", &kib) == 1) all += kib;
  printf("%d\n", all);
  return 0;
}
