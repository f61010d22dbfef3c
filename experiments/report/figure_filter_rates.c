/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 5.7 and 5.8 of L. Ma, PhD thesis 2014: false positives of the Bloom
 * filter of BLASTN that bloom_blastn and bloom_blastn_cpu counted, beside those
 * of the model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/blastn_layout.h"
#include "experiments/cli/memory.h"
#include "experiments/gpu_models/model_counted.h"
#include "experiments/report/figure.h"
#include "gpu_algos/models/bloom_rate.h"
#include "gpu_algos/models/calibrated.h"

/* What a row counted. */
struct rate {
  const struct survey *of;
  const struct summary *row;
  double k, bits, sub_query; /* letters of it */
  double measured;           /* (5.19) */
  double model;              /* (5.18), a mean over sub-queries */
  double error_95;           /* of measured, of independent letters */
};

/* Of a normal distribution, 95 % lie within so many standard deviations. */
static const double deviations_95 = 1.959964;

enum { W = 11 };         /* letters of a w-mer, as is usual */
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
static double mean_rate(const struct rate *rate, double subs, double last) {
  double rest = calibrated_fpr(rate->bits, rate->k, last);
  double whole = calibrated_fpr(rate->bits, rate->k, rate->sub_query);
  return (whole * (subs - 1) + rest) / subs;
}

/* The rate of a row.  False: it counted none, or is there before on other pages
 * or another device; or how long the last sub-query is no one knows and it
 * would matter, as there are less than 8. */
