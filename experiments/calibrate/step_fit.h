/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/step_fit.h -- fit what a random chase over caches
 * shows.
 *
 * A cache that keeps the last `knee` spots misses a share 1 - knee / x of the
 * accesses to x random ones, each for `step` more time: so
 *   t(x) = base + sum of step[i] max(0, 1 - knee[i] / x).
 * Weighted least squares over base and all steps, none negative, for every
 * choice of knees on a grid that narrows down; then again with less weight for
 * what lies far off (P. J. Huber, Robust Estimation of a Location Parameter,
 * 1964), so that some disturbed points move nothing.
 */
#pragma once
#include <stddef.h>

enum { STEP_FIT_STEPS = 6, STEP_FIT_POINTS = 768 };

struct step_points {
  size_t count;
  struct step_point {
    double x, y, scale; /* of an error at y; above 0 */
  } at[STEP_FIT_POINTS];
};

struct step_fit {
  size_t steps;                                            /* asked for */
  double least[STEP_FIT_STEPS], most[STEP_FIT_STEPS];      /* where to look */
  double knee[STEP_FIT_STEPS], step[STEP_FIT_STEPS], base; /* found */
  double error; /* root of the mean square, in scales */
};

/* Find what is asked for; knees ascend. */
void step_fit(const struct step_points *points, struct step_fit *fit);

double step_fit_at(const struct step_fit *fit, double x);
