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
  bool (*is_drawn)(const struct summary *row); /* false for NULL */
  /* Draws; only called where a row is drawn. */
  void (*draw)(FILE *script, const struct survey *survey,
               enum plot_format format);
  /* A row's numbers behind log2 n in a data block, and the last columns of its
   * line in the CSV, each with a comma before it. */
  void (*point)(FILE *script, const struct summary *row);
  const char *csv_head; /* names of those columns */
  void (*csv)(FILE *out, const struct summary *row);
};

extern const struct figure *const figures[]; /* NULL-ended, reading order */
extern const struct figure figure_operation_time, figure_page_ratio,
    figure_transposes;

/* Programs drawn: all, up to FIGURE_PROGRAMS_MAX. */
size_t figure_programs(const struct survey *survey);

/* Does the figure draw any row, or any of one page kind? */
bool figure_has_data(const struct figure *figure, const struct survey *survey);
bool figure_has_kind(const struct figure *figure, const struct survey *survey,
                     const char *kind);

/* The x axis, rounded; both ends of y are 0. */
struct plot_range figure_x_range(const struct figure *figure,
                                 const struct survey *survey);

/* A data block $dP_K for each program P and page kind K. */
void figure_write_data(const struct figure *figure, FILE *script,
                       const struct survey *survey);
void figure_write_csv(const struct figure *figure, FILE *out,
                      const struct survey *survey);
#endif
