/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/chart_layout.h"
#include "experiments/report/gnuplot.h"

static const char *const colours[] = {
    "#0072B2", /* blue */
    "#D55E00", /* vermillion */
    "#009E73", /* bluish green */
    "#E69F00", /* orange */
    "#CC79A7", /* reddish purple */
    "#56B4E9", /* sky blue */
    "#000000", /* black; the page shows it in its own ink */
};
static const char *const shapes[] = {"7", "5", "9", "13", "11", "15", "6"};
static const char *const dashes[] = {"1", "'-'", "'.'", "'-.'"};
enum { COLOURS = sizeof colours / sizeof *colours };
enum { DASHES = sizeof dashes / sizeof *dashes };

const char *chart_colour(size_t index) { return colours[index % COLOURS]; }

const char *chart_shape(size_t index) {
  return shapes[(index + index / COLOURS) % COLOURS];
}

/* A title stands so far above its panel, what it is of so far above that one,
 * and keys so far below each other. */
enum { TITLE_PIXELS = 14, OF_PIXELS = 20, FOOT_PIXELS = 11 };
enum { KEY_PIXELS = 20, KEY_TOP = 14, CELL_KEY_PIXELS = 18, CELL_TOP = 44 };

/* A piece of the line with its mark, as wide as a dash and a half: what tells
 * solid from dotted. */
enum { PIECE_FROM_PIXELS = 6, PIECE_PIXELS = 30 };

struct drawing {
  FILE *script;
  const struct chart *chart;
  const struct chart_panel *panel;
  size_t index; /* of the panel */
};

/* Pixels count from the top left, gnuplot from the bottom. */
static void print_at(const struct drawing *d, int x, int y) {
  fprintf(d->script, " at screen %.5f, screen %.5f",
          (double)x / chart_width(d->chart),
          1 - (double)y / chart_height(d->chart));
}

static void print_text(const struct drawing *d, const char *before,
                       const char *text) {
  fputs(before, d->script);
  gnuplot_quote(d->script, text, false);
}

/* From the top left corner of the picture to that of the panel's place. */
static int place_x(const struct drawing *d) {
  return (int)(d->index % chart_columns(d->chart)) * d->chart->box.width;
}
static int place_y(const struct drawing *d) {
  return d->chart->head +
         (int)(d->index / chart_columns(d->chart)) * d->chart->box.height;
}

static void print_margins(const struct drawing *d) {
  const struct chart_box *box = &d->chart->box;
  double width = chart_width(d->chart), height = chart_height(d->chart);
  int x = place_x(d), y = place_y(d);
  fprintf(d->script,
          "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
          "set tmargin at screen %.5f\nset bmargin at screen %.5f\n"
          "unset label\nunset arrow\nunset object\n",
          (x + box->left) / width, (x + box->width - box->right) / width,
          1 - (y + box->top) / height,
          1 - (y + box->height - box->bottom) / height);
}

static void print_label(const struct drawing *d, const char *text, int x, int y,
                        const char *how) {
  print_text(d, "set label ", text);
  print_at(d, x, y);
  fprintf(d->script, " %s\n", how);
}

static void print_titles(const struct drawing *d) {
  const struct chart *chart = d->chart;
  int x = place_x(d) + chart->box.left;
  int y = place_y(d) + chart->box.top - TITLE_PIXELS;
  print_label(d, d->panel->title, x, y, "left font ',14'");
  if (*d->panel->of) print_label(d, d->panel->of, x, y - OF_PIXELS, "left");
  if (!d->index && chart_has_foot(chart))
    print_label(d, chart->foot, chart_width(chart) - 8,
                chart_height(chart) - FOOT_PIXELS,
                "right font ',10' textcolor rgb '#707070'");
}

static void print_x_tics(const struct drawing *d) {
  const struct chart_box *box = &d->chart->box;
  const struct chart_range *range = &d->panel->range;
  double span = range->x_hi - range->x_lo, tics = d->panel->x.tics;
  int pixels = box->width - box->left - box->right;
  double step = span * 24 < pixels ? 1 : span * 12 < pixels ? 2 : 4;
  if (d->panel->x.scale == CHART_LOG)
    gnuplot_tics_log(d->script, 'x', range->x_lo, range->x_hi);
  else if (d->panel->x.scale == CHART_BYTES)
    gnuplot_tics_bytes(d->script, range->x_lo, range->x_hi);
  else if (d->panel->x.scale == CHART_DOUBLES)
    fputs("set logscale x 2\nset xtics 2\n", d->script);
  else if (d->panel->row_count)
    fputs("set xtics autofreq\n", d->script);
  else
    fprintf(d->script, "set xtics %g\n", tics > 0 ? tics : step);
}

