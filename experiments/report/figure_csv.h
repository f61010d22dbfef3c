/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/figure_csv.h -- lines of the CSV of a figure. */
#pragma once
#include <stdio.h>

/*
 * Print cells, each a character of `format` and what it takes:
 *   s  const char *: a text in quotes, whatever the text
 *   w  const char *: a word, as it is
 *   u  uint64_t
 *   g  double: six digits; nothing where it is not finite
 *   l  double: a logarithm, five digits behind the point
 *   -  nothing: an empty cell
 * '|' begins a line, whose first cell has no comma before it; '\n' ends it.
 */
void figure_csv(FILE *out, const char *format, ...);
