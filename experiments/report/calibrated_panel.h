/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/calibrated_panel.h -- what panels of the calibrated and
 * the integrated model (doc/calibrated.md) begin with. */
#pragma once
#include "experiments/report/figure.h"

#define CALIBRATED_LOG2 "log\342\202\202 "

/* "NVIDIA H100, measured", the GPU of that results file; "GeForce GTX 480,
 * predicted" where that is NULL.  What is, and the axes. */
struct chart_panel *calibrated_panel(struct chart *chart,
                                     const struct survey *of, const char *what,
                                     const char *x, const char *y);

/* Lines of rows that were measured on a GPU. */
struct calibrated_lines {
  const char *algo, *x_axis, *y_axis;
  figure_row_test *is_drawn; /* of those of `algo` */
  /* Rows are of one line that differ in what this clears alone. */
  void (*clear)(struct sample_variant *variant);
  bool of_pages; /* and are on the same pages */
  void (*name)(const struct summary *row, char label[CHART_LABEL]);
  figure_row_value *x, *y;
};

/* All that all results files have of them, of which `of` is the first; NULL:
 * there are none. */
struct chart_panel *calibrated_rows(struct chart *chart,
                                    const struct survey *survey,
                                    const struct calibrated_lines *lines,
                                    const struct survey **of);