static void print_axes(const struct drawing *d) {
  const struct chart_range *range = &d->panel->range;
  /* The title stands apart from long numbers, where there is room. */
  bool roomy = d->panel->y.scale == CHART_LOG && d->chart->box.left > 100;
  print_text(d, "set xlabel ", d->panel->x.title);
  print_text(d, " offset 0,0.4\nset ylabel ", d->panel->y.title);
  fprintf(d->script, " offset %s,0\nset xrange [%g:%g]\nset yrange [%g:%g]\n",
          roomy ? "-1" : "0.6", range->x_lo, range->x_hi, range->y_lo,
          range->y_hi);
  print_x_tics(d);
  if (d->panel->y.scale == CHART_LOG)
    gnuplot_tics_log(d->script, 'y', range->y_lo, range->y_hi);
  else if (d->panel->y.scale == CHART_POWERS)
    gnuplot_tics_powers(d->script, range->y_lo, range->y_hi);
  else if (d->panel->row_count)
    gnuplot_tics_names(d->script, *d->panel->rows, CHART_NAME,
                       d->panel->row_count);
  else /* where there are few, gnuplot would put tics between whole numbers */
    fprintf(d->script, "set ytics %s\n",
            chart_is_few(d->chart, d->panel) ? "1" : "autofreq");
}

static void print_band(const struct drawing *d) {
  double lo = d->panel->band_lo, hi = d->panel->band_hi;
  if (isnan(lo) || isnan(hi)) return;
  fprintf(
      d->script,
      d->panel->row_count
          ? "set object rectangle from first %g, graph 0 to first %g, graph 1"
          : "set object rectangle from graph 0, first %g to graph 1, first %g",
      lo, hi);
  fputs(" behind fillcolor rgb '#808080' fillstyle solid 0.18 noborder\n",
        d->script);
}

static void print_marks(const struct drawing *d) {
  for (size_t i = 0; i < d->panel->mark_count; i++) {
    double x = chart_place(d->panel->x.scale, d->panel->marks[i].at);
    bool left = chart_mark_is_left(d->panel, i);
    if (!(x > d->panel->range.x_lo && x < d->panel->range.x_hi)) continue;
    fprintf(d->script,
            "set arrow from first %.5f, graph 0 to first %.5f, graph 1 nohead "
            "lc rgb '#9A9A9A' lw 1 dt '-'\n",
            x, x);
    print_text(d, "set label ", d->panel->marks[i].name);
    fprintf(d->script,
            " at first %.5f, graph 1 %s offset %s,%.1f "
            "textcolor rgb '#707070'\n",
            x, left ? "right" : "left", left ? "-0.6" : "0.6",
            -0.7 - d->panel->marks[i].line);
  }
}

/* gnuplot's number of an open mark is the one before the same filled. */
static int mark_of(const struct chart_series *series) {
  return atoi(chart_shape(series->shape)) - series->open;
}

static void print_ends(const struct drawing *d) {
  size_t count;
  struct chart_end *ends = chart_ends(d->chart, d->panel, &count);
  const struct chart_box *box = &d->chart->box;
  double pixel = 1. / (box->width - box->left - box->right);
  double from = 1 + PIECE_FROM_PIXELS * pixel, to = from + PIECE_PIXELS * pixel;
  bool compact = d->chart->compact;
  for (size_t i = 0; i < count; i++) {
    char text[CHART_TEXT];
    double y = ends[i].y + d->panel->range.y_lo;
    print_text(d, "set label ",
               chart_end_text(d->chart, d->panel, ends[i].series, text));
    fprintf(d->script, " at graph %.4f, first %.6g left offset %s,-0.15",
            compact ? 1.04 : (from + to) / 2, y, compact ? "0.8" : "2.4");
    if (ends[i].series == d->panel->count) { /* no series' own */
      fputc('\n', d->script);
      continue;
    }
    const struct chart_series *series = d->panel->series[ends[i].series];
    const char *colour = chart_colour(series->colour);
    fprintf(d->script, " point pt %d ps 0.6 lc rgb '%s'\n", mark_of(series),
            colour);
    if (!compact)
      fprintf(d->script,
              "set arrow from graph %.4f, first %.6g to graph %.4f, first %.6g "
              "nohead lc rgb '%s' lw 2 dt %s\n",
              from, y, to, y, colour, dashes[series->dash % DASHES]);
  }
  free(ends);
}

