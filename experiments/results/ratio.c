/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/ratio.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"

/* Resamples: the 2.5 % point of 2000 rests on 50 of them. */
enum { RESAMPLES = 2000, BOOTSTRAP_SEED = 1 };

double ratio_median(double *values, size_t count) {
  return count ? gsl_stats_median(values, 1, count) : NAN;
}

double ratio_range(double *values, size_t count) {
  if (!count) return NAN;
  gsl_sort(values, 1, count);
  return (gsl_stats_quantile_from_sorted_data(values, 1, count, 0.95) -
          gsl_stats_quantile_from_sorted_data(values, 1, count, 0.05)) /
         gsl_stats_median_from_sorted_data(values, 1, count);
}

static void bootstrap_interval(const double *ratios, size_t count,
                               struct ratio *ratio) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  double *resample = memory_grow(NULL, count, sizeof *resample);
  double *medians = memory_grow(NULL, RESAMPLES, sizeof *medians);
  gsl_rng_set(rng, BOOTSTRAP_SEED);
  for (size_t i = 0; i < RESAMPLES; i++) {
    for (size_t j = 0; j < count; j++)
      resample[j] = ratios[gsl_rng_uniform_int(rng, count)];
    medians[i] = ratio_median(resample, count);
  }
  gsl_sort(medians, 1, RESAMPLES);
  ratio->lo = gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES, 0.025);
  ratio->hi = gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES, 0.975);
  gsl_rng_free(rng);
  free(resample);
  free(medians);
}

/*
 * Student's interval of the mean logarithm, laid around the median.  Medians
 * resampled from three pairs reach from the least to the largest and no
 * further, which covers the truth three times in four only.
 */
static void student_interval(const double *ratios, size_t count,
                             struct ratio *ratio) {
  double mean = 0, square = 0, n = (double)count;
  for (size_t i = 0; i < count; i++) mean += log(ratios[i]) / n;
  for (size_t i = 0; i < count; i++)
    square += (log(ratios[i]) - mean) * (log(ratios[i]) - mean);
  double reach = gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(square / (n - 1) / n);
  ratio->lo = fmin(exp(mean - reach), ratio->value);
  ratio->hi = fmax(exp(mean + reach), ratio->value);
}

void ratio_of_pairs(const double *ratios, size_t count, struct ratio *ratio) {
  *ratio = (struct ratio){NAN, NAN, NAN};
  if (!count) return;
  double *copy = memory_grow(NULL, count, sizeof *copy);
  for (size_t i = 0; i < count; i++) copy[i] = ratios[i];
  ratio->value = ratio_median(copy, count);
  if (count >= RATIO_BOOTSTRAP_PAIRS)
    bootstrap_interval(ratios, count, ratio);
  else if (count >= RATIO_MIN_PAIRS)
    student_interval(ratios, count, ratio);
  free(copy);
}
