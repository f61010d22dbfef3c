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

/* Of all units before one: there are many runs to look at, by what comes first.
 */
struct sums {
  uint64_t bytes, saving;
};
struct more_sums {
  uint64_t touched, faulted, misses;
};

static void add_up(const struct candidate_unit *unit, size_t units,
                   struct sums *sum, struct more_sums *more) {
  for (size_t i = 0; i < units; i++) {
    sum[i + 1] = (struct sums){sum[i].bytes + unit[i].bytes,
                               sum[i].saving + unit[i].saving};
    more[i + 1] = (struct more_sums){more[i].touched + unit[i].touched,
                                     more[i].faulted + unit[i].faulted,
                                     more[i].misses + unit[i].misses};
  }
}

/* Units `from` up to `to`, without it, and their sums. */
struct run {
  size_t from, to;
  uint64_t bytes, saving;
};

/* The first of those that save most. */
static struct run best_run(const struct sums *sum, size_t units,
                           uint64_t bytes) {
  struct run best = {0};
  for (size_t from = 0, to = 1; to <= units; to++) {
    while (sum[to].bytes - sum[from].bytes > bytes) from++;
    uint64_t saving = sum[to].saving - sum[from].saving;
    if (saving > best.saving)
      best = (struct run){from, to, sum[to].bytes - sum[from].bytes, saving};
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
  struct sums *sum = memory_zeroed(units + 1, sizeof *sum);
  struct more_sums *more = memory_zeroed(units + 1, sizeof *more);
  add_up(unit, units, sum, more);
  uint64_t most = 0, before = 0;
  for (uint64_t to = 0; (to = next(whole, to)) != 0; before = to) {
    struct run best = best_run(sum, units, to);
    if (best.saving <= most) continue;
    most = best.saving;
    const struct more_sums *first = &more[best.from], *end = &more[best.to];
    struct candidate_part part = {.from = unit[best.from].from,
                                  .to = unit[best.to - 1].to,
                                  .touched = end->touched - first->touched};
    part.misses =
        whole->misses * share(end->misses - first->misses, more[units].misses);
    if (part.touched > best.bytes) part.touched = best.bytes;
    part.times =
        part.touched ? share(end->faulted - first->faulted, part.touched) : 1;
    add(parts, best.bytes, before + whole->page,
        whole->saving * share(most, sum[units].saving), &part);
  }
  free(more);
  free(sum);
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
