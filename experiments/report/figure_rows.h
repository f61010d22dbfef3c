/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/figure_rows.h -- rows of a survey as series over log2 n,
 * and as lines of a CSV. */
#pragma once
#include <stdio.h>

#include "experiments/report/chart.h"
#include "experiments/report/survey.h"

/* Programs a figure draws at most; more would be no figure but a wall. */
enum { FIGURE_PROGRAMS_MAX = 24 };
size_t figure_programs(const struct survey *survey);

#define FIGURE_LOG2_N "log\342\202\202 n"

typedef bool figure_row_test(const struct summary *row);    /* false for NULL */
typedef double figure_row_value(const struct summary *row); /* NAN: none */

bool figure_has_kind(const struct survey *survey, const char *kind,
                     figure_row_test *is_drawn);

/* A program's rows on one kind of pages, in ascending order. */
void figure_add_rows(struct chart_series *series, const struct survey *survey,
                     size_t program, const char *kind,
                     figure_row_test *is_drawn, figure_row_value *value);

/* Program, pages and size, then `head` and what `cells` prints, then input. */
void figure_write_rows(FILE *out, const struct survey *survey,
                       figure_row_test *is_drawn, const char *head,
                       void (*cells)(FILE *out, const struct summary *row));
