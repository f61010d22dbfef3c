/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/bloom_print.h"

#include <stdio.h>

#include "experiments/gpu_models/model_json.h"

void bloom_print_head(const struct bloom_input *input) {
  const char *letters = input->generator ? input->generator : "uniform";
  printf(
      "False positives of the Bloom filter of BLASTN (Ma, PhD thesis 2014, "
      "5.2.3), %llu letters%s%s\n",
      (unsigned long long)input->n, input->given ? "" : ", ",
      input->given ? "" : letters);
  printf("%3s %7s %8s %3s %8s  %10s %23s  %10s %8s    %10s %8s\n", "k", "m",
         "n-sub", "w", "subs", "measured", "95 % interval", "by (5.18)",
         "error", "all w-mers", "error");
}

static const char *in_or_out(const struct bloom_rates *rates, double rate) {
  return bloom_rates_has(rates, rate) ? "in" : "-";
}

/* Of what is measured over what was said, in percent (figure 5.8). */
static double error_of(const struct bloom_rates *rates, double rate) {
  return 100 * (rates->measured / rate - 1);
}

void bloom_print_row(const struct bloom_filter *f,
                     const struct bloom_rates *r) {
  printf(
      "%3.0f %7.0f %8.0f %3.0f %8llu  %10.4g [%10.4g,%10.4g]  %10.4g "
      "%+7.2f%% %-2s %10.4g %+7.2f%% %-2s\n",
      f->k, f->m, f->n_sub, f->w, (unsigned long long)r->sub_queries,
      r->measured, r->lo, r->hi, r->model, error_of(r, r->model),
      in_or_out(r, r->model), r->of_all, error_of(r, r->of_all),
      in_or_out(r, r->of_all));
}

void bloom_print_json(const struct bloom_input *input,
                      const struct bloom_filter *f,
                      const struct bloom_rates *r) {
  json_t *object = json_pack("{ss}", "model", "bloom");
  const struct {
    const char *name;
    double value;
  } all[] = {{"n", (double)input->n},
             {"k", f->k},
             {"m-bits", f->m},
             {"n-sub", f->n_sub},
             {"w", f->w},
             {"sub-queries", (double)r->sub_queries},
             {"w-mers", r->w_mers},
             {"elements", r->elements},
             {"measured", r->measured},
             {"fpr", r->model},
             {"fpr-all", r->of_all}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    model_json_set(object, all[i].name, all[i].value);
  json_t *rest = json_pack("{s[oo] sb sb}", "ci", model_json_number(r->lo),
                           model_json_number(r->hi), "fpr_in_ci",
                           bloom_rates_has(r, r->model), "fpr_all_in_ci",
                           bloom_rates_has(r, r->of_all));
  json_object_update(object, rest);
  json_decref(rest);
  model_json_print(object);
}

void bloom_print_sums(size_t rows, size_t by_model, size_t by_all) {
  printf(
      "In their intervals of 95 %%: %zu of %zu by (5.18), %zu with each w-mer "
      "counted as often as it is there; of independent letters %.1f are to be "
      "expected of the former.\n",
      by_model, rows, by_all, .95 * (double)rows);
}
