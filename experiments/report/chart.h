/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/chart.h -- what a figure shows: panels of series, each
 * with its axes, marks and labels.
 *
 *   struct chart_panel *panel = chart_panel(chart, "log n", "ns", "Measured");
 *   struct chart_series *series = chart_series(panel, place, "%s", name);
 *   chart_point(series, log2(n), ns);
 *   chart_mark(panel, log2(w), "n = W");
 *
 * chart_layout.h then decides ranges and sizes, and chart_gnuplot() draws.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  CHART_LABEL = 64,
  CHART_NAME = 144, /* of a row, in a legend */
  CHART_PANELS = 24,
  CHART_MARKS = 32,
  CHART_ROWS = 24,
  CHART_KEYS = 32,
  CHART_DETAIL = 1024,
  CHART_TICS_ROUND = -1, /* six tics at most, in steps of 1, 2 or 5 and zeros */
  CHART_BLACK = 6, /* a colour: that of base pages where kinds are compared */
};

/* All but the first are logarithmic. */
enum chart_scale {
  CHART_LINEAR,
  CHART_LOG,     /* marked in plain numbers: 1, 2, 5, 10, ... */
  CHART_POWERS,  /* from a power of ten to another */
  CHART_BYTES,   /* marked in sizes of memory */
  CHART_DOUBLES, /* of x, marked in powers of two */
};

struct chart_axis {
  const char *title;
  enum chart_scale scale;
  double lo, hi; /* NAN: whole numbers of x, and y from 0, as the data need */
  double most;   /* of hi; 0: any */
  double room;   /* the largest y is multiplied by it, as a margin; 0: 1.06 */
  double tics;   /* their distance; 0: as usual; or CHART_TICS_ROUND */
};

struct chart_point {
  double x, y, lo, hi; /* an interval of y, or of x in rows; y: there is none */
};

enum chart_interval { CHART_NO_INTERVAL, CHART_BARS, CHART_BAND };

struct chart_series {
  char label[CHART_LABEL]; /* at its end, shortened by an ellipsis; "": none */
  size_t colour, shape;    /* chart_series() takes one place for both */
  size_t dash;             /* 0: solid */
  bool open;               /* are its points, not filled */
  bool apart;              /* are its points, not joined */
  bool unmarked;           /* are its points: a line alone */
  bool grey;               /* and thin, behind the others */
  bool extends;            /* level to the end of the axis */
  enum chart_interval interval;
  double size;  /* of points; 0: as usual */
  size_t every; /* every so many-th point is marked; 0: all */
  struct chart_point *points;
  size_t count;
  double label_y; /* where its label stands, if there is room; NAN: its end */
};

struct chart_panel {
  char of[80]; /* above the title: "apsp_matmul, n = 256" */
  char title[192];
  uint64_t n; /* of all points; 0: they differ in it */
  struct chart_axis x, y;
  struct chart_series **series;
  size_t count;
  size_t more; /* series that only the CSV has */
  struct {
    double at; /* a dashed line at x */
    char name[CHART_LABEL];
    int line; /* of text, from the top, that its name is in */
  } marks[CHART_MARKS];
  size_t mark_count;
  char rows[CHART_ROWS][CHART_NAME]; /* in place of y: see chart_row() */
  size_t row_count;
  double level;            /* a grey line at y; NAN: none */
  double band_lo, band_hi; /* a grey band of y, or of x in rows; NAN: none */
  bool diagonal;           /* a grey line where y = x */
  bool beyond;      /* triangles for points beyond the axis, in percent */
  bool bare;        /* labels are names alone, without the last value */
  bool of_no_input; /* it is of no machine of the results */
  const char *unit; /* of last values, "ms"; NULL: none */
  struct chart_range {
    double x_lo, x_hi, y_lo, y_hi; /* logarithms, where the scale is one */
  } range;                         /* set by chart_finish(), as lines are */
};

/* Where the legend is: in a line above the panels, in several, or in the place
 * behind the last panel. */
enum chart_legend { CHART_IN_LINE, CHART_IN_LINES, CHART_IN_PANEL };

struct chart {
  const void *of; /* what the figure makes it from */
  struct chart_panel *panels;
  size_t count;
  size_t columns; /* 0: all panels side by side */
  struct chart_box {
    int width, height, left, right, top, bottom; /* of a panel, in pixels */
  } box;               /* right grows with labels, left and height with rows */
  int head;            /* pixels of the legend above the panels */
  char foot[224];      /* the machine */
  bool same_x, same_y; /* all panels have the range of all */
  bool compact; /* labels stand behind a mark alone; numbers have 3 digits */
  enum chart_legend legend;
  struct {
    char text[CHART_NAME];
    size_t colour; /* of its mark; CHART_KEYS: it has none */
  } keys[CHART_KEYS];
  size_t key_count;
  char detail[CHART_DETAIL]; /* what the caption says of these data */
};

void chart_fini(struct chart *chart); /* of a struct of zeros, at first */

/* A panel beyond CHART_PANELS is not drawn, nor is a series without points.
 * Titles of axes must outlive the chart. */
struct chart_panel *chart_panel(struct chart *chart, const char *x,
                                const char *y, const char *title, ...)
    __attribute__((format(printf, 4, 5)));
struct chart_series *chart_series(struct chart_panel *panel, size_t place,
                                  const char *label, ...)
    __attribute__((format(printf, 3, 4)));

/* The series of that label, a new one of the next colour where there is none.
 */
struct chart_series *chart_line(struct chart_panel *panel, const char *label);

/* x and y that are not finite are no point.  An interval may be NAN. */
void chart_point(struct chart_series *series, double x, double y);
void chart_interval(struct chart_series *series, double x, double y, double lo,
                    double hi);
void chart_sort(struct chart_series *series); /* by x */

/* A dashed line at x, its name beside its top. */
void chart_mark(struct chart_panel *panel, double x, const char *name, ...)
    __attribute__((format(printf, 3, 4)));

/* The row of that name, a new one below the others where there is none.  Its
 * points are (value, row); those of a series stand below those of the one
 * before. */
double chart_row(struct chart_panel *panel, const char *name);

/* A line of the legend: a mark of that colour, or none, and a text. */
void chart_key(struct chart *chart, size_t colour, const char *text, ...)
    __attribute__((format(printf, 3, 4)));

/* Add to `detail`, as far as there is room. */
void chart_tell(struct chart *chart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Widen lo and hi, which may be NAN, to all y of all panels. */
void chart_extent(const struct chart *chart, double *lo, double *hi);

bool chart_panel_has_points(const struct chart_panel *panel);
bool chart_has_points(const struct chart *chart);
void chart_drop_empty(struct chart *chart); /* panels without points */

enum chart_format { CHART_SVG, CHART_PNG };

/* A script for gnuplot, which gnuplot.h runs, of a chart that was finished;
 * nothing else knows gnuplot's language. */
void chart_gnuplot(FILE *script, const struct chart *chart,
                   enum chart_format format);

/* Okabe and Ito's colours but yellow, which white paper swallows; and a shape
 * for each: "7", "5", ...; where colours come again, the shape is another. */
const char *chart_colour(size_t index);
const char *chart_shape(size_t index);

/* "dashed": for a legend. */
const char *chart_dash_name(size_t dash);
