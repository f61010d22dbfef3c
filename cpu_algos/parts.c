/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/parts.h"

static bool fits(const struct cpu_parts *parts, const struct algo_run *run,
                 uint64_t units, size_t room) {
  struct algo_run part = *run;
  part.chunk = units * parts->unit;
  return parts->bytes(&part) <= room;
}

uint64_t cpu_parts_chunk(const struct cpu_parts *parts,
                         const struct algo_run *run, size_t room) {
  uint64_t units = (parts->items + parts->unit - 1) / parts->unit;
  uint64_t good = 1, bad = units;
  if (parts->asked != CPU_PARTS_ANY)
    return parts->asked < parts->items ? parts->asked : 0;
  if (run->bytes <= room || units < 2) return 0;
  while (bad - good > 1) {
    uint64_t middle = good + (bad - good) / 2;
    if (fits(parts, run, middle, room))
      good = middle;
    else
      bad = middle;
  }
  /* No more parts than that, but even ones. */
  uint64_t count = (units + good - 1) / good,
           even = (units + count - 1) / count;
  if (fits(parts, run, even, room)) good = even;
  return good * parts->unit;
}
