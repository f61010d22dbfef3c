/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.5: time on bigger pages as a percentage of that on 4 KiB pages, over
 * log2 n; a panel per program, a line per page kind. */
#include <math.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/gnuplot.h"

/* Sized for the usual four columns; fewer programs get wider panels. */
static const struct plot_grid panels = {.width = 245,
                                        .height = 250,
                                        .left = 50,
                                        .right = 14,
                                        .top = 34,
                                        .bottom = 48,
                                        .head = 46};
enum { FIGURE_WIDTH = 980 };

/* What is beyond does not stretch the axis, which all panels share: it is
 * mostly a disturbance of a small size.  But it gives way downwards to gains
 * that are told from noise: they are what the figure is about. */
enum { PERCENT_LEAST = 40, PERCENT_MOST = 150 };

/* Up to this many sizes, intervals are bars: a band needs length.  Those of one
 * size stand side by side, so far apart, around their place. */
enum { BAR_SIZES = 3 };
#define BAR_APART 0.08

static bool is_drawn(const struct summary *row) {
  return row && row->n && !row->base && isfinite(row->ratio_to_4k) &&
         survey_is_timed(row);
}

static bool has_program(const struct survey *survey, size_t program,
                        const char *kind) {
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));)
    if (is_drawn(survey_row(survey, program, n, kind))) return true;
  return false;
}

static void point(FILE *script, const struct summary *row) {
  fprintf(script, "%.6g %.6g %.6g", 100 * row->ratio_to_4k, 100 * row->ratio_lo,
          100 * row->ratio_hi);
}

static void csv(FILE *out, const struct summary *row) {
  figure_csv_number(out, 100 * row->ratio_to_4k);
  figure_csv_number(out, 100 * row->ratio_lo);
  figure_csv_number(out, 100 * row->ratio_hi);
}

static bool has_kind(const struct survey *survey, size_t kind) {
  return figure_has_kind(&figure_page_ratio, survey, survey->kinds[kind]);
}

static size_t kinds_drawn(const struct survey *survey) {
  size_t kinds = 0;
  for (size_t i = 0; i < survey->kind_count; i++) kinds += has_kind(survey, i);
  return kinds;
}

static size_t sizes_of(const struct survey *survey, size_t program) {
  size_t sizes = 0;
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) sizes++;
  return sizes;
}

static bool has_bars(const struct survey *survey) {
  for (size_t i = 0; i < figure_programs(survey); i++)
    if (sizes_of(survey, i) <= BAR_SIZES) return true;
  return false;
}

static struct plot_range range_of(const struct survey *survey) {
  struct plot_range range = figure_x_range(&figure_page_ratio, survey);
  if (has_bars(survey)) { /* which stand beside their place */
    range.x_lo -= 3 * BAR_APART;
    range.x_hi += 3 * BAR_APART;
  }
  range.y_lo = 95;
  range.y_hi = 105;
  for (size_t i = 0; i < survey->count; i++) {
    const struct summary *row = &survey->rows[i];
    if (!is_drawn(row)) continue;
    double percent = 100 * row->ratio_to_4k;
    double least = summary_is_significant(row) ? 0 : PERCENT_LEAST;
    range.y_lo = fmin(range.y_lo, fmax(percent - 3, least));
    range.y_hi = fmax(range.y_hi, fmin(percent + 3, PERCENT_MOST));
  }
  range.y_lo = fmax(0, 10 * floor(range.y_lo / 10));
  range.y_hi = 10 * ceil(range.y_hi / 10);
  return range;
}

/* How far from their place the bars of a kind stand. */
static double aside_of(const struct survey *survey, size_t program,
                       size_t colour) {
  double middle = (double)(kinds_drawn(survey) - 1) / 2;
  if (sizes_of(survey, program) > BAR_SIZES) return 0;
  return BAR_APART * ((double)colour - middle);
}

/* Kinds without data have no colour, so that colours do not depend on them. */
static void plot_program(FILE *script, const struct survey *survey,
                         size_t program) {
  bool bars = sizes_of(survey, program) <= BAR_SIZES;
  size_t colour = 0;
  fputs("plot 100 lc rgb '#808080' lw 1", script);
  for (size_t i = 0; i < survey->kind_count; i++) {
    if (!has_kind(survey, i)) continue;
    const char *rgb = plot_colour(colour), *shape = plot_shape(colour);
    double aside = aside_of(survey, program, colour++);
    if (!has_program(survey, program, survey->kinds[i])) continue;
    fprintf(script, ", $d%zu_%zu using ($1+%g)", program, i, aside);
    if (bars)
      fprintf(script, ":2:3:4 with yerrorbars lc rgb '%s' lw 1.5 pt %s ps 0.7",
              rgb, shape);
    else
      fprintf(script, ":3:4 with filledcurves lc rgb '%s'", rgb);
    fprintf(script,
            ", $d%zu_%zu using ($1+%g):2 with linespoints lc rgb '%s' lw 2 "
            "pt %s ps 0.4",
            program, i, aside, rgb, shape);
  }
  fputc('\n', script);
}

