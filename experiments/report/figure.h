/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/figure.h -- the figures of the report.
 *
 * Numbered as in Jurkiewicz's PhD thesis, whose figures they measure anew.  A
 * figure states its data twice: as CSV, and as a script that draws it.
 */
#ifndef EXPERIMENTS_REPORT_FIGURE_H
#define EXPERIMENTS_REPORT_FIGURE_H
#include <stdbool.h>
#include <stdio.h>

#include "experiments/report/plot.h"
#include "experiments/report/survey.h"

/* Programs a figure draws at most; more would be no figure but a wall. */
enum { FIGURE_PROGRAMS_MAX = 24 };

struct figure {
  const char *name; /* of its files: "fig-2.1" */
  const char *title;
  const char *caption; /* what is drawn, and what to see in it */
  const char *needs;   /* what is missing where it has no data */
  bool (*has_data)(const struct survey *survey);
  /* Draws; only called where it has data. */
  void (*draw)(FILE *script, const struct survey *survey,
               enum plot_format format);
  void (*csv)(FILE *out, const struct survey *survey);
};

extern const struct figure *const figures[]; /* NULL-ended, reading order */
extern const struct figure figure_operation_time, figure_page_ratio;

/* Programs drawn: all, up to FIGURE_PROGRAMS_MAX. */
size_t figure_programs(const struct survey *survey);
#endif
