/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/bloom_rates.h"

#include <math.h>
#include <stdio.h>

#include "cpu_algos/blastn.h"
#include "experiments/cli/command.h"
#include "experiments/gpu_models/model_memory.h"
#include "gpu_algos/models/bloom_rate.h"
#include "gpu_algos/models/calibrated.h"

enum { PARAMETERS_SIZE = 96 };

/* Of a normal distribution, 95 % lie within so many standard deviations. */
static const double deviations_95 = 1.959964;

static const struct algo *filter_algo(void) {
  return cpu_algo_find("bloom_blastn_cpu");
}

static int run_checked(struct algo_run *run) {
  const struct algo *algo = filter_algo();
  algo->setup(run);
  algo->run(run);
  const char *wrong = algo->check(run);
  if (!wrong) return VAT_OK;
  return fail(VAT_FAILED, "%s gave a wrong answer (%s): %s", algo->name,
              run->parameters, wrong);
}

/* A sub-query without an element, of letters that are not known, has no false
 * positives, and the model says so; one whose elements are all that there is
 * has none to count. */
static void add_up(const struct cpu_blastn *f, uint64_t mers,
                   struct bloom_rates *rates) {
  struct bloom_rate of = {ldexp(1, (int)f->lg_m), f->k, 0,
                          ldexp(1, 2 * (int)f->w)};
  double variance = 0, counted = 0;
  for (uint32_t s = 0; s < f->subs; s++) {
    const double strangers = (double)mers - f->known[s].true_positives;
    of.elements = f->known[s].elements;
    if (!(strangers > 0)) continue;
    counted++;
    rates->w_mers += f->known[s].w_mers;
    rates->elements += of.elements;
    rates->measured += (f->counts[s] - f->known[s].true_positives) / strangers;
    rates->model += calibrated_fpr(of.bits, of.functions, of.elements);
    rates->of_all += calibrated_fpr(of.bits, of.functions, f->known[s].w_mers);
    variance += bloom_rate_variance(&of, strangers);
  }
  rates->sub_queries = (uint64_t)counted;
  rates->w_mers /= counted;
  rates->elements /= counted;
  rates->measured /= counted;
  rates->model /= counted;
  rates->of_all /= counted;
  const double wide = deviations_95 * sqrt(variance) / counted;
  rates->lo = fmax(0, rates->measured - wide);
  rates->hi = fmin(1, rates->measured + wide);
}

static int measure_there(struct algo_run *run, struct bloom_rates *rates) {
  uint64_t counted[ALGO_COUNTS];
  int code = run_checked(run);
  if (code) return code;
  const struct cpu_blastn f = cpu_blastn_of(run);
  cpu_blastn_count(run, counted);
  add_up(&f, counted[0], rates);
  if (rates->sub_queries) return VAT_OK;
  return fail(
      VAT_USAGE,
      "w = %u: no w-mer of the database is in no sub-query, so that none "
      "can be a false positive; choose longer ones",
      f.w);
}

int bloom_rates_measure(const struct bloom_input *input,
                        const struct bloom_filter *filter,
                        struct bloom_rates *rates) {
  const struct algo *algo = filter_algo();
  char parameters[PARAMETERS_SIZE];
  snprintf(parameters, sizeof parameters, "k=%.0f,m=%.0f,n-sub=%.0f,w=%.0f",
           filter->k, filter->m, filter->n_sub, filter->w);
  const char *why = algo->refuse_parameters(parameters);
  if (why) return fail(VAT_USAGE, "%s: %s", parameters, why);
  *rates = (struct bloom_rates){0};
  struct algo_run run = {.n = input->n,
                         .seed = input->seed,
                         .given = input->given,
                         .generator = input->generator,
                         .parameters = parameters};
  const struct model_memory memory = {"the filter", "less", 1};
  run.bytes = cpu_algo_bytes(algo, run.n, run.given);
  int code = model_memory_map(&memory, algo, &run);
  if (code) return code;
  code = measure_there(&run, rates);
  model_memory_unmap(&run);
  return code;
}

bool bloom_rates_has(const struct bloom_rates *rates, double rate) {
  return rate >= rates->lo && rate <= rates->hi;
}
