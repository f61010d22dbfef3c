/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/measure.h -- time all points, again and again. */
#pragma once
#include "experiments/calibrate/recording.h"
#include "experiments/cli/progress.h"
#include "experiments/probe/calibration.h"
#include "huge_pages/region.h"

/* Of all that is measured, for who waits: of progress_now_s(). */
struct measure_time {
  double start_s, end_s;
};

/*
 * Time each point of the curves of `cal` once a repetition, page kinds and
 * benchmarks in one shuffled order, a new one each time; until no whole
 * repetition fits before `until_s`, one at least.  Those that were recorded
 * before stay.  `regions` are of the page kinds of the curves.  Signals must be
 * armed (interrupt.h).  Returns 0, or -1 with errno EINTR.
 */
int measure(const struct calibration *cal, const struct hp_region *regions,
            size_t region_count, double until_s,
            const struct measure_time *time, struct recording *rec,
            struct progress *progress);

/* The region of that kind of pages; NULL: none. */
const struct hp_region *measure_region(const struct hp_region *regions,
                                       size_t count, const char *kind);
