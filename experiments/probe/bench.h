/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/probe/bench.h -- the micro-benchmarks, and their points.
 *
 * A benchmark is a kernel with a step from spot to spot; each point of its
 * curve is a number of spots.  doc/calibration.md says what each is for.
 */
#pragma once
#include "experiments/probe/calibration.h"
#include "experiments/probe/kernels.h"
#include "huge_pages/region.h"

enum bench_what_if { WHAT_IF_BASE = 1, WHAT_IF_LARGER = 2 };

struct bench {
  const char *name;
  kernel *time; /* what is timed */
  kernel *warm; /* what brings the caches to the state it is timed in */
  enum bench_step { STEP_LINE, STEP_PAGE, STEP_TABLE_LINE, STEP_HUGE } step;
  unsigned per_octave; /* points; 0: at some footprints only, and a curve for
                          each number of chains */
  double settle_ns;    /* of what is timed goes before, by what it takes at
                          first; then x is of the last cache's size */
  unsigned what_if;    /* of which pages vat profile --what-if needs it */
};

/* The benchmark that a curve is of. */
const struct bench *bench_of(const struct cal_curve *curve);

/* Add the curves, with points that have x alone, of all benchmarks on `kind`,
 * up to `bytes`; with `what_if` of those alone that what-if needs of such
 * pages, base ones being as programs have them. */
void bench_curves(struct calibration *cal, const struct hp_kind *kind,
                  size_t bytes, bool what_if);

/* Fill a region with what kernels need, a part at a time (interrupt.h); -1 with
 * EINTR. */
int bench_fill(const struct hp_region *region);

/*
 * Time one point: nanoseconds a step.  `llc_bytes` is the size of the largest
 * cache.  May be abandoned.
 */
double bench_point(const struct cal_curve *curve, double x,
                   const struct hp_region *region, double llc_bytes,
                   uint64_t seed);

double bench_canary(void);   /* ns an operation of no memory */
double bench_timer_ns(void); /* the least step of the clock that is seen */
