/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/predict/cost_bounds.h -- bounds of the cost, from bounds of the
 * misses and tau by layer.
 *
 * The bounds of the misses are of all layers together.  Which layers the misses
 * are on is not known, but for lru, islru and ismin that no layer has more than
 * the one below.
 */
#pragma once
#include "experiments/predict/predict.h"

struct cost_bounds {
  double least_tau, greatest_tau; /* of a miss, on average */
  double lower, upper;            /* in accesses; INFINITY: none */
};

/* With --tau. */
struct cost_bounds cost_bounds_find(const struct predict_request *request,
                                    const struct prediction *prediction);

/* Of what was simulated, exact by layer. */
double cost_simulated(const struct predict_request *request,
                      const struct prediction *prediction);
