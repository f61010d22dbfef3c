/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_what_if.h -- what-if.html: what was predicted of
 * programs, beside what was measured.
 *
 * Of the objects that `vat profile --what-if --json` and `vat compare --json`
 * print, in pairs: the n-th profile is of the n-th comparison's program.
 */
#pragma once
#include <stddef.h>
#include <stdio.h>

#include "experiments/results/results.h"

/* One program on pages of 2 MiB; user time to that on 4 KiB pages. */
struct what_if_pair {
  char program[160];        /* UTF-8 */
  double user_s;            /* measured on 4 KiB pages */
  double predicted, lo, hi; /* intervals may be NAN */
  double measured, measured_lo, measured_hi;
};

/* Fill `pair` from two files.  -1 with `error`, a sentence. */
int what_if_pair_read(struct what_if_pair *pair, const char *profile,
                      const char *comparison, char error[RESULTS_ERROR_SIZE]);

/* An object a line.  -1: no memory for one. */
int report_what_if_json(FILE *to, const struct what_if_pair *pairs,
                        size_t count);
/* For a terminal. */
void report_what_if_text(FILE *to, const struct what_if_pair *pairs,
                         size_t count);

/* Write what-if.html to the directory `dir`, made where absent.  An exit code,
 * with `error` a sentence. */
int report_what_if_write(const struct what_if_pair *pairs, size_t count,
                         const char *dir, char error[RESULTS_ERROR_SIZE]);
