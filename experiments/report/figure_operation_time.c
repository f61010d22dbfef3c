/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure 2.1: time divided by RAM complexity, over log2 n; a panel per page
 * kind.  The minimum over repetitions, as in section 2.1.2 of the thesis: it
 * estimates the cost that must be incurred. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/figure.h"
#include "experiments/report/gnuplot.h"

/* `right` is for the labels of lines, and grows with them. */
static const struct plot_grid panels = {.width = 498,
                                        .height = 350,
                                        .left = 64,
                                        .right = 178,
                                        .top = 38,
                                        .bottom = 48};

/* Characters of a label; "suffix_array_seq, random_letters" is 32. */
enum { LABEL_MOST = 40 };

static bool is_drawn(const struct summary *row) {
  return row && row->n && row->reps && isfinite(row->ns_per_op_min) &&
         survey_is_timed(row);
}

static void point(FILE *script, const struct summary *row) {
  fprintf(script, "%.6g", row->ns_per_op_min);
}

static void csv(FILE *out, const struct summary *row) {
  fprintf(out, ",%.6g,%.6g,%zu", row->ns_per_op_min, row->ns_per_op_median,
          row->reps);
}

static struct plot_range range_of(const struct survey *survey) {
  struct plot_range range = figure_x_range(&figure_operation_time, survey);
  for (size_t i = 0; i < survey->count; i++)
    if (is_drawn(&survey->rows[i]))
      range.y_hi = fmax(range.y_hi, survey->rows[i].ns_per_op_min);
  range.y_hi = range.y_hi > 0 ? 1.06 * range.y_hi : 1;
  return range;
}

/* The last row of a line, or NULL where there is no line. */
static const struct summary *line_end(const struct survey *survey,
                                      size_t program, const char *kind) {
  const struct summary *end = NULL;
  for (uint64_t n = 0; (n = survey_next_size(survey, program, n));) {
    const struct summary *row = survey_row(survey, program, n, kind);
    if (is_drawn(row)) end = row;
  }
  return end;
}

static void write_labels(FILE *script, const struct survey *survey,
                         const char *kind, const struct plot_range *range) {
  struct plot_end labels[FIGURE_PROGRAMS_MAX] = {{0}};
  size_t count = 0;
  double pixels = panels.height - panels.top - panels.bottom;
  for (size_t i = 0; i < figure_programs(survey); i++) {
    const struct summary *end = line_end(survey, i, kind);
    if (end)
      labels[count++] =
          (struct plot_end){i, end->ns_per_op_min, end->ns_per_op_min};
  }
  plot_spread_ends(labels, count, range->y_hi,
                   PLOT_LABEL_PIXELS * range->y_hi / pixels);
  for (size_t i = 0; i < count; i++) {
    char label[SURVEY_LABEL_SIZE], number[HUMAN_SIZE], text[128];
    size_t program = labels[i].line, place = survey_place(survey, program);
    survey_label(survey->programs[program], label);
    snprintf(text, sizeof text, "%.*s%s  %s", LABEL_MOST, label,
             strlen(label) > LABEL_MOST ? ".." : "",
             human_number(labels[i].value, number));
    fputs("set label ", script);
    gnuplot_quote(script, text);
    fprintf(script,
            " at graph 1.04, first %.6g left point pt %s ps 0.6 "
            "lc rgb '%s' offset 0.8,-0.15\n",
            labels[i].y, plot_shape(place), plot_colour(place));
  }
}

/* Room for the longest label, its mark and its number. */
static int label_pixels(const struct survey *survey) {
  size_t longest = 0;
  for (size_t i = 0; i < figure_programs(survey); i++) {
    char label[SURVEY_LABEL_SIZE];
    size_t length = strlen(survey_label(survey->programs[i], label));
    if (length > longest) longest = length;
  }
  if (longest > LABEL_MOST) longest = LABEL_MOST + 2;
  return PLOT_LABEL_PIXELS * 5 + PLOT_CHARACTER_PIXELS * (int)longest;
}

