/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 3.5 and 3.6 of Jurkiewicz, PhD thesis: what hulls cost on a GPU, as
 * counted by the emulator. */
#include <math.h>
#include <string.h>

#include "cpu_algos/points.h"
#include "experiments/gpu_models/model_counted.h"
#include "experiments/report/figure.h"

enum { LANES = 32 }; /* S */

/* Reads and writes of warps, over those that look at each point once. */
static double scans(const struct summary *row) {
  double operations =
      model_counter(row, "loads") + model_counter(row, "stores");
  return operations * LANES / (double)row->n;
}

static double ratio(const struct summary *row) {
  return scans(row) / log2(fmax(model_counter(row, "vertices"), 2));
}

static double iterations(const struct summary *row) {
  return model_counter(row, "split_iterations");
}

static double passes(const struct summary *row) {
  return model_counter(row, "passes_most");
}

/* A quantity of rows. */
struct quantity {
  const char *title, *axis;
  double (*of)(const struct summary *row); /* not finite: it has none */
};

static bool has(const struct quantity of[2], const struct summary *row) {
  return row->reps && row->n && isfinite(model_counter(row, "vertices")) &&
         isfinite(of[0].of(row));
}

/* Shapes are what the figures compare: so the first one is named, too. */
static const char *label_of(const struct summary *row,
                            char label[SURVEY_LABEL_SIZE]) {
  survey_label(row, label);
  if (*row->variant->generator || *row->variant->file) return label;
  size_t end = strlen(label);
  snprintf(label + end, SURVEY_LABEL_SIZE - end, ", %s",
           cpu_points_generators[0]);
  return label;
}

/* A panel for each quantity, a line for each program. */
static void hull_fill(const struct survey *survey, struct chart *chart) {
  const struct quantity *of = chart->of;
  chart->box = (struct chart_box){470, 380, 70, 120, 38, 48};
  for (size_t q = 0; q < 2; q++) {
    struct chart_panel *panel =
        chart_panel(chart, FIGURE_LOG2_N, of[q].axis, "%s", of[q].title);
    for (size_t p = 0; p < survey->program_count; p++) {
      char name[SURVEY_LABEL_SIZE];
      struct chart_series *series =
          chart_series(panel, p, "%s", label_of(survey->programs[p], name));
      for (const struct summary *row = survey->rows; row < survey->end; row++)
        if (survey_same_program(survey->programs[p], row) && has(of, row))
          chart_point(series, log2((double)row->n), of[q].of(row));
    }
  }
}

static void hull_write_lines(FILE *out, const struct survey *survey,
                             const struct quantity of[2]) {
  for (const struct summary *row = survey->rows; row < survey->end; row++) {
    char name[SURVEY_LABEL_SIZE];
    if (has(of, row))
      figure_csv(out, "|suggggggg\n", label_of(row, name), row->n, scans(row),
                 ratio(row), model_counter(row, "loads"),
                 model_counter(row, "stores"), model_counter(row, "vertices"),
                 iterations(row), passes(row));
  }
}

#define FIGURE(id, of_, name_, title_, caption_)                   \
  static void write_##id(FILE *out, const struct survey *survey) { \
    hull_write_lines(out, survey, of_);                            \
  }                                                                \
  const struct figure figure_##id = {                              \
      .name = name_,                                               \
      .title = title_,                                             \
      .caption = caption_,                                         \
      .of_gpu = true,                                              \
      .needs =                                                     \
          "It needs hulls that were counted: vat run "             \
          "hull_gpu_float --device emu --generator disc "          \
          "--counters loads,stores.",                              \
      .fill = hull_fill,                                           \
      .of = of_,                                                   \
      .head =                                                      \
          "program,n,scans,ratio,loads,stores,vertices,"           \
          "split_iterations,passes_most",                          \
      .write_lines = write_##id};

static const struct quantity operations[] = {
    {"Operations of warps", "in n / S", scans},
    {"Related to their order", "in n / S log\342\202\202 h", ratio}};

FIGURE(hull_operations, operations, "fig-3.5",
       "Global memory operations of convex hulls",
       "x axis: log\342\202\202 n, for n points. y axis: loads and stores "
       "of warps of S = 32 threads, left as multiples of one scan of "
       "all points, right divided by the order that is expected of "
       "them, n / S log h for h vertices. Look for level lines: there "
       "the expectation is right for that shape; lines near each "
       "other mean that it is right for all shapes.")

static const struct quantity stages[] = {
    {"Splitting stage", "iterations", iterations},
    {"Independent stage", "passes of the busiest warp", passes}};

FIGURE(hull_iterations, stages, "fig-3.6", "Iterations of convex hulls",
       "x axis: log\342\202\202 n, for n points. y axis: left, how often all "
       "large problems are split; right, how many problems the busiest warp "
       "solves or splits. Look for lines that stay level as n grows.")
