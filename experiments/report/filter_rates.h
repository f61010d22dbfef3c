/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/filter_rates.h -- false positives that bloom_blastn and
 * bloom_blastn_cpu counted, beside those of the model. */
#pragma once
#include "experiments/report/survey.h"

struct filter_rate {
  const struct summary *row;
  double k, bits, sub_query; /* letters of it */
  double measured;           /* (5.19) of Ma, PhD thesis 2014 */
  double model;              /* (5.18), a mean over sub-queries */
  double error_95;           /* of measured, of independent letters */
};

/*
 * The rate of the index-th row.  False: it counted none, or is there before on
 * other pages or another device; or how long the last sub-query is no one knows
 * and it would matter, as there are less than 8.
 */
bool filter_rate_of(const struct survey *survey, size_t index,
                    struct filter_rate *rate);

/* Are there any, which are not drawn with an earlier results file? */
bool filter_rates_here(const struct survey *survey);

/* Over the model, less 1. */
double filter_rate_error(const struct filter_rate *rate);