/* Triangles at the edge for points beyond it; the last of neighbours has its
 * percentage, since there is room for one. */
static void print_beyond(const struct drawing *d) {
  const struct chart_range *range = &d->panel->range;
  for (size_t i = 0; d->panel->beyond && i < d->panel->count; i++)
    for (size_t j = 0; j < d->panel->series[i]->count; j++) {
      char number[32];
      int side = chart_beyond(d->panel, i, j, number);
      if (side)
        fprintf(d->script,
                "set label '%s' at first %.5f, first %g left front font ',10' "
                "point pt %s ps 0.8 lc rgb '%s' offset 0.6,%s\n",
                number, d->panel->series[i]->points[j].x,
                side > 0 ? range->y_hi : range->y_lo, side > 0 ? "9" : "11",
                chart_colour(d->panel->series[i]->colour),
                side > 0 ? "-0.4" : "0.4");
    }
}

static void print_key(const struct drawing *d, size_t key, int x, int y) {
  size_t colour = d->chart->keys[key].colour;
  print_text(d, "set label ", d->chart->keys[key].text);
  print_at(d, x, y);
  fputs(" left", d->script);
  if (colour < CHART_KEYS)
    fprintf(d->script, " point pt %s ps 0.8 lc rgb '%s' offset 1,-0.15",
            chart_shape(colour), chart_colour(colour));
  fputc('\n', d->script);
}

static void print_legend(const struct drawing *d) {
  const struct chart *chart = d->chart;
  bool lines = chart->legend == CHART_IN_LINES;
  int x = d->panel->row_count ? 16 : chart->box.left;
  int y = lines ? KEY_TOP : chart->head / 2;
  for (size_t i = 0; i < chart->key_count; i++) {
    bool marked = chart->keys[i].colour < CHART_KEYS;
    print_key(d, i, lines && marked ? x + 4 : x, y);
    if (lines)
      y += KEY_PIXELS;
    else
      x += (marked ? 36 : 14) +
           CHART_CHARACTER_PIXELS * (int)strlen(chart->keys[i].text);
  }
}

static void print_point(const struct drawing *d, size_t series,
                        const struct chart_point *p) {
  const enum chart_scale y = d->panel->y.scale;
  double lo = y == CHART_LINEAR ? p->lo : fmax(p->lo, p->y / 10);
  if (d->panel->row_count)
    fprintf(d->script, "%.6g %.4f %.6g %.6g\n", p->x,
            chart_row_height(d->panel, series, p->y),
            isnan(p->lo) ? p->x : p->lo, isnan(p->hi) ? p->x : p->hi);
  else
    fprintf(d->script, "%.5f %.6g %.6g %.6g\n",
            chart_place(d->panel->x.scale, p->x), chart_place(y, p->y),
            chart_place(y, lo), chart_place(y, p->hi));
}

static void print_data(const struct drawing *d) {
  for (size_t i = 0; i < d->panel->count; i++) {
    const struct chart_series *series = d->panel->series[i];
    fprintf(d->script, "$s%zu << END\n", i);
    for (size_t j = 0; j < series->count; j++)
      print_point(d, i, &series->points[j]);
    if (series->extends && series->count)
      fprintf(
          d->script, "%.5f %.6g\n", d->panel->range.x_hi,
          chart_place(d->panel->y.scale, series->points[series->count - 1].y));
    fputs("END\n", d->script);
  }
}

static bool has_interval(const struct chart_series *series) {
  for (size_t i = 0; i < series->count; i++)
    if (series->points[i].lo < series->points[i].hi) return true;
  return false;
}

/* Points that are not joined, with their intervals. */
static void plot_apart(const struct drawing *d,
                       const struct chart_series *series, double size) {
  const char *way =
      has_interval(series) ? "1:2:3:4 with yerrorbars" : "1:2 with points";
  if (d->panel->row_count) way = "1:2:3:4 with xerrorbars";
  fprintf(d->script, "using %s lc rgb '%s' lw 1.5 pt %d ps %g", way,
          chart_colour(series->colour), mark_of(series), size);
}

