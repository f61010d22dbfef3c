/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/plot_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/cli/memory.h"
#include "experiments/report/gnuplot.h"

static const char *const dashes[] = {"1", "'-'", "'.'", "'-.'"};
static const char *const dash_names[] = {"solid", "dashed", "dotted",
                                         "dash-dotted"};
enum { DASHES = sizeof dashes / sizeof *dashes };

const char *plot_dash(size_t index) { return dashes[index % DASHES]; }

const char *plot_dash_name(size_t index) { return dash_names[index % DASHES]; }

struct plot_line *plot_lines_add(struct plot_lines *lines, const char *label,
                                 size_t place, size_t dash) {
  struct plot_line **grown =
      memory_grow(lines->line, lines->count + 1, sizeof *grown);
  lines->line = grown;
  struct plot_line *line = memory_zeroed(1, sizeof *line);
  snprintf(line->label, sizeof line->label, "%s", label);
  line->colour = line->shape = place;
  line->dash = dash;
  line->label_y = NAN;
  lines->line[lines->count++] = line;
  return line;
}

void plot_line_point(struct plot_line *line, double x, double y) {
  plot_line_interval(line, x, y, y, y);
}

void plot_line_interval(struct plot_line *line, double x, double y, double lo,
                        double hi) {
  if (!line || !isfinite(x) || !isfinite(y)) return;
  if (line->count == line->room) {
    size_t room = line->room ? 2 * line->room : 32;
    struct plot_point *points = memory_grow(line->points, room, sizeof *points);
    line->points = points;
    line->room = room;
  }
  line->points[line->count++] = (struct plot_point){x, y, lo, hi};
}

static int compare_points(const void *a, const void *b) {
  const struct plot_point *x = a, *y = b;
  return (x->x > y->x) - (x->x < y->x);
}

void plot_line_sort(struct plot_line *line) {
  if (line && line->count)
    qsort(line->points, line->count, sizeof *line->points, compare_points);
}

void plot_lines_fini(struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) {
    free(lines->line[i]->points);
    free(lines->line[i]);
  }
  free(lines->line);
  *lines = (struct plot_lines){0};
}

struct plot_range plot_lines_range(const struct plot_lines *lines) {
  struct plot_range range = {NAN, NAN, 0, 0};
  for (size_t i = 0; i < lines->count; i++)
    for (size_t j = 0; j < lines->line[i]->count; j++) {
      const struct plot_point *point = &lines->line[i]->points[j];
      range.x_lo = fmin(range.x_lo, point->x);
      range.x_hi = fmax(range.x_hi, point->x);
      range.y_hi = fmax(range.y_hi, point->hi);
    }
  range.y_hi = range.y_hi > 0 ? 1.06 * range.y_hi : 1;
  plot_round_x(&range);
  return range;
}

/* " ms", or nothing. */
static const char *gap_before(const char *unit) { return unit ? " " : ""; }
static const char *unit_of(const struct plot_lines *lines) {
  return lines->unit ? lines->unit : "";
}

void plot_lines_to_log(struct plot_lines *lines) {
  lines->bare = true;
  for (size_t i = 0; i < lines->count; i++) {
    struct plot_line *line = lines->line[i];
    char text[HUMAN_SIZE];
    size_t used = strlen(line->label);
    if (!line->count) continue;
    if (used)
      snprintf(line->label + used, sizeof line->label - used, "  %s%s%s",
               human_number(line->points[line->count - 1].y, text),
               gap_before(lines->unit), unit_of(lines));
    for (struct plot_point *p = line->points; p < line->points + line->count;
         p++)
      *p = (struct plot_point){p->x, log10(p->y), log10(fmax(p->lo, p->y / 10)),
                               log10(p->hi)};
  }
}

void plot_lines_log_range(const struct plot_lines *lines,
                          struct plot_range *range) {
  range->y_lo = range->y_hi = NAN;
  for (size_t i = 0; i < lines->count; i++)
    for (size_t j = 0; j < lines->line[i]->count; j++) {
      range->y_lo = fmin(range->y_lo, lines->line[i]->points[j].lo);
      range->y_hi = fmax(range->y_hi, lines->line[i]->points[j].hi);
    }
  double span = fmax(range->y_hi - range->y_lo, 1); /* a decade */
  range->y_lo -= 0.05 * span;
  range->y_hi = fmax(range->y_hi + 0.1 * span, range->y_lo + span);
}