/* Lines of base pages in grey behind those of other kinds show the gain. */
static void plot_lines(FILE *script, const struct survey *survey, size_t kind,
                       size_t behind) {
  const char *comma = "plot ";
  for (size_t i = 0; i < figure_programs(survey) && behind != kind; i++) {
    if (!line_end(survey, i, survey->kinds[behind])) continue;
    fprintf(script,
            "%s$d%zu_%zu using 1:2 with linespoints "
            "lc rgb '#9A9A9A' lw 1 pt 7 ps 0.3",
            comma, i, behind);
    comma = ", ";
  }
  for (size_t i = 0; i < figure_programs(survey); i++) {
    size_t place = survey_place(survey, i);
    if (!line_end(survey, i, survey->kinds[kind])) continue;
    fprintf(script,
            "%s$d%zu_%zu using 1:2 with linespoints lc rgb '%s' lw 2 "
            "pt %s ps %g",
            comma, i, kind, plot_colour(place), plot_shape(place),
            survey_next_size(survey, i, survey_next_size(survey, i, 0)) ? 0.45
                                                                        : 0.9);
    comma = ", ";
  }
  fputc('\n', script);
}

static size_t base_kind(const struct survey *survey, size_t otherwise) {
  for (size_t i = 0; i < survey->count; i++)
    for (size_t j = 0; survey->rows[i].base && j < survey->kind_count; j++)
      if (!strcmp(survey->rows[i].pages, survey->kinds[j])) return j;
  return otherwise;
}

static void draw(FILE *script, const struct survey *survey,
                 enum plot_format format) {
  struct plot_grid grid = figure_grid(&panels, survey);
  struct plot_range range = range_of(survey);
  size_t shown = 0, drawn = 0;
  for (size_t i = 0; i < survey->kind_count; i++)
    shown += figure_has_kind(&figure_operation_time, survey, survey->kinds[i]);
  int right = label_pixels(survey);
  if (right > grid.right) {
    grid.width += right - grid.right;
    grid.right = right;
  }
  grid.columns = shown > 1 ? 2 : 1;
  grid.rows = ((int)shown + grid.columns - 1) / grid.columns;
  figure_write_data(&figure_operation_time, script, survey);
  plot_begin(script, &grid, format);
  plot_labels(script, "log\342\202\202 n", "ns per operation");
  for (size_t i = 0; i < survey->kind_count; i++) {
    char title[HUMAN_SIZE + 32], pages[HUMAN_SIZE];
    size_t behind = base_kind(survey, i);
    if (!figure_has_kind(&figure_operation_time, survey, survey->kinds[i]))
      continue;
    human_pages(survey->kinds[i], pages);
    snprintf(title, sizeof title, "%c%s%s", pages[0] == 't' ? 'T' : pages[0],
             pages + 1, behind == i ? "" : "  (grey: 4 KiB pages)");
    plot_panel(script, &grid, drawn++, title, &range);
    write_labels(script, survey, survey->kinds[i], &range);
    plot_lines(script, survey, i, behind);
  }
  plot_end(script);
}

const struct figure figure_operation_time = {
    .name = "fig-2.1",
    .title = "Normalised operation time",
    .caption =
        "Running time divided by RAM complexity (n for scans, n log2 n for "
        "sorts, n^2 for matrices, ...), over the "
        "logarithm of the input size; least of the repetitions. If counting "
        "operations told the time, every line would be level. A line that "
        "climbs pays for something the RAM model leaves out: caches, and the "
        "translation of addresses. Bigger pages make translation cheaper and "
        "leave the caches mostly as they are, so most of the gap to the grey "
        "line is translation; on larger pages some is left, so that all of it "
        "may cost more. Whether a gap is more than noise, figure 2.5 says.",
    .needs =
        "It needs a sample that counts, of a size above 0; times of the "
        "emulator are those of no machine.",
    .is_drawn = is_drawn,
    .draw = draw,
    .point = point,
    .csv_head = "ns_per_op_min,ns_per_op_median,reps",
    .csv = csv,
};
