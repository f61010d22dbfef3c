/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/figure.h -- a figure of the report: a caption, and a chart
 * that it fills from results.
 *
 * Numbered as in Jurkiewicz's PhD thesis, whose figures they measure anew;
 * those of GPUs say whose they are.
 */
#pragma once
#include <stdio.h>

#include "experiments/report/chart.h"
#include "experiments/report/survey.h"

struct figure {
  const char *name; /* of its files: "fig-2.1"; no other's beginning */
  const char *title;
  const char *caption; /* what is drawn, and what to see in it */
  const char *needs;   /* what is missing where it has no data */
  bool of_gpu;         /* nobody misses it who has no GPU's results */
  const char *algo;    /* drawn once, with the first file that has it; NULL:
                          with each */
  /* Fills a chart of two GPUs' panels that names the machine; without points
   * there is no figure. */
  void (*fill)(const struct survey *survey, struct chart *chart);
  /* All that is drawn as numbers, with a head.  NULL: a line a point. */
  void (*write_csv)(FILE *out, const struct survey *survey,
                    const struct chart *chart);
};

/* "Figure 2.1. Normalised operation time"; a title alone where the thesis has
 * no such figure. */
enum { FIGURE_TITLE_SIZE = 160 };
const char *figure_title(const struct figure *figure,
                         char title[FIGURE_TITLE_SIZE]);

/* False: there are no data.  Release it with chart_fini() in any case. */
bool figure_chart(const struct figure *figure, const struct survey *survey,
                  struct chart *chart);
bool figure_has_data(const struct figure *figure, const struct survey *survey);

void figure_write_csv(const struct figure *figure, FILE *out,
                      const struct survey *survey, const struct chart *chart);