static bool is_named_left(double x, const struct plot_range *range) {
  return x - range->x_lo > (range->x_hi - range->x_lo) / 2;
}

/* Rows are lines of text, from the top. */
static void mark_in_row(FILE *script, double x, const char *name,
                        const struct plot_range *range, int row) {
  if (!(x > range->x_lo && x < range->x_hi)) return;
  bool left = is_named_left(x, range);
  fprintf(script,
          "set arrow from first %.5f, graph 0 to first %.5f, graph 1 nohead "
          "lc rgb '#9A9A9A' lw 1 dt '-'\nset label ",
          x, x);
  gnuplot_quote(script, name);
  fprintf(script,
          " at first %.5f, graph 1 %s offset %s,%.1f "
          "textcolor rgb '#707070'\n",
          x, left ? "right" : "left", left ? "-0.6" : "0.6", -0.7 - row);
}

void plot_mark(FILE *script, double x, const char *name,
               const struct plot_range *range) {
  mark_in_row(script, x, name, range, 0);
}

void plot_mark_apart(FILE *script, const struct plot_grid *grid, double x,
                     const char *name, const struct plot_range *range,
                     struct plot_marks *marks) {
  double pixel =
      (range->x_hi - range->x_lo) / (grid->width - grid->left - grid->right);
  double width = pixel * PLOT_CHARACTER_PIXELS * ((double)strlen(name) + 2);
  double from = is_named_left(x, range) ? x - width : x;
  int row = 0;
  for (size_t i = 0; i < marks->count;) {
    bool meets = marks->name[i].row == row && from < marks->name[i].to &&
                 from + width > marks->name[i].from;
    row += meets;
    i = meets ? 0 : i + 1;
  }
  if (marks->count < PLOT_MARKS) {
    marks->name[marks->count].from = from;
    marks->name[marks->count].to = from + width;
    marks->name[marks->count++].row = row;
  }
  mark_in_row(script, x, name, range, row);
}

enum { LABEL_TEXT = PLOT_LINE_LABEL + HUMAN_SIZE + 16 };

/* Counts, that is: what is measured has more digits than these. */
static bool are_whole(const struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++)
    for (size_t j = 0; j < lines->line[i]->count; j++) {
      double y = lines->line[i]->points[j].y;
      if (y != rint(y)) return false;
    }
  return true;
}

static bool has_label(const struct plot_line *line) {
  return line->count && *line->label;
}

static void label_text(const struct plot_lines *lines,
                       const struct plot_line *line, char text[LABEL_TEXT]) {
  char number[HUMAN_SIZE];
  double value = line->points[line->count - 1].y;
  if (lines->bare)
    snprintf(text, LABEL_TEXT, "%s", line->label);
  else if (are_whole(lines) && fabs(value) < 1e7)
    snprintf(text, LABEL_TEXT, "%s  %.0f%s%s", line->label, value,
             gap_before(lines->unit), unit_of(lines));
  else
    snprintf(text, LABEL_TEXT, "%s  %s%s%s", line->label,
             human_number(value, number), gap_before(lines->unit),
             unit_of(lines));
}

void plot_lines_make_room(struct plot_grid *grid,
                          const struct plot_lines *lines) {
  size_t longest = 0;
  for (size_t i = 0; i < lines->count; i++) {
    char text[LABEL_TEXT];
    if (!has_label(lines->line[i])) continue;
    label_text(lines, lines->line[i], text);
    if (strlen(text) > longest) longest = strlen(text);
  }
  int right = 4 * PLOT_LABEL_PIXELS + PLOT_CHARACTER_PIXELS * (int)longest;
  if (right <= grid->right) return;
  grid->width += right - grid->right;
  grid->right = right;
}

/* gnuplot's number of an open mark is the one before the same filled. */
static int mark_of(const struct plot_line *line) {
  return atoi(plot_shape(line->shape)) - line->open;
}

/* A piece of the line with its mark, as wide as a dash and a half: what tells
 * solid from dotted. */
enum { PIECE_FROM_PIXELS = 6, PIECE_PIXELS = 30 };

