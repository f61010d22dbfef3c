/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a figure draws by and what it writes, as text. */
#ifndef TESTS_EXPERIMENTS_REPORT_FIGURE_FIXTURE_H
#define TESTS_EXPERIMENTS_REPORT_FIGURE_FIXTURE_H
#include <stdbool.h>

#include "experiments/report/figure.h"

/* A row of six repetitions of the usual input, "4k" being base pages; times are
 * 10 ns an operation, its ratio is none, both to be changed. */
struct summary figure_row(const char *algo, const char *pages, uint64_t n);

/* Give the row a counter. */
void figure_count(struct summary *row, const char *name, uint64_t value);

/* Of "Some machine"; release it with survey_fini(). */
struct survey figure_survey(const struct summary *rows, size_t count);

/* Within a part in 10^5; else both are printed. */
bool figure_near(double value, double expected);

/* The caller frees them. */
char *figure_script_of(const struct figure *figure,
                       const struct survey *survey);
char *figure_csv_of(const struct figure *figure, const struct survey *survey);

/* y of a line at x in the CSV of panels; NAN where it is not. */
double figure_y_of(const char *csv, const char *panel, const char *line,
                   const char *axis, const char *x);

/* Does `text` have `part`?  Else both are printed. */
bool figure_text_has(const char *text, const char *part);
#endif
