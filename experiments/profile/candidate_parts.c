/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/candidate_parts.h"

#include <stdlib.h>

#include "experiments/cli/memory.h"

static const uint64_t base = 4096;

static void add(struct candidate_parts *parts, uint64_t bytes, uint64_t least,
                double saving, const struct candidate_part *at) {
  size_t items = parts->count;
  *ARRAY_ADD(parts->item, items) = (struct chooser_part){bytes, least, saving};
  *ARRAY_ADD(parts->at, parts->count) = *at;
}

/* Numbers of bytes in turn, up to the last whole page below all; 0: the end. */
static uint64_t next(const struct candidate_whole *whole, uint64_t bytes) {
  uint64_t pages = bytes / whole->page, last = (whole->bytes - 1) / whole->page;
  if (pages >= last) return 0;
  pages += pages / CANDIDATE_EXACT + 1;
  return (pages < last ? pages : last) * whole->page;
}

/* Units `from` up to `to`, without it, and their sums. */
struct run {
  size_t from, to;
  uint64_t bytes, saving;
};

/* The first of those that save most. */
static struct run best_run(const struct candidate_unit *unit, size_t units,
                           uint64_t bytes) {
  struct run run = {0}, best = {0};
  while (run.to < units) {
    run.bytes += unit[run.to].bytes;
    run.saving += unit[run.to++].saving;
    while (run.bytes > bytes) {
      run.bytes -= unit[run.from].bytes;
      run.saving -= unit[run.from++].saving;
    }
    if (run.saving > best.saving) best = run;
  }
  return best;
}

static double share(uint64_t part, uint64_t all) {
  return all ? (double)part / (double)all : 0;
}

void candidate_parts_of_blocks(struct candidate_parts *parts,
                               const struct candidate_whole *whole,
                               const struct candidate_unit *unit,
                               size_t units) {
  uint64_t saving = 0, misses = 0, most = 0, before = 0;
  for (size_t i = 0; i < units; i++) {
    saving += unit[i].saving;
    misses += unit[i].misses;
  }
  for (uint64_t to = 0; (to = next(whole, to)) != 0; before = to) {
    struct run best = best_run(unit, units, to);
    if (best.saving <= most) continue;
    most = best.saving;
    struct candidate_part part = {.from = unit[best.from].from,
                                  .to = unit[best.to - 1].to};
    uint64_t missed = 0, faulted = 0;
    for (size_t i = best.from; i < best.to; i++) {
      part.touched += unit[i].touched;
      faulted += unit[i].faulted;
      missed += unit[i].misses;
    }
    part.misses = whole->misses * share(missed, misses);
    if (part.touched > best.bytes) part.touched = best.bytes;
    part.times = part.touched ? share(faulted, part.touched) : 1;
    add(parts, best.bytes, before + whole->page,
        whole->saving * share(most, saving), &part);
  }
}

void candidate_parts_of_small(struct candidate_parts *parts,
                              const struct candidate_whole *whole) {
  for (uint64_t to = 0; (to = next(whole, to)) != 0;) {
    double of_all = share(to, whole->bytes);
    struct candidate_part part = {
        0, (uint64_t)(of_all * (double)whole->asked),
        (uint64_t)(of_all * (double)whole->touched) / base * base, whole->times,
        of_all * whole->misses};
    add(parts, to, to, of_all * whole->saving, &part);
  }
}

void candidate_parts_fini(struct candidate_parts *parts) {
  free(parts->at);
  free(parts->item);
  *parts = (struct candidate_parts){0};
}
