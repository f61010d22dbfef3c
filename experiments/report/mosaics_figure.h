/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/mosaics_figure.h -- what models told of layouts, over what
 * was measured. */
#pragma once
#include "experiments/report/chart.h"
#include "experiments/validate/mosaics.h"

/* A panel for each model that told something, a series for each program.
 * chart_fini() it. */
void mosaics_figure_fill(const struct mosaics *mosaics, struct chart *chart);

/* Draw it to a file; as plan_figure_write(). */
int mosaics_figure_write(const struct mosaics *mosaics, const char *path);
