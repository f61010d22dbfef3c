/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/exec/own_smaps.h -- how much of a program's own memory is
 * there, and on huge pages.  For programs of one file. */
#pragma once
#include <stdint.h>
#include <stdio.h>

struct own_memory {
  size_t resident_kib, huge_kib;
};

/* Of the mappings of these bytes: several, where advice divides them. */
static struct own_memory own_memory(const volatile void *memory, size_t bytes) {
  struct own_memory own = {0, 0};
  const uintptr_t from = (uintptr_t)memory;
  char line[4096];
  unsigned long start, end;
  size_t kib;
  int inside = 0;
  FILE *smaps = fopen("/proc/self/smaps", "r");
  while (smaps && fgets(line, sizeof line, smaps))
    if (sscanf(line, "%lx-%lx ", &start, &end) == 2)
      inside = start < from + bytes && end > from;
    else if (inside && (sscanf(line, "ShmemPmdMapped: %zu", &kib) == 1 ||
                        sscanf(line, "AnonHugePages: %zu", &kib) == 1))
      own.huge_kib += kib;
    else if (inside && sscanf(line, "Rss: %zu", &kib) == 1)
      own.resident_kib += kib;
  if (smaps) fclose(smaps);
  return own;
}
