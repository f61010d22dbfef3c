/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/chart_file.h -- a chart as a picture. */
#pragma once
#include "experiments/report/chart.h"

/* Draw it, finished, as SVG, or as PNG if the name of `path`, which --figure
 * gave, ends so.  An exit code; what is wrong has been told. */
int chart_file_write(const struct chart *chart, const char *path);

/* As SVG, to free(); NULL: it has no points, or gnuplot is missing. */
char *chart_svg(const struct chart *chart);
