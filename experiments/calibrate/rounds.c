/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/rounds.h"

#include <errno.h>
#include <math.h>

#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/probe/bench.h"

enum { ROUNDS_MOST = STEADY_PASSES };

static int on_fault(size_t done, void *context) {
  (void)done, (void)context;
  return interrupt_pending();
}

static int rounds_remap(struct hp_region *region, size_t bytes) {
  const struct hp_kind *kind = region->kind;
  hp_region_unmap(region);
  *region = (struct hp_region){0};
  if (!hp_region_map(region, kind, bytes, on_fault, NULL))
    return bench_fill(region);
  *region = (struct hp_region){0};
  if (errno != EINTR) memory_exhausted();
  return -1;
}

static int draw_all(const struct rounds *r) {
  for (size_t i = 0; i < r->region_count; i++)
    if (r->regions[i].kind == hp_kind_given() &&
        rounds_remap(&r->regions[i], r->bytes))
      return -1;
  return 0;
}

unsigned rounds_count(double took_s, double left_s, double steady_share) {
  double count = floor((took_s + left_s) * steady_share / took_s);
  return (unsigned)fmin(fmax(1, count), ROUNDS_MOST);
}

int rounds_run(const struct rounds *r) {
  double start = progress_now_s(), end = r->time.end_s, took = 0;
  unsigned count = 1;
  for (unsigned round = 0; round < count; round++) {
    double now = progress_now_s();
    if (round && now + took > end) break;
    if (draw_all(r)) return -1;
    if (steady_pass(r->steady, r->regions, r->region_count)) return -1;
    took = progress_now_s() - now; /* with a draw, as all of them */
    if (!round && r->steady->count)
      count = rounds_count(took, end - now - took, r->steady_share);
    double until = start + (end - start) * (round + 1) / count;
    if (measure(r->cal, r->regions, r->region_count, until, &r->time,
                r->recording, r->progress))
      return -1;
  }
  return 0;
}
