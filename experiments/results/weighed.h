/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/weighed.h -- what is known of a number from two sides, by
 * a prediction and by a measurement, each within an interval.
 */
#pragma once

/* Halves of intervals in standard deviations: those of `vat compare` hold 95 %
 * of a normal distribution, those of predictions 90 %. */
static const double weighed_measured = 1.960, weighed_told = 1.645;

struct weighed {
  double value, deviation; /* standard */
};

/* `sides` as above.  Nobody knows a share of the user time better than by
 * .002. */
struct weighed weighed_interval(double value, double lo, double hi,
                                double sides);
/* The most likely one: the mean weighted by 1/variance. */
struct weighed weighed_mean(struct weighed one, struct weighed other);
