/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report.h -- results files as figures, tables and a page.
 *
 * The directory gets, for each results file, the figures as SVG, PNG and CSV,
 * the table as text, and one index.html over all of them that needs nothing
 * but itself.  Files are replaced whole, the page last.
 */
#pragma once
#include <stddef.h>

#include "experiments/results/results.h"

/*
 * Read a results file and write its report to `dir`, which is made where
 * absent. Returns an exit code of vat (see command.h): VAT_USAGE where it
 * cannot be read or the directory not be written, VAT_ABSENT without gnuplot;
 * `error` is then a sentence to print.
 */
int report_write(const char *path, const char *dir,
                 char error[RESULTS_ERROR_SIZE]);

/* The same for results that were read before; with the calibrations at
 * `machine_paths`, NULL-ended or NULL, and what the models predict of the first
 * results by the first of them.
 * VAT_FAILED without `error`: a signal came, which interrupt_die() passes on.
 */
int report_write_results(const struct results *results,
                         const char *const *results_paths, size_t count,
                         const char *const *machine_paths, const char *dir,
                         char error[RESULTS_ERROR_SIZE]);
