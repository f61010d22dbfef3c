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

/* --- steady.c: a chase that goes on for long. ---
 *
 * The last cache is shared, and who accesses it more often has more of it.  The
 * points of bench.h are short, and caches are warmed up for them as fast as can
 * be: they find more of it than a program that waits for each access does.  So
 * a line chase is timed once more, for a tenth of a second a point and warmed
 * up by nothing but itself: curve "steady_chase".
 */
enum { STEADY_POINTS = 16, STEADY_PASSES = 64 };

struct steady {
  struct cal_curve curves[CALIBRATION_KINDS];         /* of the kinds, owned */
  const struct hp_region *regions[CALIBRATION_KINDS]; /* that they are of */
  size_t count;
  double (*times)[STEADY_POINTS][STEADY_PASSES]; /* of the kinds, owned */
  unsigned passes;
};

/* For the kinds that `cal` has curves of, which have regions of `bytes`. */
void steady_begin(struct steady *steady, const struct calibration *cal,
                  const struct workspaces *workspaces, size_t bytes);
/* All points once; the kinds take turns, so that they meet the same neighbours.
 * Signals must be armed.  -1: EINTR. */
int steady_pass(struct steady *steady);
/* The curves become those of `cal`, after one pass or more. */
void steady_add(struct steady *steady, struct calibration *cal);
void steady_fini(struct steady *steady);

/*
 * times[kind * passes + pass] become a point of each kind.  Neighbours come and
 * go between passes, and all kinds of a pass meet the same ones: so a kind is
 * the median of its ratio to what all took at that pass, times the median of
 * that.  The least and the most are those of the times as they were, without a
 * sixth of them on either side.
 */
void steady_summarize(const double *times, size_t kinds, unsigned passes,
                      struct cal_point **points);
