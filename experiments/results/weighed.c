/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/weighed.h"

#include <math.h>

static const double least_deviation = 0.002;

struct weighed weighed_interval(double value, double lo, double hi,
                                double sides) {
  return (struct weighed){value, fmax((hi - lo) / 2 / sides, least_deviation)};
}

struct weighed weighed_mean(struct weighed one, struct weighed other) {
  const double a = one.deviation, b = other.deviation, sum = a * a + b * b;
  return (struct weighed){(b * b * one.value + a * a * other.value) / sum,
                          a * b / sqrt(sum)};
}
