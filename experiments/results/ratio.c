/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/ratio.h"

#include <errno.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "experiments/results/summary.h"

/* Resamples: the 2.5 % point of 2000 rests on 50 of them. */
enum { RESAMPLES = 2000, BOOTSTRAP_SEED = 1 };

double ratio_median(double *values, size_t count) {
  return count ? gsl_stats_median(values, 1, count) : NAN;
}

static void bootstrap(gsl_rng *rng, const double *ratios, size_t count,
                      double *resample, double *medians) {
  for (size_t i = 0; i < RESAMPLES; i++) {
    for (size_t j = 0; j < count; j++)
      resample[j] = ratios[gsl_rng_uniform_int(rng, count)];
    medians[i] = ratio_median(resample, count);
  }
  gsl_sort(medians, 1, RESAMPLES);
}

int ratio_of_pairs(const double *ratios, size_t count, struct ratio *ratio) {
  *ratio = (struct ratio){NAN, NAN, NAN};
  if (!count) return 0;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  double *resample = reallocarray(NULL, count, sizeof *resample);
  double *medians = reallocarray(NULL, RESAMPLES, sizeof *medians);
  int failed = rng && resample && medians ? 0 : -1;
  if (!failed) {
    for (size_t i = 0; i < count; i++) resample[i] = ratios[i];
    ratio->median = ratio_median(resample, count);
  }
  if (!failed && count >= SUMMARY_MIN_PAIRS) {
    gsl_rng_set(rng, BOOTSTRAP_SEED);
    bootstrap(rng, ratios, count, resample, medians);
    ratio->lo =
        gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES, 0.025);
    ratio->hi =
        gsl_stats_quantile_from_sorted_data(medians, 1, RESAMPLES, 0.975);
  }
  gsl_rng_free(rng);
  free(resample);
  free(medians);
  if (failed) errno = ENOMEM;
  return failed;
}