/* 1 above the axis, -1 below, 0 on it or not drawn. */
static int beyond(const struct summary *row, const struct plot_range *range) {
  double percent = is_drawn(row) ? 100 * row->ratio_to_4k : range->y_lo;
  return (percent > range->y_hi) - (percent < range->y_lo);
}

/* Triangles at the edge for points beyond it; the last of neighbours has its
 * percentage, since there is room for one. */
static void mark_beyond(FILE *script, const struct survey *survey,
                        size_t program, size_t kind, size_t colour,
                        const struct plot_range *range) {
  double aside = aside_of(survey, program, colour);
  const char *pages = survey->kinds[kind];
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) {
    const struct summary *row = survey_row(survey, program, n, pages);
    int side = beyond(row, range);
    if (!side) continue;
    uint64_t next = survey_next_size(survey, program, n);
    char number[32] = "";
    if (beyond(survey_row(survey, program, next, pages), range) != side)
      snprintf(number, sizeof number, "%.0f %%", 100 * row->ratio_to_4k);
    fprintf(script,
            "set label '%s' at first %.5f, first %g left front font ',10' "
            "point pt %s ps 0.8 lc rgb '%s' offset 0.6,%s\n",
            number, log2((double)n) + aside,
            side > 0 ? range->y_hi : range->y_lo, side > 0 ? "9" : "11",
            plot_colour(colour), side > 0 ? "-0.4" : "0.4");
  }
}

static void mark_program(FILE *script, const struct survey *survey,
                         size_t program, const struct plot_range *range) {
  size_t colour = 0;
  for (size_t i = 0; i < survey->kind_count; i++)
    if (has_kind(survey, i))
      mark_beyond(script, survey, program, i, colour++, range);
}

static const char measure[] = "% of the time on 4 KiB pages:";

static void write_legend(FILE *script, const struct survey *survey,
                         const struct plot_grid *grid) {
  size_t colour = 0;
  int x = grid->left + 7 * (int)strlen(measure) + 14;
  plot_legend(script, grid, grid->left, NULL, NULL, measure);
  for (size_t i = 0; i < survey->kind_count; i++) {
    char pages[HUMAN_SIZE];
    if (!has_kind(survey, i)) continue;
    human_pages(survey->kinds[i], pages);
    plot_legend(script, grid, x, plot_colour(colour), plot_shape(colour),
                pages);
    x += 36 + 7 * (int)strlen(pages);
    colour++;
  }
}

/* Full rows where that can be had: 7 and 8 programs in two rows of four. */
static int columns_for(int count) {
  if (count <= 3) return count;
  return count <= 6 || count == 9 ? count == 4 ? 2 : 3 : 4;
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = figure_grid(&panels, survey);
  struct plot_range range = range_of(survey);
  size_t count = figure_programs(survey);
  grid.columns = columns_for((int)count);
  grid.rows = ((int)count + grid.columns - 1) / grid.columns;
  grid.width = grid.columns == 1 ? 690 : FIGURE_WIDTH / grid.columns;
  figure_write_data(&figure_page_ratio, script, survey);
  plot_begin(script, &grid, format);
  fprintf(script,
          "set object 1 rectangle from graph 0, first %g to graph 1, first %g "
          "behind fillcolor rgb '#808080' fillstyle solid 0.18 noborder\n",
          100 * (1 - SUMMARY_NOISE_FLOOR), 100 * (1 + SUMMARY_NOISE_FLOOR));
  for (size_t i = 0; i < count; i++) {
    char label[SURVEY_LABEL_SIZE];
    bool lowest = i + (size_t)grid.columns >= count;
    plot_labels(script, lowest ? "log\342\202\202 n" : "", "");
    plot_panel(script, &grid, i, survey_label(survey->programs[i], label),
               &range);
    if (!i) write_legend(script, survey, &grid);
    mark_program(script, survey, i, &range);
    plot_program(script, survey, i);
  }
  plot_end(script);
}

const struct figure figure_page_ratio = {
    .name = "fig-2.5",
    .title = "Time on bigger pages, as a percentage of the time on 4 KiB pages",
    .caption =
        "A panel per program, over the logarithm of the input size. Coloured "
        "bands, or bars where there are few sizes, are 95 % intervals over "
        "pairs of interleaved repetitions; the "
        "grey band around 100 % is the noise floor, and what stays in it is no "
        "difference. A triangle at an edge is a point beyond it; the last of "
        "neighbours has its percentage. A line that falls with n belongs to a "
        "program that jumps "
        "about in memory: the more pages it uses, the more bigger ones save. "
        "Programs that stream or work locally stay level, and are the control.",
    .needs =
        "It needs samples on 4 KiB pages and on at least one other page kind, "
        "with equal repetitions.",
    .is_drawn = is_drawn,
    .draw = draw,
    .point = point,
    .csv_head = "percent_of_4k,percent_lo,percent_hi",
    .csv = csv,
};
