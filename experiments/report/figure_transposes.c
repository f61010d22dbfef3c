/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.7: time per element of the transposes over log2 n, n x n doubles; a
 * line per program and page kind.  Beside it, where that was simulated, the
 * misses of a translation cache per element, which grow in jumps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/transpose.h"
#include "experiments/cli/memory.h"
#include "experiments/report/figure.h"
#include "experiments/report/gnuplot.h"
#include "experiments/report/plot_lines.h"

static const struct plot_grid panels = {.width = 510,
                                        .height = 430,
                                        .left = 64,
                                        .right = 190,
                                        .top = 38,
                                        .bottom = 48,
                                        .head = 46};

enum { WIDTH_ALONE = 690 };

/* A panel: its column in the data, and what it draws. */
struct quantity {
  int column;
  const char *title, *axis;
  double (*value)(const struct summary *row); /* NAN: none */
};

static double time_of(const struct summary *row) { return row->ns_per_op_min; }

static double misses_of(const struct summary *row) {
  if (!row->simulated) return NAN;
  return (double)row->simulated->misses / row->ram_ops;
}

static const struct quantity quantities[] = {
    {2, "Measured time", "ns per element", time_of},
    {3, "Simulated translation", "misses per element", misses_of},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* A matrix and its transpose are what all of them work in. */
static bool is_drawn(const struct summary *row) {
  const struct algo *algo = row ? cpu_algo_find(row->algo) : NULL;
  return algo && algo->bytes == cpu_transpose_bytes && row->reps && row->n &&
         isfinite(row->ns_per_op_min); /* 0 has no logarithm */
}

static void point(FILE *script, const struct summary *row) {
  fprintf(script, "%.6g ", row->ns_per_op_min);
  if (row->simulated)
    fprintf(script, "%.6g", misses_of(row));
  else
    fputs("NaN", script);
}

static void csv(FILE *out, const struct summary *row) {
  fprintf(out, ",%.6g,%.6g,%zu,", row->ns_per_op_min, row->ns_per_op_median,
          row->reps);
  if (row->simulated)
    fprintf(out, "%.6g,%llu", misses_of(row),
            (unsigned long long)row->simulated->tc_nodes);
  else
    fputc(',', out);
}

/* The last value of a line, NAN where there is no line. */
static double line_end(const struct survey *survey, size_t program, size_t kind,
                       const struct quantity *quantity) {
  double end = NAN;
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) {
    const struct summary *row =
        survey_row(survey, program, n, survey->kinds[kind]);
    if (is_drawn(row) && isfinite(quantity->value(row)))
      end = quantity->value(row);
  }
  return end;
}

static bool has_line(const struct survey *survey, size_t program, size_t kind,
                     const struct quantity *quantity) {
  return isfinite(line_end(survey, program, kind, quantity));
}

static struct plot_range range_of(const struct survey *survey,
                                  const struct quantity *quantity) {
  struct plot_range range = figure_x_range(&figure_transposes, survey);
  for (size_t i = 0; i < survey->count; i++)
    if (is_drawn(&survey->rows[i]))
      range.y_hi = fmax(range.y_hi, quantity->value(&survey->rows[i]));
  range.y_hi = range.y_hi > 0 ? 1.06 * range.y_hi : 1;
  return range;
}

/* The W that was simulated, 0 where none was. */
static uint64_t tc_nodes_of(const struct survey *survey) {
  for (size_t i = 0; i < survey->count; i++)
    if (is_drawn(&survey->rows[i]) && survey->rows[i].simulated)
      return survey->rows[i].simulated->tc_nodes;
  return 0;
}

/* What the colours do not tell. */
static void write_legend(FILE *script, const struct survey *survey,
                         const struct plot_grid *grid) {
  char text[256] = "";
  size_t at = 0;
  for (size_t j = 0; j < survey->kind_count && at < sizeof text / 2; j++)
    if (figure_has_kind(&figure_transposes, survey, survey->kinds[j]))
      at +=
          (size_t)snprintf(text + at, sizeof text - at, "%s%.6s %s",
                           at ? ", " : "", survey->kinds[j], plot_dash_name(j));
  if (tc_nodes_of(survey))
    snprintf(text + at, sizeof text - at,
             "; a translation cache of W = %llu nodes",
             (unsigned long long)tc_nodes_of(survey));
  plot_legend(script, grid, grid->left, NULL, NULL, text);
}

/* "transpose_rows" is "rows" here. */
static const char *short_name(const char *algo) {
  const char *cut = strchr(algo, '_');
  return cut ? cut + 1 : algo;
}