static bool rate_of(const struct survey *survey, const struct summary *row,
                    struct rate *rate) {
  struct blastn_parameters p;
  if (!is_filter(row) || !blastn_parse(row->variant->parameters, &p))
    return false;
  for (const struct summary *other = survey->rows; other < row; other++)
    if (same_work(other, row)) return false;
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
  *rate = (struct rate){.of = survey,
                        .row = row,
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

/* Of all results files; to free(). */
static struct rate *rates_of(const struct survey *survey, size_t *count) {
  const struct survey *of;
  struct rate rate, *rates = NULL;
  *count = 0;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (const struct summary *row = of->rows; row < of->end; row++)
      if (rate_of(of, row, &rate)) *ARRAY_ADD(rates, *count) = rate;
  return rates;
}

/* Those that are drawn here: none where an earlier file has some. */
static struct rate *rates_here(const struct survey *survey, size_t *count) {
  struct rate *rates = rates_of(survey, count);
  if (*count && rates->of != survey) *count = 0;
  return rates;
}

/* Over the model, less 1. */
static double error_of(const struct rate *rate) {
  return rate->measured / rate->model - 1;
}

/* Bins of a percent; what is further off is in the last ones. */
enum { BINS = 41, MIDDLE = BINS / 2, KINDS = 3 };

static int bin_of(const struct rate *rate) {
  return (int)fmin(fmax(rint(100 * error_of(rate)) + MIDDLE, 0), BINS - 1);
}

/* Independent letters, correlated ones, and those of files. */
static size_t kind_of(const struct summary *row) {
  if (*row->variant->file) return 2;
  return !strcmp(row->variant->generator, "markov");
}

/* (a) has several m and one k, (b) several k and one m. */
struct part {
  const char *title;
  double k[4], kbit[4];
  size_t lines;
};
static const struct part parts[] = {
    {"k = 6", {6, 6, 6}, {64, 128, 256}, 3},
    {"m = 256 Kbit", {4, 6, 8, 10}, {256, 256, 256, 256}, 4}};
enum { PARTS = sizeof parts / sizeof *parts };

/* Of sub-queries, as there. */
enum { LETTERS = 300, STEP = 10 };

/* What whole sub-queries would have: the last one is shorter, and lets less
 * through. */
static void add_counted(struct chart_panel *panel, const struct rate *rates,
                        size_t count, double k, double bits, size_t place) {
  struct chart_series *series = chart_series(panel, place, "%s", "");
  series->apart = true;
  for (const struct rate *rate = rates; rate < rates + count; rate++) {
    if (rate->k != k || rate->bits != bits ||
        !(rate->measured > 0)) /* a logarithm has none */
      continue;
    double whole = calibrated_fpr(bits, k, rate->sub_query) / rate->model;
    chart_interval(series, (rate->sub_query + W - 1) / 1000,
                   whole * rate->measured,
                   whole * (rate->measured - rate->error_95),
                   whole * (rate->measured + rate->error_95));
  }
}

static void add_part(const struct part *part, struct chart *chart,
                     const struct rate *rates, size_t count) {
  struct chart_panel *panel =
      chart_panel(chart, "n_sub, thousand letters", "false positives, share",
                  "%s", part->title);
  panel->y.scale = CHART_LOG;
  panel->x.tics = 50;
  panel->x.lo = 0;
  for (size_t i = 0; i < part->lines; i++) {
    const double k = part->k[i], bits = 1024 * part->kbit[i];
    struct chart_series *series =
        part->k[0] == part->k[1]
            ? chart_series(panel, i, "m = %.0f Kbit", part->kbit[i])
            : chart_series(panel, i, "k = %.0f", k);
    for (int n_sub = STEP; n_sub <= LETTERS; n_sub += STEP)
      chart_point(series, n_sub, calibrated_fpr(bits, k, 1e3 * n_sub - W + 1));
    series->unmarked = true;
    add_counted(panel, rates, count, k, bits, i);
  }
}

static void rate_lines_fill(const struct survey *survey, struct chart *chart) {
  size_t count;
  struct rate *rates = rates_here(survey, &count);
  for (size_t i = 0; count && i < PARTS; i++)
    add_part(&parts[i], chart, rates, count);
  free(rates);
}

const struct figure figure_calibrated_rate_lines = {
    .name = "fig-calibrated-5.07",
    .title = "False positives, over the length of sub-queries (Ma, figure 5.7)",
    .caption =
        "Lines: (5.18) with n_e = n_sub - w + 1, which is a little high as "
        "some w-mers repeat. Points: what runs of bloom_blastn with those k "
        "and m counted, as a mean over complete sub-queries. The 95 % interval "
        "assumes independent letters; it is often narrower than the point. "
        "Rates are logarithmic. Runs with other k or m are not drawn.",
    .needs =
        "It needs what bloom_blastn counted: vat run bloom_blastn_cpu "
        "--parameters k=6,m=64K.",
    .of_gpu = true,
    .fill = rate_lines_fill};

/* Bars as the outline of all of them. */
static void outline(struct chart_series *series, const size_t bins[BINS],
                    int lo, int hi) {
  for (int bin = lo; bin <= hi; bin++)
    for (int side = 0; side < 2; side++)
      chart_point(series, bin - MIDDLE - 0.5 + side, (double)bins[bin]);
  series->unmarked = true;
}

static void rates_fill(const struct survey *survey, struct chart *chart) {
  static const char *const names[KINDS] = {"uniform", "markov", "of files"};
  size_t count, bins[KINDS][BINS] = {{0}}, of_kind[KINDS] = {0};
  int lo = BINS, hi = -1;
  struct rate *rates = rates_here(survey, &count);
  for (size_t i = 0; i < count; i++) {
    int bin = bin_of(&rates[i]);
    bins[kind_of(rates[i].row)][bin]++;
    of_kind[kind_of(rates[i].row)]++;
    if (bin < lo) lo = bin;
    if (bin > hi) hi = bin;
  }
  free(rates);
  if (!count) return;
  if (lo) lo--;
  if (hi < BINS - 1) hi++;
  struct chart_panel *panel = chart_panel(
      chart, "relative error, %", "measurements", "Counted over (5.18)");
  snprintf(panel->of, sizeof panel->of, "bloom_blastn");
  panel->bare = true;
  for (size_t kind = 0; kind < KINDS; kind++)
    if (of_kind[kind])
      outline(chart_series(panel, kind, "%s: %zu", names[kind], of_kind[kind]),
              bins[kind], lo, hi);
}

static void rates_write_lines(FILE *out, const struct survey *survey) {
  size_t count;
  struct rate *rates = rates_of(survey, &count);
  for (const struct rate *rate = rates; rate < rates + count; rate++)
    figure_csv(out, "|uuuugggss\n", rate->row->n, (uint64_t)rate->k,
               (uint64_t)rate->bits, (uint64_t)rate->sub_query, rate->measured,
               rate->model, error_of(rate), rate->row->variant->generator,
               rate->row->variant->file);
  free(rates);
}

const struct figure figure_calibrated_rates = {
    .name = "fig-calibrated-5.08",
    .title = "False positives, counted over predicted (Ma, figure 5.8)",
    .caption =
        "x axis: by how many percent the rate that a run of bloom_blastn "
        "counted differs from (5.18) with n_e = n_sub - w + 1, a mean over "
        "sub-queries. y axis: the number of runs. w-mers that repeat set no "
        "further bit: few do in independent letters, more in correlated ones. "
        "Of files, only runs with 8 sub-queries or more count, all taken as "
        "complete. Runs that are more than 20 % off are at the end.",
    .needs =
        "It needs what bloom_blastn counted: vat run bloom_blastn_cpu "
        "--parameters k=6,m=64K.",
    .of_gpu = true,
    .fill = rates_fill,
    .head = "n,k,m_bits,elements,measured,model,error,generator,input",
    .write_lines = rates_write_lines};