static void plot_interval(const struct drawing *d, size_t index) {
  const struct chart_series *series = d->panel->series[index];
  if (series->interval == CHART_BARS && !has_interval(series)) return;
  fprintf(d->script, ", $s%zu ", index);
  if (series->interval == CHART_BARS)
    plot_apart(d, series, 0.7);
  else
    fprintf(d->script, "using 1:3:4 with filledcurves lc rgb '%s'",
            chart_colour(series->colour));
}

/* Of open marks the line shows. */
static void plot_series(const struct drawing *d, size_t index) {
  const struct chart_series *series = d->panel->series[index];
  const char *colour = series->grey ? "#9A9A9A" : chart_colour(series->colour);
  const char *dash = dashes[series->dash % DASHES];
  double size = d->panel->row_count ? 0.8 : series->apart ? 0.6 : 0.45;
  if (series->open) size = 0.7;
  if (series->size > 0) size = series->size;
  if (series->grey) size = 0.3;
  if (series->interval) plot_interval(d, index);
  fprintf(d->script, ", $s%zu ", index);
  if (series->apart)
    plot_apart(d, series, size);
  else if (series->unmarked)
    fprintf(d->script, "using 1:2 with lines lc rgb '%s' lw 2 dt %s", colour,
            dash);
  else
    fprintf(d->script,
            "using 1:2 with linespoints lc rgb '%s' lw %d dt %s pt %d ps %g "
            "pi %zu",
            colour, series->grey ? 1 : 2, dash, mark_of(series), size,
            series->every ? series->every : 1);
}

static void print_plot(const struct drawing *d) {
  const struct chart_panel *panel = d->panel;
  fputs("plot ", d->script);
  if (panel->diagonal)
    fputs("x with lines lc rgb '#808080' lw 1 dt 1", d->script);
  else if (!isnan(panel->level))
    fprintf(d->script, "%g lc rgb '#808080' lw 1", panel->level);
  else
    fputs("NaN", d->script);
  for (size_t i = 0; i < panel->count; i++)
    if (panel->series[i]->count) plot_series(d, i);
  fputc('\n', d->script);
}

/* In the place behind the last panel, where labels need a plot to be drawn
 * with. */
static void print_legend_panel(const struct drawing *d) {
  const struct chart *chart = d->chart;
  int x = place_x(d) + chart->box.left, y = place_y(d) + chart->box.top;
  int width = chart->box.width - chart->box.left - chart->box.right;
  int height = chart->box.height - chart->box.top - chart->box.bottom;
  print_margins(d);
  fputs(
      "unset border\nunset grid\nunset xtics\nunset ytics\n"
      "set xlabel ''\nset ylabel ''\n",
      d->script);
  for (size_t i = 0; i < chart->key_count; i++)
    print_key(d, i, x + width / 25,
              y + (int)((double)i * CELL_KEY_PIXELS * height /
                        (chart->box.height - CELL_TOP)));
  fprintf(d->script, "plot %g with lines notitle lc rgb '#FFFFFF'\n",
          d->chart->panels->range.y_hi + 1);
}

void chart_gnuplot(FILE *script, const struct chart *chart,
                   enum chart_format format) {
  struct drawing d = {.script = script, .chart = chart};
  gnuplot_terminal(script, chart_width(chart), chart_height(chart),
                   format == CHART_PNG);
  fputs(
      "set encoding utf8\n"
      "set datafile missing 'NaN'\n"
      "set key off\nset border 3 lc rgb '#808080'\n"
      "set tics nomirror textcolor rgb '#000000'\n"
      "set grid y lc rgb '#C0808080' lt 1 lw 0.5\n"
      "set style fill transparent solid 0.22 noborder\n"
      "set multiplot\n",
      script);
  for (; d.index < chart->count; d.index++) {
    d.panel = &chart->panels[d.index];
    print_margins(&d);
    print_axes(&d);
    print_titles(&d);
    print_band(&d);
    print_marks(&d);
    if (!d.index && d.chart->legend != CHART_IN_PANEL) print_legend(&d);
    print_ends(&d);
    print_beyond(&d);
    print_data(&d);
    print_plot(&d);
  }
  if (chart->legend == CHART_IN_PANEL) print_legend_panel(&d);
  fputs("unset multiplot\n", script);
}
