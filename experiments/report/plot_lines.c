/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/plot_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/gnuplot.h"
#include "experiments/report/human.h"

static const char *const dashes[] = {"1", "'-'", "'.'", "'-.'"};
static const char *const dash_names[] = {"solid", "dashed", "dotted",
                                         "dash-dotted"};
enum { DASHES = sizeof dashes / sizeof *dashes };

const char *plot_dash(size_t index) { return dashes[index % DASHES]; }

const char *plot_dash_name(size_t index) { return dash_names[index % DASHES]; }

struct plot_line *plot_lines_add(struct plot_lines *lines, const char *label,
                                 size_t place, size_t dash) {
  struct plot_line **grown =
      reallocarray(lines->line, lines->count + 1, sizeof *grown);
  if (!grown) return NULL;
  lines->line = grown;
  struct plot_line *line = calloc(1, sizeof *line);
  if (!line) return NULL;
  snprintf(line->label, sizeof line->label, "%s", label);
  line->colour = line->shape = place;
  line->dash = dash;
  line->label_y = NAN;
  lines->line[lines->count++] = line;
  return line;
}

void plot_line_point(struct plot_line *line, double x, double y) {
  if (!line || !isfinite(x) || !isfinite(y)) return;
  if (line->count == line->room) {
    size_t room = line->room ? 2 * line->room : 32;
    struct plot_point *points =
        reallocarray(line->points, room, sizeof *points);
    if (!points) return;
    line->points = points;
    line->room = room;
  }
  line->points[line->count++] = (struct plot_point){x, y};
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
      range.y_hi = fmax(range.y_hi, point->y);
    }
  range.y_hi = range.y_hi > 0 ? 1.06 * range.y_hi : 1;
  plot_round_x(&range);
  return range;
}

void plot_lines_to_log(struct plot_lines *lines) {
  lines->bare = true;
  for (size_t i = 0; i < lines->count; i++) {
    struct plot_line *line = lines->line[i];
    char text[HUMAN_SIZE];
    size_t used = strlen(line->label);
    if (!line->count) continue;
    snprintf(line->label + used, sizeof line->label - used, "  %s",
             human_number(line->points[line->count - 1].y, text));
    for (size_t j = 0; j < line->count; j++)
      line->points[j].y = log10(line->points[j].y);
  }
}

void plot_lines_log_range(const struct plot_lines *lines,
                          struct plot_range *range) {
  range->y_lo = range->y_hi = NAN;
  for (size_t i = 0; i < lines->count; i++)
    for (size_t j = 0; j < lines->line[i]->count; j++) {
      range->y_lo = fmin(range->y_lo, lines->line[i]->points[j].y);
      range->y_hi = fmax(range->y_hi, lines->line[i]->points[j].y);
    }
  double span = fmax(range->y_hi - range->y_lo, 1); /* a decade */
  range->y_lo -= 0.05 * span;
  range->y_hi = fmax(range->y_hi + 0.1 * span, range->y_lo + span);
}

void plot_mark(FILE *script, double x, const char *name,
               const struct plot_range *range) {
  if (!(x > range->x_lo && x < range->x_hi)) return;
  bool right = x - range->x_lo > (range->x_hi - range->x_lo) / 2;
  fprintf(script,
          "set arrow from first %.5f, graph 0 to first %.5f, graph 1 nohead "
          "lc rgb '#9A9A9A' lw 1 dt '-'\nset label ",
          x, x);
  gnuplot_quote(script, name);
  fprintf(script,
          " at first %.5f, graph 1 %s offset %s,-0.7 "
          "textcolor rgb '#707070'\n",
          x, right ? "right" : "left", right ? "-0.6" : "0.6");
}

enum { LABEL_TEXT = PLOT_LINE_LABEL + HUMAN_SIZE + 2 };

