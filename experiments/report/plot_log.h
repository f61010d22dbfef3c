/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/plot_log.h -- axes of logarithms, marked in plain numbers.
 *
 * Call after plot_panel(), which marks the logarithms themselves.
 */
#ifndef EXPERIMENTS_REPORT_PLOT_LOG_H
#define EXPERIMENTS_REPORT_PLOT_LOG_H
#include <stdio.h>

/* The axis ('x' or 'y') of log10: 0.5, 1, 2, 5, 10, ...; powers of ten alone
 * where it has no room for others. */
void plot_log_numbers(FILE *script, char axis, double lo, double hi);

/* The x axis of log2: "4 KiB", "32 KiB", ... */
void plot_log_bytes(FILE *script, double lo, double hi);
#endif
