/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/plot.h -- what the figures share: panels, axes, colours.
 *
 * A figure is a grid of panels with equal axes, so that they can be compared
 * by eye.  All functions print gnuplot commands.
 */
#ifndef EXPERIMENTS_REPORT_PLOT_H
#define EXPERIMENTS_REPORT_PLOT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum plot_format { PLOT_SVG, PLOT_PNG };

struct plot_grid {
  int columns, rows;
  int width, height;            /* of a panel, in pixels */
  int left, right, top, bottom; /* margins inside a panel */
  int head;                     /* above all panels, for a legend */
  const char *foot;             /* small print below all panels, or NULL */
};

struct plot_range {
  double x_lo, x_hi, y_lo, y_hi;
};

/* Okabe and Ito's colours but yellow, which white paper swallows. */
const char *plot_colour(size_t index);
/* A shape for each colour: "7", "5", ...; where colours come again, the shape
 * is another. */
const char *plot_shape(size_t index);

void plot_begin(FILE *script, const struct plot_grid *grid,
                enum plot_format format);
void plot_end(FILE *script);

/* Go to the index-th panel, row by row; draws its title and sets both axes. */
void plot_panel(FILE *script, const struct plot_grid *grid, size_t index,
                const char *title, const struct plot_range *range);

/* What that panel is of, in a line above its title. */
void plot_kicker(FILE *script, const struct plot_grid *grid, size_t index,
                 const char *text);

/* Labels of the axes for the panels that follow; "" for none. */
void plot_labels(FILE *script, const char *x, const char *y);

/* A legend entry in the head, `x` pixels from the left: text after a mark, or
 * alone where `shape` is NULL. */
void plot_legend(FILE *script, const struct plot_grid *grid, int x,
                 const char *colour, const char *shape, const char *text);

/* The same so many pixels below the top, for heads of several rows. */
void plot_legend_at(FILE *script, const struct plot_grid *grid, int x, int y,
                    const char *colour, const char *shape, const char *text);

/* Labels are 15 pixels high, so lines may not end closer; a character is at
 * most 7 wide, on average. */
enum { PLOT_LABEL_PIXELS = 15, PLOT_CHARACTER_PIXELS = 7 };

/* The label at the end of a line. */
struct plot_end {
  size_t line;
  double value, y; /* what it says, where it stands */
};

/* Push labels apart by `gap`: upwards first, then down from the top edge. */
void plot_spread_ends(struct plot_end *ends, size_t count, double top,
                      double gap);

/* Widen to whole numbers, and a single point to an interval. */
void plot_round_x(struct plot_range *range);
#endif