/* Counts, that is: what is measured has more digits than these. */
static bool are_whole(const struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++)
    for (size_t j = 0; j < lines->line[i]->count; j++) {
      double y = lines->line[i]->points[j].y;
      if (y != rint(y)) return false;
    }
  return true;
}

static void label_text(const struct plot_lines *lines,
                       const struct plot_line *line, char text[LABEL_TEXT]) {
  char number[HUMAN_SIZE];
  double value = line->points[line->count - 1].y;
  if (lines->bare)
    snprintf(text, LABEL_TEXT, "%s", line->label);
  else if (are_whole(lines) && fabs(value) < 1e7)
    snprintf(text, LABEL_TEXT, "%s  %.0f", line->label, value);
  else
    snprintf(text, LABEL_TEXT, "%s  %s", line->label,
             human_number(value, number));
}

void plot_lines_make_room(struct plot_grid *grid,
                          const struct plot_lines *lines) {
  size_t longest = 0;
  for (size_t i = 0; i < lines->count; i++) {
    char text[LABEL_TEXT];
    if (!lines->line[i]->count) continue;
    label_text(lines, lines->line[i], text);
    if (strlen(text) > longest) longest = strlen(text);
  }
  int right = 3 * PLOT_LABEL_PIXELS + PLOT_CHARACTER_PIXELS * (int)longest;
  if (right <= grid->right) return;
  grid->width += right - grid->right;
  grid->right = right;
}

/* gnuplot's number of an open mark is the one before the same filled. */
static int mark_of(const struct plot_line *line) {
  return atoi(plot_shape(line->shape)) - line->open;
}

static void print_label(FILE *script, const struct plot_lines *lines,
                        const struct plot_end *end) {
  const struct plot_line *line = lines->line[end->line];
  char text[LABEL_TEXT];
  label_text(lines, line, text);
  fputs("set label ", script);
  gnuplot_quote(script, text);
  fprintf(script,
          " at graph 1.04, first %.6g left point pt %d ps 0.6 lc rgb '%s' "
          "offset 0.8,-0.15\n",
          end->y, mark_of(line), plot_colour(line->colour));
}

/* Spread as if the panel began at 0. */
static void print_labels(FILE *script, const struct plot_grid *grid,
                         const struct plot_range *range,
                         const struct plot_lines *lines) {
  struct plot_end *ends = calloc(lines->count + 1, sizeof *ends);
  double span = range->y_hi - range->y_lo;
  double pixels = grid->height - grid->top - grid->bottom;
  size_t count = 0;
  for (size_t i = 0; ends && i < lines->count; i++) {
    const struct plot_line *line = lines->line[i];
    if (!line->count) continue;
    double value = line->points[line->count - 1].y;
    double y = isnan(line->label_y) ? value : line->label_y;
    ends[count++] = (struct plot_end){i, value, y - range->y_lo};
  }
  if (!ends) return;
  plot_spread_ends(ends, count, span, PLOT_LABEL_PIXELS * span / pixels);
  for (size_t i = 0; i < count; i++) {
    ends[i].y += range->y_lo;
    print_label(script, lines, &ends[i]);
  }
  free(ends);
}

static void print_data(FILE *script, const struct plot_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) {
    const struct plot_line *line = lines->line[i];
    fprintf(script, "$l%zu << END\n", i);
    for (size_t j = 0; j < line->count; j++)
      fprintf(script, "%.5f %.6g\n", line->points[j].x, line->points[j].y);
    fputs("END\n", script);
  }
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
    fprintf(script,
            "%s$l%zu using 1:2 with linespoints lc rgb '%s' lw 2 dt %s pt %d "
            "ps %s pi %zu",
            comma, i, plot_colour(line->colour), plot_dash(line->dash),
            mark_of(line), line->open ? "0.7" : "0.45", /* the line shows */
            line->interval ? line->interval : 1);
    comma = ", ";
  }
  if (*comma == ',') fputc('\n', script);
  if (few) fputs("set ytics autofreq\n", script);
}
