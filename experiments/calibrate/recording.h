/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/recording.h -- every time that was taken.
 *
 * Points of curves, each timed once a repetition; lower quartiles over
 * repetitions make the curves of a calibration, and resampled repetitions their
 * intervals.
 */
#pragma once
#include <stddef.h>

#include "experiments/probe/calibration.h"

enum { RECORDING_REPS = 100 };

struct recording {
  size_t reps; /* whole ones */
  size_t points;
  double *ns;     /* points x RECORDING_REPS; owned */
  double *canary; /* of a compute-bound loop, as time went on; owned */
  size_t canaries;
};

/* For the points of all curves of `cal`, curve by curve. */
void recording_init(struct recording *rec, const struct calibration *cal);
void recording_fini(struct recording *rec); /* zeroed is fine */

/* Note one; `point` counts over all curves. */
void recording_note(struct recording *rec, size_t point, size_t rep, double ns);
void recording_note_canary(struct recording *rec, double ns);

/* Set the points of the curves of `cal` to the lower quartile, least and
 * largest of the repetitions `chosen`, of which one may be named more than
 * once. */
void recording_curves(const struct recording *rec, const size_t *chosen,
                      size_t count, struct calibration *cal);

/* Fill cal->noise from what was recorded, but for timer_ns and seconds. */
void recording_noise(const struct recording *rec, struct calibration *cal);
