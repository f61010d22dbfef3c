/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/calibrated_panel.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/gpu_models/gpu_record.h"
#include "gpu_algos/models/integrated.h"

void calibrated_predicted(struct panel *panel, const char *what, const char *x,
                          const char *y) {
  snprintf(panel->of, sizeof panel->of, "%s", what);
  snprintf(panel->title, sizeof panel->title, "GeForce GTX 480, predicted");
  panel->x = x;
  panel->y = y;
  panel->of_no_input = true;
}

void calibrated_measured(struct panel *panel, const struct survey *of,
                         const char *what, const char *x, const char *y) {
  snprintf(panel->of, sizeof panel->of, "%s", what);
  struct gpu_record gpu = {0};
  gpu_record_read(&gpu, of->record);
  snprintf(panel->title, sizeof panel->title, "%.80s, measured",
           *gpu.name ? gpu.name : "a GPU");
  panel->x = x;
  panel->y = y;
}

enum { ROWS_MOST = 1024 };

static size_t rows_of(const struct survey *survey,
                      const struct calibrated_lines *lines,
                      const struct summary *rows[ROWS_MOST],
                      const struct survey **first) {
  const struct survey *of;
  size_t count = 0;
  for (size_t s = 0; (of = survey_at(survey, s)); s++)
    for (size_t i = 0; i < of->count && count < ROWS_MOST; i++) {
      const struct summary *row = &of->rows[i];
      if (!row->reps || strcmp(row->algo, lines->algo) ||
          strcmp(row->device, "cuda") || !lines->is_drawn(row))
        continue;
      if (!count) *first = of;
      rows[count++] = row;
    }
  return count;
}

const struct survey *calibrated_add_lines(
    struct panel *panel, const struct survey *survey,
    const struct calibrated_lines *lines) {
  const struct summary *rows[ROWS_MOST];
  const struct survey *first = NULL;
  char label[PLOT_LINE_LABEL];
  size_t count = rows_of(survey, lines, rows, &first);
  for (size_t i = 0; i < count; i++) {
    bool again = false;
    for (size_t j = 0; j < i; j++) again |= lines->same_line(rows[j], rows[i]);
    if (again) continue;
    lines->name(rows[i], label);
    struct plot_line *line =
        plot_lines_add(&panel->lines, label, panel->lines.count, 0);
    for (size_t j = i; j < count; j++)
      if (lines->same_line(rows[i], rows[j]))
        plot_line_point(line, lines->x(rows[j]), lines->y(rows[j]));
    plot_line_sort(line);
  }
  return first;
}

double calibrated_ms(const struct summary *row) {
  return row->ns_per_op_min * row->ram_ops / 1e6;
}

enum { SMS = 15, GROUP = 32, LATENCY = 16384, CHUNK = 32 };

double calibrated_paths_time(double sub_block, double active, double threads) {
  const double side = CALIBRATED_VERTICES / sub_block;
  struct integrated_grid grid = {.cores = SMS * GROUP,
                                 .group = GROUP,
                                 .blocks = side * side,
                                 .active = active,
                                 .threads = threads,
                                 .latency = LATENCY};
  struct integrated_grid hidden = grid;
  hidden.threads = INFINITY;
  hidden.active = 1;
  return integrated_apsp_time(&grid, CALIBRATED_VERTICES, CHUNK) /
         integrated_apsp_time(&hidden, CALIBRATED_VERTICES, CHUNK);
}

enum { TREND_LEAST = 3 };

double calibrated_trend(struct panel *panel, const struct plot_line *line,
                        double *a1, double *a0) {
  const size_t stride = sizeof *line->points / sizeof(double);
  double c00, c01, c11, rest, all = 0, mean = 0, least = INFINITY, most = 0;
  if (!line || line->count < TREND_LEAST) return NAN;
  gsl_fit_linear(&line->points->x, stride, &line->points->y, stride,
                 line->count, a0, a1, &c00, &c01, &c11, &rest);
  struct plot_line *trend = plot_lines_add(&panel->lines, "", line->colour, 1);
  for (size_t i = 0; i < line->count; i++) {
    mean += line->points[i].y / (double)line->count;
    least = fmin(least, line->points[i].x);
    most = fmax(most, line->points[i].x);
  }
  for (size_t i = 0; i < line->count; i++)
    all += pow(line->points[i].y - mean, 2);
  plot_line_point(trend, least, *a0 + *a1 * least);
  plot_line_point(trend, most, *a0 + *a1 * most);
  if (trend) trend->unmarked = true;
  return all > 0 ? 1 - rest / all : 1;
}
