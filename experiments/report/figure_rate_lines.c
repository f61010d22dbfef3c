/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 5.7 of L. Ma, PhD thesis 2014: false positives of the Bloom filter of
 * BLASTN over the length of sub-queries, by the model and as counted. */
#include "experiments/report/figure.h"
#include "experiments/report/filter_rates.h"
#include "gpu_algos/models/calibrated.h"

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

/* Of sub-queries, as there; and letters of a w-mer, as is usual. */
enum { LETTERS = 300, STEP = 10, W = 11 };

/* What whole sub-queries would have: the last one is shorter, and lets less
 * through. */
static void add_counted(struct chart_panel *panel, const struct survey *survey,
                        double k, double bits, size_t place) {
  const struct survey *of;
  struct filter_rate rate;
  struct chart_series *series = chart_series(panel, place, "%s", "");
  series->apart = true;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count; i++) {
      if (!filter_rate_of(of, i, &rate) || rate.k != k || rate.bits != bits ||
          !(rate.measured > 0)) /* a logarithm has none */
        continue;
      double whole = calibrated_fpr(bits, k, rate.sub_query) / rate.model;
      chart_interval(series, (rate.sub_query + W - 1) / 1000,
                     whole * rate.measured,
                     whole * (rate.measured - rate.error_95),
                     whole * (rate.measured + rate.error_95));
    }
}

static void add_part(const struct part *part, struct chart *chart,
                     const struct survey *survey) {
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
    add_counted(panel, survey, k, bits, i);
  }
}

static void rate_lines_fill(const struct survey *survey, struct chart *chart) {
  if (!filter_rates_here(survey)) return;
  for (size_t i = 0; i < PARTS; i++) add_part(&parts[i], chart, survey);
}

const struct figure figure_calibrated_rate_lines = {
    .name = "fig-calibrated-5.07",
    .title = "False positives, over the length of sub-queries (Ma, figure 5.7)",
    .caption =
        "Lines are (5.18) of n_e = n_sub - w + 1, a little high as some w-mers "
        "repeat, points what runs of bloom_blastn with those k and m "
        "counted, as a mean over sub-queries that are all whole, with its "
        "interval of 95 % if letters are independent; it is often narrower "
        "than the point. A rate is a logarithm. Points of runs with other k "
        "or m are not drawn.",
    .needs =
        "It needs what bloom_blastn counted: vat run bloom_blastn_cpu "
        "--parameters k=6,m=64K.",
    .of_gpu = true,
    .fill = rate_lines_fill};
