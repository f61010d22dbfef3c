/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/run_ratios.h -- how arms compare, of runs on a machine
 * whose speed drifts.
 *
 * The log of a figure is fitted as a sum: of what is the arm's, of what is the
 * round's, and of a rest.  Half of the rest of the run before in the same round
 * is left in it (an autoregression of first order with the coefficient
 * RUN_RATIOS_DRIFT).  Rests that are far out count less (Huber's M-estimator,
 * gsl_multifit_robust).  Takes time in proportion to runs times arms^2, and to
 * how often the weights are found anew.
 *
 * In 39 series of 3 to 13 arms on a guest with Zen 4, two arms of the same
 * differed by 1.7 % in the root mean square, and by 2.2 % where the median of
 * each round's ratio is taken; 37 of the 39 intervals of 95 % have 1.
 *
 * A ratio is to runs of one arm, or of two that are the same.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/results/ratio.h"

#define RUN_RATIOS_DRIFT 0.5

struct run_figure {
  size_t arm;
  uint32_t round;
  double value; /* more than 0 */
};

enum { RUN_RATIOS_NO_ARM = 1 << 16 };

/* What is compared: an arm, and one that is the same or RUN_RATIOS_NO_ARM. */
struct run_side {
  size_t arm[2];
};

struct run_ratios;

/* Of runs in the order in which they ran, one round after the other.  Never
 * NULL; `run` is not needed any more. */
struct run_ratios *run_ratios_fit(const struct run_figure *run, size_t count);
void run_ratios_free(struct run_ratios *ratios);

/* NANs without a round that has runs of both sides; no interval where fewer
 * than RATIO_MIN_PAIRS have. */
struct ratio run_ratios_of(const struct run_ratios *ratios, struct run_side of,
                           struct run_side to);
