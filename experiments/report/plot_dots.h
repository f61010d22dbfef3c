/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/plot_dots.h -- a panel of named rows with dots in them,
 * each a number with its interval: for what has a name and no size.
 *
 * Fill the dots, write their data, and draw the panel that plot_panel() went
 * to:
 *
 *   struct plot_dots dots = {0};
 *   size_t row = plot_dots_row(&dots, "1  AMD EPYC");
 *   plot_dots_add(&dots, row, 0, 12.5, 12, 13, colour);
 *   plot_dots_write(script, &dots, 0);
 *   struct plot_range range = plot_dots_range(&dots);
 *   plot_panel(script, &grid, 0, "tau, ns", &range);
 *   plot_dots_draw(script, &dots, 0, NULL);
 */
#ifndef EXPERIMENTS_REPORT_PLOT_DOTS_H
#define EXPERIMENTS_REPORT_PLOT_DOTS_H
#include "experiments/report/plot.h"

enum {
  PLOT_DOTS_ROWS = 24,
  PLOT_DOTS_MOST = 256,
  PLOT_DOTS_NAME = 144,
};

struct plot_dot {
  size_t row, slot, colour;
  double x, lo, hi; /* x: there is no interval */
};

struct plot_dots {
  char rows[PLOT_DOTS_ROWS][PLOT_DOTS_NAME];
  struct plot_dot dots[PLOT_DOTS_MOST];
  size_t row_count, count;
};

/* The row of that name, a new one below the others where there is none. */
size_t plot_dots_row(struct plot_dots *dots, const char *name);
/* Dots of a row stand below each other by their slots.  What is no number, or
 * finds no room, is left out. */
void plot_dots_add(struct plot_dots *dots, size_t row, size_t slot, double x,
                   double lo, double hi, size_t colour);

/* A data block for each colour, before plot_begin(). */
void plot_dots_write(FILE *script, const struct plot_dots *dots, size_t panel);

/* x from 0 to beyond all intervals; a unit a row. */
struct plot_range plot_dots_range(const struct plot_dots *dots);

/* Pixels that the names of the rows take, and that all rows take. */
int plot_dots_left(const struct plot_dots *dots);
int plot_dots_height(const struct plot_dots *dots);

/* `behind`: what else to plot, before the dots; NULL: nothing. */
void plot_dots_draw(FILE *script, const struct plot_dots *dots, size_t panel,
                    const char *behind);
#endif
