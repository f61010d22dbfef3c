/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/ratio.h -- the median of paired ratios, and how sure.
 *
 * The interval is the bootstrap percentile one: medians of resampled pairs,
 * between their 2.5 % and 97.5 % points.  The same pairs give the same
 * interval: the generator starts from a fixed seed.
 */
#ifndef EXPERIMENTS_RESULTS_RATIO_H
#define EXPERIMENTS_RESULTS_RATIO_H
#include <stddef.h>

struct ratio {
  double median; /* NAN without pairs */
  double lo, hi; /* NAN below SUMMARY_MIN_PAIRS pairs */
};

/* Returns 0, or -1 with errno ENOMEM. */
int ratio_of_pairs(const double *ratios, size_t count, struct ratio *ratio);

/* Median of `values`, which are reordered; NAN where there are none. */
double ratio_median(double *values, size_t count);
#endif
