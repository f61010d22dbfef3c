/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 5.14 of L. Ma, PhD thesis 2014: what fewer false positives of the
 * Bloom filter of BLASTN cost, k = 6 and m = 256 Kbit. */
#include <math.h>
#include <stdio.h>

#include "experiments/report/calibrated_panel.h"
#include "experiments/report/figure.h"
#include "experiments/report/filter_rates.h"
#include "experiments/report/filter_times.h"
#include "gpu_algos/models/calibrated.h"

enum { FUNCTIONS = 6, BITS = 1 << 18, W = 11 };

#define RATE_AXIS "false positives, share"

static void set_axes(struct chart_panel *panel) {
  panel->y.scale = CHART_LOG;
  panel->x.lo = 0;
  panel->x.tics = CHART_TICS_ROUND;
}

static void predict(struct chart *chart) {
  static const double letters[] = {10000,  15000,  20000,  30000, 50000,
                                   100000, 150000, 200000, 300000};
  struct chart_panel *panel =
      calibrated_predicted(chart, "bloom_blastn", "time, s", RATE_AXIS);
  struct chart_series *series = chart_series(panel, 0, "n_sub = 10000");
  for (size_t i = sizeof letters / sizeof *letters; i-- > 0;)
    chart_point(series, filter_gtx480_seconds(FUNCTIONS, letters[i]),
                calibrated_fpr(BITS, FUNCTIONS, letters[i] - W + 1));
  set_axes(panel);
}

/* Of that run, whatever it ran on; NAN: it is not known. */
static bool rate_of(const struct survey *survey, const struct filter_time *time,
                    struct filter_rate *rate) {
  const struct survey *of;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count; i++)
      if (&of->rows[i] == time->row) return filter_rate_of(of, i, rate);
  return false;
}

static void add_measured(struct chart *chart, const struct survey *survey) {
  struct filter_time times[FILTER_TIMES_MOST];
  struct filter_rate rate;
  size_t count;
  const struct survey *of =
      filter_times(survey, FILTER_MEASURED, times, &count);
  if (!of) return;
  struct chart_panel *panel =
      calibrated_measured(chart, of, "bloom_blastn", "time, ms", RATE_AXIS);
  struct chart_series *series = chart_series(panel, 0, "%s", "");
  double least = INFINITY;
  for (size_t i = 0; i < count; i++)
    if (times[i].k == FUNCTIONS && times[i].bits == BITS &&
        rate_of(survey, &times[i], &rate) && rate.measured > 0) {
      chart_point(series, times[i].cost, rate.measured);
      least = fmin(least, times[i].n_sub);
    }
  chart_sort(series);
  snprintf(series->label, CHART_LABEL, "n_sub = %.0f", least);
  set_axes(panel);
}

static void tradeoff_fill(const struct survey *survey, struct chart *chart) {
  predict(chart);
  add_measured(chart, survey);
  chart_drop_empty(chart);
}

const struct figure figure_calibrated_tradeoff = {
    .name = "fig-calibrated-5.14",
    .title = "False positives against time (Ma, figure 5.14)",
    .caption =
        "What the Bloom filter of BLASTN lets through that is not in the query "
        "over what it takes, with k = 6 and m = 256 Kbit: sub-queries from "
        "300000 letters on the left to 10000 on the right. A rate is a "
        "logarithm. The rate is (5.18), the time (5.24) of 2.5e8 letters "
        "against 5e7, with 300000 letters a second at n_sub = 50000, and a0 = "
        "10 s.",
    .needs =
        "It needs results of bloom_blastn: for N in 10000 50000 300000; do vat "
        "run bloom_blastn --device cuda --sizes 2^24 --parameters n-sub=$N -o "
        "$N.jsonl; done; vat report *.jsonl.",
    .of_gpu = true,
    .fill = tradeoff_fill,
    .algo = "bloom_blastn"};
