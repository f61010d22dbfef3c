/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/filter_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/blastn_layout.h"
#include "experiments/gpu_models/model_counted.h"

static const char *const devices[] = {"emu", "cuda"};

/* In blocks as it likes, which are as many as are good. */
static bool time_of(const struct summary *row, enum filter_device device,
                    struct filter_time *time) {
  const struct sample_variant *variant = row->variant;
  struct blastn_parameters p;
  if (!row->reps || strcmp(row->algo, "bloom_blastn") ||
      strcmp(row->device, devices[device]) || variant->grid_blocks ||
      variant->block_threads || variant->dummy_shared ||
      !blastn_parse(variant->parameters, &p))
    return false;
  double subs = model_counter(row, "sub_queries");
  double cost = device == FILTER_MEASURED
                    ? row->ns_per_op_min * row->ram_ops
                    : model_counter(row, "warp_instructions");
  *time = (struct filter_time){.row = row,
                               .k = (double)p.k,
                               .bits = exp2((double)p.lg_m),
                               .n_sub = (double)p.n_sub,
                               .subs = subs,
                               .cost = cost / 1e6};
  time->work = time->k * subs * model_counter(row, "w_mers");
  return isfinite(time->cost) && time->work > 0;
}

static bool same_input(const struct summary *a, const struct summary *b) {
  return a->n == b->n &&
         !strcmp(a->variant->generator, b->variant->generator) &&
         sample_variant_same_input(a->variant, b->variant);
}

/* Is it there, on other pages of the host? */
static bool is_again(const struct filter_time *times, size_t count,
                     const struct filter_time *time) {
  for (size_t i = 0; i < count; i++)
    if (times[i].k == time->k && times[i].bits == time->bits &&
        times[i].n_sub == time->n_sub)
      return true;
  return false;
}

static int compare(double a, double b) { return (a > b) - (a < b); }

static int compare_times(const void *left, const void *right) {
  const struct filter_time *a = left, *b = right;
  int order = compare(a->k, b->k);
  if (!order) order = compare(a->n_sub, b->n_sub);
  return order ? order : compare(a->bits, b->bits);
}

const struct survey *filter_times(const struct survey *survey,
                                  enum filter_device device,
                                  struct filter_time times[FILTER_TIMES_MOST],
                                  size_t *count) {
  const struct survey *of, *first = NULL;
  *count = 0;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (const struct summary *row = of->rows; row < of->end; row++) {
      struct filter_time *time = &times[*count];
      if (*count == FILTER_TIMES_MOST || !time_of(row, device, time) ||
          (*count && !same_input(times[0].row, row)) ||
          is_again(times, *count, time))
        continue;
      if (!first) first = of;
      ++*count;
    }
  qsort(times, *count, sizeof *times, compare_times);
  return first;
}

double filter_gtx480_seconds(double k, double n_sub) {
  const double rest = 10, all = 5e7 / 3e5;
  return rest + (all - rest) * k / 6 * 50000 / n_sub;
}
