/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/plot.h"

#include <math.h>
#include <stdlib.h>

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
enum { COLOURS = sizeof colours / sizeof *colours };

const char *plot_colour(size_t index) { return colours[index % COLOURS]; }

const char *plot_shape(size_t index) {
  return shapes[(index + index / COLOURS) % COLOURS];
}

/* PNG at twice the pixels, for screens and print alike. */
static void terminal(FILE *script, int width, int height,
                     enum plot_format format) {
  if (format == PLOT_SVG)
    fprintf(script,
            "set terminal svg size %d,%d dynamic noenhanced rounded "
            "font 'sans-serif,13' background 'white' name 'figure'\n",
            width, height);
  else
    fprintf(script,
            "set terminal pngcairo size %d,%d noenhanced rounded "
            "font 'sans,10' fontscale 2 linewidth 2 pointscale 2 "
            "background 'white'\n",
            2 * width, 2 * height);
}

enum { FOOT_PIXELS = 22 };

static int height_of(const struct plot_grid *grid) {
  return grid->head + grid->rows * grid->height +
         (grid->foot ? FOOT_PIXELS : 0);
}

void plot_begin(FILE *script, const struct plot_grid *grid,
                enum plot_format format) {
  terminal(script, grid->columns * grid->width, height_of(grid), format);
  fputs(
      "set encoding utf8\n"
      "set datafile missing 'NaN'\n"
      "set key off\n"
      "set border 3 lc rgb '#808080'\n"
      "set tics nomirror textcolor rgb '#000000'\n"
      "set grid y lc rgb '#C0808080' lt 1 lw 0.5\n"
      "set style fill transparent solid 0.22 noborder\n"
      "set multiplot\n",
      script);
}

void plot_end(FILE *script) { fputs("unset multiplot\n", script); }

static double screen_x(const struct plot_grid *grid, int pixels) {
  return (double)pixels / (grid->columns * grid->width);
}

/* Pixels count from the top, gnuplot from the bottom. */
static double screen_y(const struct plot_grid *grid, int pixels) {
  return 1 - (double)pixels / height_of(grid);
}

/* A title stands so far above its panel. */
enum { TITLE_PIXELS = 14 };

/* Labels belong to the panel that is drawn next. */
static void print_foot(FILE *script, const struct plot_grid *grid) {
  fputs("set label 98 ", script);
  gnuplot_quote(script, grid->foot);
  fprintf(script,
          " at screen %.5f, screen %.5f right font ',10' "
          "textcolor rgb '#707070'\n",
          screen_x(grid, grid->columns * grid->width - 8),
          screen_y(grid, height_of(grid) - FOOT_PIXELS / 2));
}

void plot_panel(FILE *script, const struct plot_grid *grid, size_t index,
                const char *title, const struct plot_range *range) {
  int x = (int)(index % (size_t)grid->columns) * grid->width;
  int y = grid->head + (int)(index / (size_t)grid->columns) * grid->height;
  double span = range->x_hi - range->x_lo;
  int pixels = grid->width - grid->left - grid->right;
  double step = span * 24 < pixels ? 1 : span * 12 < pixels ? 2 : 4;
  fprintf(script,
          "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
          "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
          screen_x(grid, x + grid->left),
          screen_x(grid, x + grid->width - grid->right),
          screen_y(grid, y + grid->top),
          screen_y(grid, y + grid->height - grid->bottom));
  fprintf(script, "set xrange [%g:%g]\nset yrange [%g:%g]\nset xtics %g\n",
          range->x_lo, range->x_hi, range->y_lo, range->y_hi, step);
  fputs("unset label\nunset arrow\nset label 99 ", script);
  gnuplot_quote(script, title);
  fprintf(script, " at screen %.5f, screen %.5f left font ',14'\n",
          screen_x(grid, x + grid->left),
          screen_y(grid, y + grid->top - TITLE_PIXELS));
  if (grid->foot && !index) print_foot(script, grid);
}

void plot_kicker(FILE *script, const struct plot_grid *grid, size_t index,
                 const char *text) {
  int x = (int)(index % (size_t)grid->columns) * grid->width;
  int y = grid->head + (int)(index / (size_t)grid->columns) * grid->height;
  fputs("set label 97 ", script);
  gnuplot_quote(script, text);
  fprintf(script, " at screen %.5f, screen %.5f left\n",
          screen_x(grid, x + grid->left),
          screen_y(grid, y + grid->top - TITLE_PIXELS - 20));
}

void plot_labels(FILE *script, const char *x, const char *y) {
  fputs("set xlabel ", script);
  gnuplot_quote(script, x);
  fputs(" offset 0,0.4\nset ylabel ", script);
  gnuplot_quote(script, y);
  fputs(" offset 0.6,0\n", script);
}

void plot_legend(FILE *script, const struct plot_grid *grid, int x,
                 const char *colour, const char *shape, const char *text) {
  plot_legend_at(script, grid, x, grid->head / 2, colour, shape, text);
}

void plot_legend_at(FILE *script, const struct plot_grid *grid, int x, int y,
                    const char *colour, const char *shape, const char *text) {
  fputs("set label ", script);
  gnuplot_quote(script, text);
  fprintf(script, " at screen %.5f, screen %.5f left", screen_x(grid, x),
          screen_y(grid, y));
  if (shape)
    fprintf(script, " point pt %s ps 0.8 lc rgb '%s' offset 1,-0.15", shape,
            colour);
  fputc('\n', script);
}

void plot_round_x(struct plot_range *range) {
  range->x_lo = floor(range->x_lo);
  range->x_hi = ceil(range->x_hi);
  if (range->x_hi - range->x_lo >= 1) return;
  range->x_lo -= 1;
  range->x_hi += 1;
}

static int compare_ends(const void *a, const void *b) {
  const struct plot_end *x = a, *y = b;
  return (x->y > y->y) - (x->y < y->y);
}

void plot_spread_ends(struct plot_end *ends, size_t count, double top,
                      double gap) {
  qsort(ends, count, sizeof *ends, compare_ends);
  for (size_t i = 1; i < count; i++)
    ends[i].y = fmax(ends[i].y, ends[i - 1].y + gap);
  for (size_t i = count; i-- > 0; top = ends[i].y - gap)
    ends[i].y = fmin(ends[i].y, top);
}
