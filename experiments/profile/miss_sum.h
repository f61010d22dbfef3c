/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/miss_sum.h -- estimates of misses that are added up.
 *
 * What samples stand for is as uncertain as their number: the squares of what
 * each stands for add up to a variance (a Poisson process).
 */
#pragma once

/* 90 % of a normal distribution are within so many standard errors. */
#define MISS_ERRORS 1.645

struct miss_value {
  double value, lo, hi;
};

/* Of some samples; add up and miss_value_of(). */
struct miss_sum {
  struct miss_value misses;
  double lo_squares, hi_squares; /* of what each sample stands for */
};

void miss_sum_add(struct miss_sum *sum, const struct miss_value *one);
void miss_sum_join(struct miss_sum *sum, const struct miss_sum *other);
struct miss_value miss_value_of(const struct miss_sum *sum);
