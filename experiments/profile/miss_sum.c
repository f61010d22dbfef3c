/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/miss_sum.h"

#include <math.h>

/* What the model leaves out is about such a share. */
static const double model_share = 0.05;

void miss_sum_add(struct miss_sum *sum, const struct miss_value *one) {
  double lo = fmin(one->lo, one->value), hi = fmax(one->hi, one->value);
  sum->misses.value += one->value;
  sum->misses.lo += lo;
  sum->misses.hi += hi;
  sum->lo_squares += lo * lo;
  sum->hi_squares += hi * hi;
}

void miss_sum_join(struct miss_sum *sum, const struct miss_sum *other) {
  sum->misses.value += other->misses.value;
  sum->misses.lo += other->misses.lo;
  sum->misses.hi += other->misses.hi;
  sum->lo_squares += other->lo_squares;
  sum->hi_squares += other->hi_squares;
}

struct miss_value miss_value_of(const struct miss_sum *sum) {
  struct miss_value v = sum->misses;
  v.lo = (1 - model_share) * v.lo - MISS_ERRORS * sqrt(sum->lo_squares + v.lo);
  v.hi = (1 + model_share) * v.hi + MISS_ERRORS * sqrt(sum->hi_squares + v.hi);
  v.lo = fmax(0, v.lo);
  return v;
}
