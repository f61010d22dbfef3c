/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 3.5 and 3.6 of Jurkiewicz, PhD thesis: what hulls cost on a GPU, as
 * counted by the emulator. */
#include <math.h>
#include <string.h>

#include "cpu_algos/points.h"
#include "experiments/report/figure.h"
#include "experiments/report/plot_lines.h"

static const struct plot_grid layout = {.columns = 2,
                                        .rows = 1,
                                        .width = 470,
                                        .height = 380,
                                        .left = 70,
                                        .right = 120,
                                        .top = 38,
                                        .bottom = 48};

enum { LANES = 32 }; /* S */

/* NAN: it was not counted. */
static double counter(const struct summary *row, const char *name) {
  for (size_t i = 0; i < row->counters; i++)
    if (!strcmp(row->counter[i].name, name) && row->counter[i].present)
      return (double)row->counter[i].value;
  return NAN;
}

/* Reads and writes of warps, over those that look at each point once. */
static double scans(const struct summary *row) {
  double operations = counter(row, "loads") + counter(row, "stores");
  return operations * LANES / (double)row->n;
}

static double ratio(const struct summary *row) {
  return scans(row) / log2(fmax(counter(row, "vertices"), 2));
}

static double iterations(const struct summary *row) {
  return counter(row, "split_iterations");
}

static double passes(const struct summary *row) {
  return counter(row, "passes_most");
}

/* A quantity of rows. */
struct quantity {
  const char *title, *axis;
  double (*of)(const struct summary *row); /* not finite: it has none */
};

struct pair {
  struct quantity of[2];
};

static bool has(const struct pair *pair, const struct summary *row) {
  return row->reps && row->n && isfinite(counter(row, "vertices")) &&
         isfinite(pair->of[0].of(row));
}

static bool has_any(const struct pair *pair, const struct survey *survey) {
  for (size_t i = 0; i < survey->count; i++)
    if (has(pair, &survey->rows[i])) return true;
  return false;
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

/* A line for each program. */
static struct plot_lines lines_of(const struct pair *pair, size_t which,
                                  const struct survey *survey) {
  struct plot_lines lines = {0};
  for (size_t p = 0; p < survey->program_count; p++) {
    char name[SURVEY_LABEL_SIZE];
    const struct summary *program = survey->programs[p];
    struct plot_line *line = NULL;
    for (size_t i = 0; i < survey->count; i++) {
      const struct summary *row = &survey->rows[i];
      if (!survey_same_program(program, row) || !has(pair, row)) continue;
      if (!line) line = plot_lines_add(&lines, label_of(program, name), p, 0);
      plot_line_point(line, log2((double)row->n), pair->of[which].of(row));
    }
    plot_line_sort(line);
  }
  return lines;
}

static void draw_pair(FILE *script, const struct pair *pair,
                      const struct survey *survey, enum plot_format format) {
  struct plot_grid grid = figure_gpu_grid(&layout, survey);
  struct plot_lines lines[2];
  for (size_t i = 0; i < 2; i++) {
    lines[i] = lines_of(pair, i, survey);
    plot_lines_make_room(&grid, &lines[i]);
  }
  plot_begin(script, &grid, format);
  for (size_t i = 0; i < 2; i++) {
    struct plot_range range = plot_lines_range(&lines[i]);
    plot_labels(script, "log\342\202\202 n", pair->of[i].axis);
    plot_panel(script, &grid, i, pair->of[i].title, &range);
    plot_lines_draw(script, &grid, &range, &lines[i]);
    plot_lines_fini(&lines[i]);
  }
  plot_end(script);
}

static void write_pair(FILE *out, const struct pair *pair,
                       const struct survey *survey) {
  static const char *const names[] = {"loads", "stores", "vertices",
                                      "split_iterations", "passes_most"};
  fputs("program,n,scans,ratio", out);
  for (size_t i = 0; i < 5; i++) fprintf(out, ",%s", names[i]);
  fputc('\n', out);
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    char name[SURVEY_LABEL_SIZE];
    if (!has(pair, row)) continue;
    figure_csv_first(out, label_of(row, name));
    fprintf(out, ",%llu", (unsigned long long)row->n);
    figure_csv_number(out, scans(row));
    figure_csv_number(out, ratio(row));
    for (size_t j = 0; j < 5; j++)
      figure_csv_number(out, counter(row, names[j]));
    fputc('\n', out);
  }
}

#define FIGURE(id, pair, name_, title_, caption_)                  \
  static void draw_##id(FILE *script, const struct survey *survey, \
                        enum plot_format format) {                 \
    draw_pair(script, &pair, survey, format);                      \
  }                                                                \
  static void csv_##id(FILE *out, const struct survey *survey) {   \
    write_pair(out, &pair, survey);                                \
  }                                                                \
  static bool data_##id(const struct survey *survey) {             \
    return has_any(&pair, survey);                                 \
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
      .has_data = data_##id,                                       \
      .draw = draw_##id,                                           \
      .write_csv = csv_##id};

static const struct pair operations = {
    {{"Operations of warps", "in n / S", scans},
     {"Related to their order", "in n / S log\342\202\202 h", ratio}}};

FIGURE(hull_operations, operations, "fig-3.5",
       "Global memory operations of convex hulls",
       "Loads and stores of warps of S = 32 threads, over the logarithm of the "
       "number of points: left as multiples of one scan of all points, right "
       "over what they are expected to be in the order of, n / S log h for h "
       "vertices. That a line is level says that the expectation is right for "
       "its shape; that lines are near each other, that it is right for all.")

static const struct pair stages = {
    {{"Splitting stage", "iterations", iterations},
     {"Independent stage", "passes of the busiest warp", passes}}};

FIGURE(hull_iterations, stages, "fig-3.6", "Iterations of convex hulls",
       "Left how often all large problems are split, right how many problems "
       "the warp solves or splits that has most of them, over the logarithm of "
       "the number of points.")
