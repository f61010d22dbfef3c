/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/plan_figure.h -- the curve of a plan as a figure. */
#pragma once
#include "experiments/exec/page_plan.h"
#include "experiments/report/chart.h"

/* A chart of `plan`'s curve, and of points that were measured: user time to
 * that on base pages over bytes.  Without points where the curve has no times.
 * chart_fini() it. */
void plan_figure_fill(const struct page_plan *plan,
                      const struct chart_point *measured, size_t count,
                      struct chart *chart);

/* Draw it to a file, as SVG, or as PNG if its name ends so.  An exit code; what
 * is wrong has been told. */
int plan_figure_write(const struct page_plan *plan, const char *path);
