/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/filter_rates.h"

#include <math.h>
#include <string.h>

#include "cpu_algos/blastn_layout.h"
#include "experiments/gpu_models/model_counts.h"
#include "gpu_algos/models/bloom_rate.h"
#include "gpu_algos/models/calibrated.h"

/* Of a normal distribution, 95 % lie within so many standard deviations. */
static const double deviations_95 = 1.959964;

enum { SUBS_LEAST = 8 }; /* that all count as whole where a query is a file's */

static bool is_filter(const struct summary *row) {
  return row->reps && (!strcmp(row->algo, "bloom_blastn") ||
                       !strcmp(row->algo, "bloom_blastn_cpu"));
}

/* Whatever it ran on, the same is counted. */
static bool same_work(const struct summary *a, const struct summary *b) {
  return is_filter(a) && is_filter(b) && a->n == b->n &&
         !strcmp(a->variant->generator, b->variant->generator) &&
         !strcmp(a->variant->parameters, b->variant->parameters) &&
         sample_variant_same_input(a->variant, b->variant);
}

/* Elements of each vector are those of a whole sub-query but for the last. */
static double mean_rate(const struct filter_rate *rate, double subs,
                        double last) {
  double rest = calibrated_fpr(rate->bits, rate->k, last);
  double whole = calibrated_fpr(rate->bits, rate->k, rate->sub_query);
  return (whole * (subs - 1) + rest) / subs;
}

bool filter_rate_of(const struct survey *survey, size_t index,
                    struct filter_rate *rate) {
  const struct summary *row = &survey->rows[index];
  struct blastn_parameters p;
  if (!is_filter(row) || !blastn_parse(row->variant->parameters, &p))
    return false;
  for (size_t i = 0; i < index; i++)
    if (same_work(&survey->rows[i], row)) return false;
  double positives = model_counter(row, "positives");
  double true_ones = model_counter(row, "true_positives");
  double subs = model_counter(row, "sub_queries");
  double strangers = model_counter(row, "w_mers") * subs - true_ones;
  if (!(strangers > 0)) return false;
  double whole = (double)(p.n_sub - p.w + 1), last = whole;
  if (*row->variant->file) {
    if (subs < SUBS_LEAST) return false;
  } else {
    uint64_t query = blastn_query_letters(row->n, NULL);
    last = (double)(query - p.w + 1) - (subs - 1) * whole;
  }
  *rate = (struct filter_rate){.row = row,
                               .k = (double)p.k,
                               .bits = exp2((double)p.lg_m),
                               .sub_query = whole,
                               .measured = (positives - true_ones) / strangers};
  rate->model = mean_rate(rate, subs, last);
  const struct bloom_rate filter = {rate->bits, rate->k, whole,
                                    exp2(2 * (double)p.w)};
  rate->error_95 = deviations_95 *
                   sqrt(bloom_rate_variance(&filter, strangers / subs) / subs);
  return rate->model > 0;
}

bool filter_rates_here(const struct survey *survey) {
  const struct survey *of;
  struct filter_rate rate;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count; i++)
      if (filter_rate_of(of, i, &rate)) return of == survey;
  return false;
}

double filter_rate_error(const struct filter_rate *rate) {
  return rate->measured / rate->model - 1;
}
