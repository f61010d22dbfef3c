/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/models/bloom_rate.h"

#include <math.h>

#include "gpu_algos/models/calibrated.h"

/* n_e k balls in m cells leave empty ones of variance m e^-c (1 - (1 + c) e^-c)
 * for c = n_e k / m. */
double bloom_rate_variance(const struct bloom_rate *filter, double drawn) {
  const double m = filter->bits, k = filter->functions;
  const double c = k * filter->elements / m, empty = exp(-c);
  const double of_empty = m * empty * (1 - (1 + c) * empty);
  const double slope = k * pow(1 - empty, k - 1) / m;
  const double rate = calibrated_fpr(m, k, filter->elements);
  const double tossed = rate * (1 - rate);
  return slope * slope * of_empty + tossed / filter->all + tossed / drawn;
}
