/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 5.8 of L. Ma, PhD thesis 2014: how far false positives of the Bloom
 * filter of BLASTN are from what the model says. */
#include <math.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/filter_rates.h"
#include "experiments/report/panels.h"

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
static void outline(struct plot_line *line, const size_t bins[BINS], int lo,
                    int hi) {
  for (int bin = lo; bin <= hi; bin++)
    for (int side = 0; side < 2; side++)
      plot_line_point(line, bin - MIDDLE - 0.5 + side, (double)bins[bin]);
  if (line) line->unmarked = true;
}

static size_t histogram(const struct survey *survey,
                        struct panel panels[PANELS]) {
  static const char *const names[KINDS] = {"uniform", "markov", "of files"};
  size_t bins[KINDS][BINS];
  int lo = BINS, hi = -1;
  if (!count_bins(survey, bins)) return 0;
  for (int bin = 0; bin < BINS; bin++)
    for (size_t kind = 0; kind < KINDS; kind++)
      if (bins[kind][bin]) {
        if (bin < lo) lo = bin;
        hi = bin;
      }
  if (lo) lo--;
  if (hi < BINS - 1) hi++;
  snprintf(panels[0].of, sizeof panels[0].of, "bloom_blastn");
  snprintf(panels[0].title, sizeof panels[0].title, "Counted over (5.18)");
  panels[0].x = "relative error, %";
  panels[0].y = "measurements";
  panels[0].lines.bare = true;
  for (size_t kind = 0; kind < KINDS; kind++) {
    size_t of_kind = 0;
    for (int bin = 0; bin < BINS; bin++) of_kind += bins[kind][bin];
    char label[PLOT_LINE_LABEL];
    snprintf(label, sizeof label, "%s: %zu", names[kind], of_kind);
    if (of_kind)
      outline(plot_lines_add(&panels[0].lines, label, kind, 0), bins[kind], lo,
              hi);
  }
  return 1;
}

static void write_rate(FILE *out, const struct filter_rate *rate) {
  fprintf(out, "%llu,%.0f,%.0f,%.0f", (unsigned long long)rate->row->n, rate->k,
          rate->bits, rate->sub_query);
  figure_csv_number(out, rate->measured);
  figure_csv_number(out, rate->model);
  figure_csv_number(out, filter_rate_error(rate));
  figure_csv_text(out, rate->row->variant->generator);
  figure_csv_text(out, rate->row->variant->file);
  fputc('\n', out);
}

static void write_csv(FILE *out, const struct survey *survey) {
  const struct survey *of;
  struct filter_rate rate;
  fputs("n,k,m_bits,elements,measured,model,error,generator,input\n", out);
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count; i++)
      if (filter_rate_of(of, i, &rate)) write_rate(out, &rate);
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
    .has_data = filter_rates_here,
    .panels = histogram,
    .write_csv = write_csv};
