/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/measure.h -- time all points, again and again. */
#pragma once
#include "experiments/memory/workspaces.h"
#include "experiments/probe/calibration.h"

enum { RECORDING_REPS = 100 };

/*
 * Every time that was taken: points of curves, each timed once a repetition.
 * Lower quartiles over repetitions make the curves of a calibration, and
 * resampled repetitions their intervals.
 */
struct recording {
  size_t reps; /* whole ones */
  size_t points;
  double *ns;     /* points, curve by curve, x RECORDING_REPS; owned */
  double *canary; /* of a compute-bound loop, as time went on; owned */
  size_t canaries;
};

/* For the points of all curves of `cal`, curve by curve. */
void recording_init(struct recording *rec, const struct calibration *cal);
void recording_fini(struct recording *rec); /* zeroed is fine */

/* Set the points of the curves of `cal` to the lower quartile, least and
 * largest of the repetitions `chosen`, of which one may be named more than
 * once. */
void recording_curves(const struct recording *rec, const size_t *chosen,
                      size_t count, struct calibration *cal);

/* Fill cal->noise from what was recorded, but for timer_ns and seconds. */
void recording_noise(const struct recording *rec, struct calibration *cal);

/* Of all that is measured, for who waits: of progress_now_s(). */
struct measure_time {
  double start_s, end_s;
};

/*
 * Time each point of the curves of `cal` once a repetition, page kinds and
 * benchmarks in one shuffled order, a new one each time; until no whole
 * repetition fits before `until_s`, one at least.  Those that were recorded
 * before stay.  `workspaces` are of the page kinds of the curves.  Signals must
 * be armed (interrupt.h).  Returns 0, or -1 with errno EINTR.
 */
int measure(const struct calibration *cal, const struct workspaces *workspaces,
            double until_s, const struct measure_time *time,
            struct recording *rec, struct progress *progress);
