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

typedef bool figure_row_test(const struct summary *row);    /* false for NULL */
typedef double figure_row_value(const struct summary *row); /* NAN: none */

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
  const void *of; /* the chart's `of`, where fill() makes several figures */
  /*
   * All that is drawn as numbers: the names of columns, and one of three
   * functions that print by figure_csv().  All NULL: a line a point.
   */
  const char *head; /* NULL where write_lines() prints them */
  /* A line each row of `is_drawn`: program, pages and size, the cells of
   * `head`, and the input. */
  void (*write_cells)(FILE *out, const struct summary *row);
  figure_row_test *is_drawn;
  void (*write_point)(FILE *out, const struct chart_panel *panel,
                      const struct chart_series *series,
                      const struct chart_point *point);
  void (*write_lines)(FILE *out, const struct survey *survey);
};

extern const struct figure *const figures[]; /* NULL-ended, reading order */

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

/*
 * Print cells of a CSV, each a character of `format` and what it takes:
 *   s  const char *: a text in quotes, whatever the text
 *   w  const char *: a word, as it is
 *   u  uint64_t
 *   g  double: six digits; nothing where it is not finite
 *   l  double: a logarithm, five digits behind the point
 *   -  nothing: an empty cell
 * '|' begins a line, whose first cell has no comma before it; '\n' ends it.
 */
void figure_csv(FILE *out, const char *format, ...);

/* Programs a figure draws at most; more would be no figure but a wall. */
enum { FIGURE_PROGRAMS_MAX = 24 };
size_t figure_programs(const struct survey *survey);

#define FIGURE_LOG2 "log\342\202\202 "
#define FIGURE_LOG2_N FIGURE_LOG2 "n"

/* "NVIDIA H100, measured", the GPU of that results file; "GeForce GTX 480,
 * predicted" where that is NULL.  What is, and the axes. */
struct chart_panel *figure_gpu_panel(struct chart *chart,
                                     const struct survey *of, const char *what,
                                     const char *x, const char *y);

bool figure_has_kind(const struct survey *survey, const char *kind,
                     figure_row_test *is_drawn);

/* The row's program beside a line: what is longer ends with an ellipsis. */
enum { FIGURE_LABEL = 44 };
const char *figure_label(const struct summary *row, char label[FIGURE_LABEL],
                         size_t most); /* bytes, FIGURE_LABEL at most */
#define FIGURE_LABELED(row) \
  figure_label((row), (char[FIGURE_LABEL]){""}, FIGURE_LABEL)

/* For the caption: which programs are those of section 2.1 of the thesis, and
 * which are tuned versions of others.  `beside` says how one stands beside the
 * other. */
void figure_tell_thesis(struct chart *chart, const struct survey *survey,
                        const char *beside);

/* The line of a tuned program has the colour of the one it is tuned of, dashed
 * and with open marks where that is drawn, too. */
void figure_mark_tuned(struct chart_series *series, const struct survey *survey,
                       size_t program);
#define FIGURE_TUNED_LINES "dashed, in the same colour"

/* A program's rows on one kind of pages over log2 n, in ascending order. */
void figure_add_rows(struct chart_series *series, const struct survey *survey,
                     size_t program, const char *kind,
                     figure_row_test *is_drawn, figure_row_value *value);
