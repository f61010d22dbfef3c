/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/chart_gnuplot.h -- a chart as a script for gnuplot, which
 * gnuplot.h runs; nothing else knows gnuplot's language. */
#pragma once
#include <stdio.h>

#include "experiments/report/chart.h"

enum chart_format { CHART_SVG, CHART_PNG };

/* Of a chart that was finished. */
void chart_gnuplot(FILE *script, const struct chart *chart,
                   enum chart_format format);

/* Okabe and Ito's colours but yellow, which white paper swallows; and a shape
 * for each: "7", "5", ...; where colours come again, the shape is another. */
const char *chart_colour(size_t index);
const char *chart_shape(size_t index);
