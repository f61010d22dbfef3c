/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 5.10, 5.11, 5.13 and 5.14 of L. Ma, PhD thesis 2014: time of the
 * Bloom filter of BLASTN over the number of its functions, of its sub-queries,
 * and over what the model says, with the lines that give the model its
 * constants; and false positives over time: what runs of bloom_blastn with
 * several k and n_sub took on a GPU, and executed in the emulator. */
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/blastn_layout.h"
#include "experiments/cli/human.h"
#include "experiments/cli/order.h"
#include "experiments/gpu_models/model_counted.h"
#include "experiments/report/figure.h"
#include "gpu_algos/models/calibrated.h"

struct filter_time {
  const struct summary *row;
  double k, bits, n_sub;
  double subs; /* Q_s / n_sub */
  double work; /* f_app = k n Q_s / n_sub, of the database's w-mers (5.20) */
  double cost; /* milliseconds; of the emulator, a million warp instructions */
};

enum { FILTER_TIMES_MOST = 256 };

/* In blocks as it likes, which are as many as are good. */
static bool time_of(const struct summary *row, bool measured,
                    struct filter_time *time) {
  const struct sample_variant *variant = row->variant;
  struct blastn_parameters p;
  if (!row->reps || strcmp(row->algo, "bloom_blastn") ||
      strcmp(row->device, measured ? "cuda" : "emu") || variant->grid_blocks ||
      variant->block_threads || variant->dummy_shared ||
      !blastn_parse(variant->parameters, &p))
    return false;
  double subs = model_counter(row, "sub_queries");
  double cost = measured ? row->ns_per_op_min * row->ram_ops
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

static int compare_times(const void *left, const void *right) {
  const struct filter_time *a = left, *b = right;
  int order = order_reals(a->k, b->k);
  if (!order) order = order_reals(a->n_sub, b->n_sub);
  return order ? order : order_reals(a->bits, b->bits);
}

/* Is it there, on other pages of the host? */
static bool is_again(const struct filter_time *times, size_t count,
                     const struct filter_time *time) {
  for (size_t i = 0; i < count; i++)
    if (!compare_times(&times[i], time)) return true;
  return false;
}

/* A panel, without series yet, of those of all results files on one input, that
 * of the first of them, by k, then n_sub: "bloom_blastn", what it ran on, and
 * the cost over `x`.  NULL: there are none. */
static struct chart_panel *add_panel(
    struct chart *chart, const struct survey *survey, bool measured,
    const char *x, struct filter_time times[FILTER_TIMES_MOST], size_t *count) {
  const struct survey *of, *first = NULL;
  *count = 0;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (const struct summary *row = of->rows; row < of->end; row++) {
      struct filter_time *time = &times[*count];
      if (*count == FILTER_TIMES_MOST || !time_of(row, measured, time) ||
          (*count && !same_input(times[0].row, row)) ||
          is_again(times, *count, time))
        continue;
      if (!first) first = of;
      ++*count;
    }
  if (!first) return NULL;
  qsort(times, *count, sizeof *times, compare_times);
  struct chart_panel *panel =
      figure_gpu_panel(chart, first, "bloom_blastn", x,
                       measured ? "time, ms" : "warp instructions, million");
  if (!measured)
    snprintf(panel->title, sizeof panel->title, "Emulated, counted");
  return panel;
}

/* Seconds on the GTX 480 of section 5.2.3 of Ma, PhD thesis 2014: 5e7 letters
 * against 2.5e8, of which 300000 a second at k = 6 and n_sub = 50000, and a0 =
 * 10 s. */
#define GTX480_QUERY 2.5e8
static double gtx480_seconds(double k, double n_sub) {
  const double rest = 10, all = 5e7 / 3e5;
  return rest + (all - rest) * k / 6 * 50000 / n_sub;
}

enum { TREND_LEAST = 3 };

/* A line through the points of `series`, dashed and in its colour, by least
 * squares; NAN where there are less than three, else R^2. */
static double add_trend(struct chart_panel *panel,
                        const struct chart_series *series, double *a1,
                        double *a0) {
  const size_t stride = sizeof *series->points / sizeof(double);
  const struct chart_point *points = series->points;
  double c00, c01, c11, rest, least, most;
  if (series->count < TREND_LEAST) return NAN;
  gsl_fit_linear(&points->x, stride, &points->y, stride, series->count, a0, a1,
                 &c00, &c01, &c11, &rest);
  gsl_stats_minmax(&least, &most, &points->x, stride, series->count);
  double all = gsl_stats_tss(&points->y, stride, series->count);
  struct chart_series *trend = chart_series(panel, series->colour, "%s", "");
  chart_point(trend, least, *a0 + *a1 * least);
  chart_point(trend, most, *a0 + *a1 * most);
  trend->dash = 1;
  trend->unmarked = true;
  return all > 0 ? 1 - rest / all : 1;
}

/* What times are over, functions or else sub-queries. */
static const char over_functions[] = "k, hash functions";
static const char over_sub_queries[] = "sub-queries, Q_s / n_sub";

static double x_of(bool over_k, const struct filter_time *time) {
  return over_k ? time->k : time->subs;
}

/* `bits` is what all have; 0: they differ. */
static void name_line(bool over_k, const struct filter_time *time, double bits,
                      char label[CHART_LABEL]) {
  int used = over_k ? snprintf(label, CHART_LABEL, "n_sub = %.0f", time->n_sub)
                    : snprintf(label, CHART_LABEL, "k = %.0f", time->k);
  if (!bits)
    snprintf(label + used, (size_t)(CHART_LABEL - used), ", %.0f Kbit",
             time->bits / 1024);
}

/* All series, and behind them what was fitted. */
static void add_series(bool over_k, struct chart_panel *panel,
                       const struct filter_time *times, size_t count) {
  char label[CHART_LABEL];
  double a1, a0, bits = times[0].bits;
  for (size_t i = 1; i < count; i++)
    if (times[i].bits != bits) bits = 0;
  for (size_t i = 0; i < count; i++) {
    name_line(over_k, &times[i], bits, label);
    struct chart_series *series = chart_line(panel, label);
    chart_point(series, x_of(over_k, &times[i]), times[i].cost);
    series->apart = true;
  }
  for (size_t i = 0, series = panel->count; i < series; i++) {
    chart_sort(panel->series[i]);
    add_trend(panel, panel->series[i], &a1, &a0);
  }
}

static void set_axis(bool over_k, struct chart_panel *panel) {
  panel->x.lo = 0;
  if (!over_k) panel->x.tics = CHART_TICS_ROUND;
}

/* Of the source's own combinations, the constants of which agree with what it
 * says of one of them. */
static void predict(struct chart *chart, const char *axis) {
  const bool over_k = axis == over_functions;
  static const double functions[] = {4, 6, 8, 10};
  static const double letters[] = {50000, 100000, 200000, 300000};
  struct chart_panel *panel =
      figure_gpu_panel(chart, NULL, "bloom_blastn", axis, "time, s");
  set_axis(over_k, panel);
  for (size_t i = 0; i < 4; i++) {
    struct chart_series *series =
        chart_series(panel, i, over_k ? "n_sub = %.0f" : "k = %.0f",
                     over_k ? letters[i] : functions[i]);
    for (size_t j = 0; j < 4; j++) {
      const double k = functions[over_k ? j : i];
      const double n_sub = letters[over_k ? i : j];
      chart_point(series, over_k ? k : GTX480_QUERY / n_sub,
                  gtx480_seconds(k, n_sub));
    }
    chart_sort(series);
  }
}

static void filter_times_fill(const struct survey *survey,
                              struct chart *chart) {
  const bool over_k = chart->of == over_functions;
  predict(chart, chart->of);
  for (int measured = 0; measured < 2; measured++) {
    struct filter_time times[FILTER_TIMES_MOST];
    size_t count;
    struct chart_panel *panel =
        add_panel(chart, survey, measured, chart->of, times, &count);
    if (!panel) continue;
    set_axis(over_k, panel);
    add_series(over_k, panel, times, count);
  }
}

/* What both say. */
#define MODEL                                                      \
  " Predicted are the source's combinations on its own data, "     \
  "2.5e8 letters against 5e7, by (5.24) with 300000 letters a "    \
  "second at k = 6 and n_sub = 50000, and a0 = 10 s. Of what was " \
  "counted or measured, points are runs, and dashed lines are "    \
  "fitted to them: look whether the points lie on a line. Here a " \
  "w-mer is given up when one of the functions that are computed " \
  "side by side finds no bit, so where few bits are set more "     \
  "functions cost little."
#define NEEDS(list)                                                          \
  "It needs runs of bloom_blastn with several parameters: for LIST in " list \
  "; do vat run bloom_blastn --device cuda --sizes 2^24 --parameters $LIST " \
  "-o $LIST.jsonl; done; vat report *.jsonl. With --device emu and fewer "   \
  "letters instructions are counted."

const struct figure figure_calibrated_functions = {
    .name = "fig-calibrated-5.10",
    .title = "The Bloom filter of BLASTN, over its functions (Ma, figure 5.10)",
    .caption =
        "x axis: the number of hash functions. y axis: time. Each line is one "
        "length of sub-queries. In the model, it is straight." MODEL,
    .needs = NEEDS("k=4 k=6 k=8 k=10"),
    .of_gpu = true,
    .fill = filter_times_fill,
    .of = over_functions,
    .algo = "bloom_blastn"};

const struct figure figure_calibrated_sub_queries = {
    .name = "fig-calibrated-5.11",
    .title = "The Bloom filter of BLASTN, over sub-queries (Ma, figure 5.11)",
    .caption =
        "x axis: the number of sub-queries. y axis: time. Each line is one "
        "number of functions. In the model, it is straight, so longer "
        "sub-queries are faster." MODEL,
    .needs = NEEDS("n-sub=50000 n-sub=100000 n-sub=200000 n-sub=300000"),
    .of_gpu = true,
    .fill = filter_times_fill,
    .of = over_sub_queries,
    .algo = "bloom_blastn"};

#define WORK_AXIS "f_app = k n Q_s / n_sub, million"

static void fit(struct chart_panel *panel, const struct filter_time *times,
                size_t count) {
  double a1 = NAN, a0 = NAN;
  struct chart_series *series = chart_series(panel, panel->count, "%s", "");
  for (size_t i = 0; i < count; i++)
    chart_point(series, times[i].work / 1e6, times[i].cost);
  series->apart = true;
  double r2 = add_trend(panel, series, &a1, &a0);
  if (isfinite(r2) && panel->count > 1)
    snprintf(panel->series[1]->label, CHART_LABEL,
             "%s f_app %s %s, R\302\262 = %.4f", HUMAN_NUMBER(a1),
             a0 < 0 ? "-" : "+", HUMAN_NUMBER(fabs(a0)), r2);
  panel->bare = true;
}

static void filter_fit_fill(const struct survey *survey, struct chart *chart) {
  for (int measured = 0; measured < 2; measured++) {
    struct filter_time times[FILTER_TIMES_MOST];
    size_t count;
    struct chart_panel *panel =
        add_panel(chart, survey, measured, WORK_AXIS, times, &count);
    if (!panel) continue;
    const size_t used = strlen(panel->title);
    snprintf(panel->title + used, sizeof panel->title - used, ": %zu runs",
             count);
    panel->x.lo = 0;
    panel->x.tics = CHART_TICS_ROUND;
    if (count >= 3) fit(panel, times, count);
  }
  chart_drop_empty(chart);
}

const struct figure figure_calibrated_fit = {
    .name = "fig-calibrated-5.13",
    .title = "The Bloom filter of BLASTN, over the model (Ma, figure 5.13)",
    .caption =
        "x axis: f_app (5.20), the work of a run. y axis: time of runs with "
        "several k, m and n_sub. The slope and the height of the fitted line "
        "are a1 and a0 of (5.24). Every run has a good number of blocks. If no "
        "GPU was measured, instructions that the emulator counted stand for "
        "time. Runs of short sub-queries, which set few bits, and of many "
        "functions lie below the line: a w-mer is given up when one of the "
        "functions that are computed side by side finds no bit.",
    .needs = NEEDS("k=4,m=64K k=6,m=128K k=10,n-sub=10000"),
    .of_gpu = true,
    .fill = filter_fit_fill,
    .algo = "bloom_blastn"};

/* What is drawn of figure 5.14. */
enum { FUNCTIONS = 6, BITS = 1 << 18, W = 11 };

#define RATE_AXIS "false positives, share"

static void set_tradeoff_axes(struct chart_panel *panel) {
  panel->y.scale = CHART_LOG;
  panel->x.lo = 0;
  panel->x.tics = CHART_TICS_ROUND;
}

static void predict_tradeoff(struct chart *chart) {
  static const double letters[] = {10000,  15000,  20000,  30000, 50000,
                                   100000, 150000, 200000, 300000};
  struct chart_panel *panel =
      figure_gpu_panel(chart, NULL, "bloom_blastn", "time, s", RATE_AXIS);
  struct chart_series *series = chart_series(panel, 0, "n_sub = 10000");
  for (size_t i = sizeof letters / sizeof *letters; i-- > 0;)
    chart_point(series, gtx480_seconds(FUNCTIONS, letters[i]),
                calibrated_fpr(BITS, FUNCTIONS, letters[i] - W + 1));
  set_tradeoff_axes(panel);
}

/* (5.19) as it was counted. */
static double rate_of(const struct summary *row) {
  double true_ones = model_counter(row, "true_positives");
  double strangers =
      model_counter(row, "w_mers") * model_counter(row, "sub_queries") -
      true_ones;
  return strangers > 0
             ? (model_counter(row, "positives") - true_ones) / strangers
             : NAN;
}

static void add_measured(struct chart *chart, const struct survey *survey) {
  struct filter_time times[FILTER_TIMES_MOST];
  size_t count;
  struct chart_panel *panel =
      add_panel(chart, survey, true, "time, ms", times, &count);
  if (!panel) return;
  panel->y.title = RATE_AXIS;
  struct chart_series *series = chart_series(panel, 0, "%s", "");
  double least = INFINITY;
  for (const struct filter_time *time = times; time < times + count; time++)
    if (time->k == FUNCTIONS && time->bits == BITS && rate_of(time->row) > 0) {
      chart_point(series, time->cost, rate_of(time->row));
      least = fmin(least, time->n_sub);
    }
  chart_sort(series);
  snprintf(series->label, CHART_LABEL, "n_sub = %.0f", least);
  set_tradeoff_axes(panel);
}

static void tradeoff_fill(const struct survey *survey, struct chart *chart) {
  predict_tradeoff(chart);
  add_measured(chart, survey);
  chart_drop_empty(chart);
}

const struct figure figure_calibrated_tradeoff = {
    .name = "fig-calibrated-5.14",
    .title = "False positives against time (Ma, figure 5.14)",
    .caption =
        "x axis: time (5.24) for 2.5e8 letters against 5e7, with 300000 "
        "letters a second at n_sub = 50000, and a0 = 10 s. y axis: the share "
        "(5.18) of letters that the Bloom filter of BLASTN lets through though "
        "they are not in the query, as a logarithm, with k = 6 and m = 256 "
        "Kbit. Sub-queries have 300000 letters on the left and 10000 on the "
        "right.",
    .needs = NEEDS("n-sub=10000 n-sub=50000 n-sub=300000"),
    .of_gpu = true,
    .fill = tradeoff_fill,
    .algo = "bloom_blastn"};
