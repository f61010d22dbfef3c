/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/chart_tics.h -- tics of axes that are no plain numbers,
 * for chart_gnuplot.c; `lo` and `hi` are logarithms. */
#pragma once
#include <stdio.h>

#include "experiments/report/chart.h"

void chart_tics_log(FILE *script, char axis, double lo, double hi);
void chart_tics_bytes(FILE *script, double lo, double hi);  /* of x */
void chart_tics_powers(FILE *script, double lo, double hi); /* of y */
void chart_tics_rows(FILE *script, const struct chart_panel *panel);