static void print_label(FILE *script, const struct plot_grid *grid,
                        const struct plot_lines *lines,
                        const struct plot_end *end) {
  const struct plot_line *line = lines->line[end->line];
  char text[LABEL_TEXT];
  label_text(lines, line, text);
  fputs("set label ", script);
  gnuplot_quote(script, text);
  double pixel = 1. / (grid->width - grid->left - grid->right);
  double from = 1 + PIECE_FROM_PIXELS * pixel, to = from + PIECE_PIXELS * pixel;
  fprintf(script,
          " at graph %.4f, first %.6g left point pt %d ps 0.6 lc rgb '%s' "
          "offset 2.4,-0.15\n",
          (from + to) / 2, end->y, mark_of(line), plot_colour(line->colour));
  fprintf(script,
          "set arrow from graph %.4f, first %.6g to graph %.4f, first %.6g "
          "nohead lc rgb '%s' lw 2 dt %s\n",
          from, end->y, to, end->y, plot_colour(line->colour),
          plot_dash(line->dash));
}

/* Spread as if the panel began at 0. */
static void print_labels(FILE *script, const struct plot_grid *grid,
                         const struct plot_range *range,
                         const struct plot_lines *lines) {
  struct plot_end *ends = memory_zeroed(lines->count + 1, sizeof *ends);
  double span = range->y_hi - range->y_lo;
  double pixels = grid->height - grid->top - grid->bottom;
  size_t count = 0;
  for (size_t i = 0; ends && i < lines->count; i++) {
    const struct plot_line *line = lines->line[i];
    if (!has_label(line)) continue;
    double value = line->points[line->count - 1].y;
    double y = isnan(line->label_y) ? value : line->label_y;
    ends[count++] = (struct plot_end){i, value, y - range->y_lo};
  }
  plot_spread_ends(ends, count, span, PLOT_LABEL_PIXELS * span / pixels);
  for (size_t i = 0; i < count; i++) {
    ends[i].y += range->y_lo;
    print_label(script, grid, lines, &ends[i]);
  }
  free(ends);
}

static void print_point(FILE *script, const struct plot_line *line,
                        const struct plot_point *point) {
  fprintf(script, "%.5f %.6g", point->x, point->y);
  if (line->apart) fprintf(script, " %.6g %.6g", point->lo, point->hi);
  fputc('\n', script);
}

static void print_data(FILE *script, const struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) {
    const struct plot_line *line = lines->line[i];
    fprintf(script, "$l%zu << END\n", i);
    for (size_t j = 0; j < line->count; j++)
      print_point(script, line, &line->points[j]);
    fputs("END\n", script);
  }
}

static bool has_interval(const struct plot_line *line) {
  for (size_t i = 0; i < line->count; i++)
    if (line->points[i].lo < line->points[i].hi) return true;
  return false;
}

/* Of open marks the line shows. */
static void print_way(FILE *script, const struct plot_line *line) {
  const char *colour = plot_colour(line->colour), *dash = plot_dash(line->dash);
  const int mark = mark_of(line);
  if (line->apart)
    fprintf(script, "%s lc rgb '%s' lw 1.5 pt %d ps 0.6",
            has_interval(line) ? "1:2:3:4 with yerrorbars" : "1:2 with points",
            colour, mark);
  else if (line->unmarked)
    fprintf(script, "1:2 with lines lc rgb '%s' lw 2 dt %s", colour, dash);
  else
    fprintf(script,
            "1:2 with linespoints lc rgb '%s' lw 2 dt %s pt %d ps %s pi %zu",
            colour, dash, mark, line->open ? "0.7" : "0.45",
            line->interval ? line->interval : 1);
}

void plot_lines_draw(FILE *script, const struct plot_grid *grid,
                     const struct plot_range *range,
                     const struct plot_lines *lines) {
  const char *comma = "plot ";
  /* Where there are few, gnuplot would put tics between whole numbers. */
  bool few = !lines->bare && are_whole(lines) && range->y_hi < 6;
  print_labels(script, grid, range, lines);
  print_data(script, lines);
  if (few) fputs("set ytics 1\n", script);
  for (size_t i = 0; i < lines->count; i++) {
    const struct plot_line *line = lines->line[i];
    if (!line->count) continue;
    fprintf(script, "%s$l%zu using ", comma, i);
    print_way(script, line);
    comma = ", ";
  }
  if (*comma == ',') fputc('\n', script);
  if (few) fputs("set ytics autofreq\n", script);
}
