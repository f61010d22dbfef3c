/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/ratio.h -- the median of paired ratios, and how sure.
 *
 * From RATIO_BOOTSTRAP_PAIRS pairs the interval is the bootstrap percentile
 * one: medians of resampled pairs, between their 2.5 % and 97.5 % points.  The
 * same pairs give the same interval: the generator starts from a fixed seed.
 * Fewer pairs cannot reach 95 % that way (the median of n lies between the
 * least and the largest but for a chance of 2 / 2^n); they get Student's
 * interval on logarithms, which is wide where they scatter.
 */
#pragma once
#include <stddef.h>

enum {
  RATIO_MIN_PAIRS = 3, /* below it a ratio has no interval */
  RATIO_BOOTSTRAP_PAIRS = 6
};

struct ratio {
  double value;  /* NAN without pairs */
  double lo, hi; /* NAN below RATIO_MIN_PAIRS pairs */
};

void ratio_of_pairs(const double *ratios, size_t count, struct ratio *ratio);

/* Median of `values`, which are reordered; NAN where there are none. */
double ratio_median(double *values, size_t count);

/* The middle 90 % of `values`, which are sorted, over their median; NAN where
 * there are none.  A single interrupt is no noise of the machine. */
double ratio_range(double *values, size_t count);