static void write_label(FILE *script, const struct survey *survey,
                        const struct plot_end *end) {
  size_t program = end->line / survey->kind_count;
  size_t kind = end->line % survey->kind_count;
  size_t place = survey_place(survey, program);
  char number[HUMAN_SIZE], text[128];
  snprintf(text, sizeof text, "%.12s %.6s  %s",
           short_name(survey->programs[program]->algo), survey->kinds[kind],
           human_number(end->value, number));
  fputs("set label ", script);
  gnuplot_quote(script, text);
  fprintf(script,
          " at graph 1.04, first %.6g left point pt %s ps 0.6 lc rgb '%s' "
          "offset 0.8,-0.15\n",
          end->y, plot_shape(place), plot_colour(place));
}

static void write_labels(FILE *script, const struct survey *survey,
                         const struct quantity *quantity, double top) {
  struct plot_end *ends = memory_zeroed(
      FIGURE_PROGRAMS_MAX * (survey->kind_count + 1), sizeof *ends);
  double pixels = panels.height - panels.top - panels.bottom;
  size_t count = 0;
  for (size_t i = 0; ends && i < figure_programs(survey); i++)
    for (size_t j = 0; j < survey->kind_count; j++) {
      double end = line_end(survey, i, j, quantity);
      if (isfinite(end))
        ends[count++] = (struct plot_end){i * survey->kind_count + j, end, end};
    }
  plot_spread_ends(ends, count, top, PLOT_LABEL_PIXELS * top / pixels);
  for (size_t i = 0; i < count; i++) write_label(script, survey, &ends[i]);
  free(ends);
}

static void plot_lines(FILE *script, const struct survey *survey,
                       const struct quantity *quantity) {
  const char *comma = "plot ";
  for (size_t i = 0; i < figure_programs(survey); i++) {
    size_t place = survey_place(survey, i);
    for (size_t j = 0; j < survey->kind_count; j++) {
      if (!has_line(survey, i, j, quantity)) continue;
      fprintf(script,
              "%s$d%zu_%zu using 1:%d with linespoints lc rgb '%s' lw 2 dt %s "
              "pt %s ps 0.45",
              comma, i, j, quantity->column, plot_colour(place), plot_dash(j),
              plot_shape(place));
      comma = ", ";
    }
  }
  fputc('\n', script);
}

static bool has_lines(const struct survey *survey,
                      const struct quantity *quantity) {
  for (size_t i = 0; i < figure_programs(survey); i++)
    for (size_t j = 0; j < survey->kind_count; j++)
      if (has_line(survey, i, j, quantity)) return true;
  return false;
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = figure_grid(&panels, survey);
  size_t drawn = 0;
  grid.rows = 1;
  for (size_t i = 0; i < QUANTITIES; i++)
    grid.columns += has_lines(survey, &quantities[i]);
  if (grid.columns == 1) grid.width = WIDTH_ALONE;
  figure_write_data(&figure_transposes, script, survey);
  plot_begin(script, &grid, format);
  for (size_t i = 0; i < QUANTITIES; i++) {
    const struct quantity *quantity = &quantities[i];
    if (!has_lines(survey, quantity)) continue;
    struct plot_range range = range_of(survey, quantity);
    plot_labels(script, "log\342\202\202 n  (a matrix of n \303\227 n doubles)",
                quantity->axis);
    plot_panel(script, &grid, drawn++, quantity->title, &range);
    /* From there on a column is on more pages than the TC has nodes. */
    plot_mark(script, log2((double)tc_nodes_of(survey)), "n = W", &range);
    if (drawn == 1) write_legend(script, survey, &grid);
    write_labels(script, survey, quantity, range.y_hi);
    plot_lines(script, survey, quantity);
  }
  plot_end(script);
}

const struct figure figure_transposes = {
    .name = "fig-2.7",
    .title = "Transposing a matrix, row by row and recursively",
    .caption =
        "Least time per element over the logarithm of the side, n; page kinds "
        "differ by their dashes. Stored row by row, the transpose is written "
        "a column at a time, each element on another page once a row fills "
        "one. While the pages of a column fit the translation caches they are "
        "met again with the next column; where they no longer do, each write "
        "costs a translation, and where their parents in the page table do "
        "not, another node. So the cost grows in jumps, a factor of 512 "
        "apart; the first is that of the caches. From the grey line on, a "
        "column "
        "has more rows than the simulated cache has nodes. Halving the matrix "
        "instead, "
        "or storing it recursively, keeps both matrices' pages few at a time.",
    .needs =
        "It needs the transposes: vat run transpose_rows "
        "transpose_recursive transpose_morton --simulate.",
    .is_drawn = is_drawn,
    .draw = draw,
    .point = point,
    .csv_head =
        "ns_per_op_min,ns_per_op_median,reps,sim_misses_per_op,tc_nodes",
    .csv = csv,
};
