/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 5.8 of L. Ma, PhD thesis 2014: how far false positives of the Bloom
 * filter of BLASTN are from what the model says. */
#include <math.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/filter_rates.h"

/* Bins of a percent; what is further off is in the last ones. */
enum { BINS = 41, MIDDLE = BINS / 2, KINDS = 3 };

/* Independent letters, correlated ones, and those of files. */
static size_t kind_of(const struct summary *row) {
  if (*row->variant->file) return 2;
  return !strcmp(row->variant->generator, "markov");
}

/* Of all results files. */
static size_t count_bins(const struct survey *survey,
                         size_t bins[KINDS][BINS]) {
  const struct survey *of;
  struct filter_rate rate;
  size_t count = 0;
  memset(bins, 0, KINDS * sizeof *bins);
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count; i++) {
      if (!filter_rate_of(of, i, &rate)) continue;
      double bin = rint(100 * filter_rate_error(&rate)) + MIDDLE;
      bins[kind_of(rate.row)][(size_t)fmin(fmax(bin, 0), BINS - 1)]++;
      count++;
    }
  return count;
}

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
  size_t bins[KINDS][BINS];
  int lo = BINS, hi = -1;
  if (!filter_rates_here(survey) || !count_bins(survey, bins)) return;
  for (int bin = 0; bin < BINS; bin++)
    for (size_t kind = 0; kind < KINDS; kind++)
      if (bins[kind][bin]) {
        if (bin < lo) lo = bin;
        hi = bin;
      }
  if (lo) lo--;
  if (hi < BINS - 1) hi++;
  struct chart_panel *panel = chart_panel(
      chart, "relative error, %", "measurements", "Counted over (5.18)");
  snprintf(panel->of, sizeof panel->of, "bloom_blastn");
  panel->bare = true;
  for (size_t kind = 0; kind < KINDS; kind++) {
    size_t of_kind = 0;
    for (int bin = 0; bin < BINS; bin++) of_kind += bins[kind][bin];
    if (of_kind)
      outline(chart_series(panel, kind, "%s: %zu", names[kind], of_kind),
              bins[kind], lo, hi);
  }
}

static void rates_write_lines(FILE *out, const struct survey *survey) {
  const struct survey *of;
  struct filter_rate rate;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count; i++)
      if (filter_rate_of(of, i, &rate))
        figure_csv(out, "|uuuugggss\n", rate.row->n, (uint64_t)rate.k,
                   (uint64_t)rate.bits, (uint64_t)rate.sub_query, rate.measured,
                   rate.model, filter_rate_error(&rate),
                   rate.row->variant->generator, rate.row->variant->file);
}

const struct figure figure_calibrated_rates = {
    .name = "fig-calibrated-5.08",
    .title = "False positives, counted over predicted (Ma, figure 5.8)",
    .caption =
        "How many runs of bloom_blastn let so many percent more or less "
        "through than (5.18) says of n_e = n_sub - w + 1, a mean over "
        "sub-queries. w-mers that repeat set no further bit: few of "
        "independent letters, more of correlated ones. Of files only runs "
        "with 8 sub-queries and more, all taken to be whole. What is more than "
        "20 % off stands at the end.",
    .needs =
        "It needs what bloom_blastn counted: vat run bloom_blastn_cpu "
        "--parameters k=6,m=64K.",
    .of_gpu = true,
    .fill = rates_fill,
    .head = "n,k,m_bits,elements,measured,model,error,generator,input",
    .write_lines = rates_write_lines};
