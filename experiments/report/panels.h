/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/panels.h -- figures of a few panels of lines, side by
 * side, each with axes of its own: what a model says, and what was measured. */
#ifndef EXPERIMENTS_REPORT_PANELS_H
#define EXPERIMENTS_REPORT_PANELS_H
#include "experiments/report/plot_lines.h"
#include "experiments/report/survey.h"

struct panel {
  char of[80]; /* what it is of, above its title: "apsp_matmul, n = 256" */
  char title[96];
  const char *x, *y; /* what the axes are */
  double tics;       /* of x, apart; 0: as usual */
  bool log_y;
  bool from_zero;   /* does x begin there */
  bool of_no_input; /* it is what a model says, of no machine of the results */
  struct plot_lines lines;
};

enum { PANELS = 3 };

/* Fills panels, which are zeros before, of what there is, and returns how many.
 */
typedef size_t panels_fill(const struct survey *survey,
                           struct panel panels[PANELS]);

/* Tics of x, six at most: in steps of 1, 2 or 5 and zeros. */
void panel_round_tics(struct panel *panel);

/* Leave those without lines out; how many are left. */
size_t panels_keep(struct panel *panels, size_t count);

/* As struct figure has them. */
void panels_draw(FILE *script, const struct survey *survey,
                 enum plot_format format, panels_fill *fill);
void panels_write_csv(FILE *out, const struct survey *survey,
                      panels_fill *fill);
bool panels_any(const struct survey *survey, panels_fill *fill);
#endif
