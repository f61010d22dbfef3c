/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/bloom_rates.h -- false positives of BLASTN's Bloom
 * filter, counted, and what the model says of them. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

/* What is asked for. */
struct bloom_input {
  const struct algo_data *given; /* database and query; NULL: generated */
  uint64_t n, seed;
  const char *generator; /* of cpu_blastn_generators; NULL: the first */
};

struct bloom_filter {
  double k, m, n_sub, w;
};

/* Means over all sub-queries, as the source has them. */
struct bloom_rates {
  uint64_t sub_queries;
  double w_mers;   /* of a sub-query, as often as they are there */
  double elements; /* different ones */
  double measured; /* (5.19) */
  double model;    /* (5.18) of n_e elements */
  double of_all;   /* (5.18) of n_e = n_sub - w + 1, as the source has it */
  double lo, hi;   /* of 95 %, around what was measured */
};

/* Run the filter on the processor, and see that its hits are right.  An exit
 * code, having printed what is wrong. */
int bloom_rates_measure(const struct bloom_input *input,
                        const struct bloom_filter *filter,
                        struct bloom_rates *rates);

/* Does `rate` lie in the interval? */
bool bloom_rates_has(const struct bloom_rates *rates, double rate);
