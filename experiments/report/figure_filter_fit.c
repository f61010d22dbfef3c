/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 5.13 of L. Ma, PhD thesis 2014: time of the Bloom filter of BLASTN
 * over what the model says, and the line that gives the model its constants. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/report/calibrated_panel.h"
#include "experiments/report/figure.h"
#include "experiments/report/filter_times.h"

#define WORK_AXIS "f_app = k n Q_s / n_sub, million"

static void fit(struct chart_panel *panel, const struct filter_time *times,
                size_t count) {
  char slope[HUMAN_SIZE], rest[HUMAN_SIZE];
  double a1 = NAN, a0 = NAN;
  struct chart_series *series = chart_series(panel, panel->count, "%s", "");
  for (size_t i = 0; i < count; i++)
    chart_point(series, times[i].work / 1e6, times[i].cost);
  series->apart = true;
  double r2 = calibrated_trend(panel, series, &a1, &a0);
  if (isfinite(r2) && panel->count > 1)
    snprintf(panel->series[1]->label, CHART_LABEL,
             "%s f_app %s %s, R\302\262 = %.4f", human_number(a1, slope),
             a0 < 0 ? "-" : "+", human_number(fabs(a0), rest), r2);
  panel->bare = true;
}

static void filter_fit_fill(const struct survey *survey, struct chart *chart) {
  for (int device = FILTER_EMULATED; device <= FILTER_MEASURED; device++) {
    struct filter_time times[FILTER_TIMES_MOST];
    size_t count;
    struct chart_panel *panel = filter_panel(
        chart, survey, (enum filter_device)device, WORK_AXIS, times, &count);
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
        "What runs with several k, m and n_sub took over f_app (5.20), and the "
        "line through them, whose slope and height are a1 and a0 of (5.24). "
        "Blocks are as many as are good. Instructions that the emulator "
        "counted stand for a time where no GPU was measured. Here a w-mer is "
        "given up when one of the functions that are computed side by side "
        "finds no bit, so that runs of short sub-queries, which set few, and "
        "of many functions lie below the line.",
    .needs =
        "It needs three runs of bloom_blastn with several parameters, or more: "
        "for LIST in k=4,m=64K k=6,m=128K k=10,n-sub=10000; do vat run "
        "bloom_blastn --device cuda --sizes 2^24 --parameters $LIST -o "
        "$LIST.jsonl; done; vat report *.jsonl.",
    .of_gpu = true,
    .fill = filter_fit_fill,
    .algo = "bloom_blastn"};
