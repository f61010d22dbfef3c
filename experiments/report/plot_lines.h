/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/plot_lines.h -- a panel of lines, each with its name and
 * last value beside its end: a whole number where all of the panel are.
 *
 *   struct plot_lines lines = {0};
 *   struct plot_line *line = plot_lines_add(&lines, "permute", place, 0);
 *   plot_line_point(line, log2(n), time);
 *   struct plot_range range = plot_lines_range(&lines);
 *   plot_panel(script, &grid, 0, "Measured", &range);
 *   plot_mark(script, log2(w), "n = W", &range);
 *   plot_lines_draw(script, &grid, &range, &lines);
 *   plot_lines_fini(&lines);
 *
 * What finds no memory is not drawn.
 */
#ifndef EXPERIMENTS_REPORT_PLOT_LINES_H
#define EXPERIMENTS_REPORT_PLOT_LINES_H
#include "experiments/report/plot.h"

enum { PLOT_LINE_LABEL = 64 };

struct plot_point {
  double x, y;
  double lo, hi; /* an interval of y; y: there is none */
};

struct plot_line {
  char label[PLOT_LINE_LABEL]; /* "": it has none beside its end */
  size_t colour, shape; /* of its points; plot_lines_add() takes one for both */
  size_t dash;          /* 0: solid */
  bool open;            /* are its points, not filled */
  bool apart;           /* are its points, not joined, with their intervals */
  bool unmarked;        /* are its points */
  size_t interval;      /* of its points every so many-th is marked; 0: all */
  struct plot_point *points;
  size_t count, room;
  double label_y; /* where its label stands, if there is room; NAN: its end */
};

struct plot_lines {
  struct plot_line **line;
  size_t count;
  bool bare;        /* labels are names alone, without the last value */
  const char *unit; /* of last values, "ms"; NULL: none */
};

/* NULL: no memory; that is fine as a line of no points. */
struct plot_line *plot_lines_add(struct plot_lines *lines, const char *label,
                                 size_t place, size_t dash);
void plot_line_point(struct plot_line *line, double x, double y);
void plot_line_interval(struct plot_line *line, double x, double y, double lo,
                        double hi);
void plot_line_sort(struct plot_line *line); /* by x */
void plot_lines_fini(struct plot_lines *lines);

/* x in whole numbers, y from 0. */
struct plot_range plot_lines_range(const struct plot_lines *lines);

/* log10 of all y, which are more than 0, and of their intervals, which end a
 * decade below at least; labels with the last value itself; and then the range
 * of y, a decade at least, with room above the largest for labels that are
 * pushed up.
 */
void plot_lines_to_log(struct plot_lines *lines);
void plot_lines_log_range(const struct plot_lines *lines,
                          struct plot_range *range);

/* Widen the panels, at their right, for the longest of these labels. */
void plot_lines_make_room(struct plot_grid *grid,
                          const struct plot_lines *lines);

/* A dashed grey line at `x`, its name beside its top; in the panel that
 * plot_panel() went to, before its lines are drawn. */
void plot_mark(FILE *script, double x, const char *name,
               const struct plot_range *range);

/* The same where there are several: a name that would lie on one of before is
 * below it.  `marks` begins as 0 in each panel; more than it has room for are
 * as plot_mark()'s. */
enum { PLOT_MARKS = 32 };
struct plot_marks {
  struct {
    double from, to; /* of its name, in units of x */
    int row;
  } name[PLOT_MARKS];
  size_t count;
};
void plot_mark_apart(FILE *script, const struct plot_grid *grid, double x,
                     const char *name, const struct plot_range *range,
                     struct plot_marks *marks);

/* In that panel; lines without points are left out. */
void plot_lines_draw(FILE *script, const struct plot_grid *grid,
                     const struct plot_range *range,
                     const struct plot_lines *lines);

/* For gnuplot, and for people: "4k solid, thp dashed". */
const char *plot_dash(size_t index);
const char *plot_dash_name(size_t index);
#endif
