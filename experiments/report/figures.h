/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/figures.h -- the table of figures. */
#ifndef EXPERIMENTS_REPORT_FIGURES_H
#define EXPERIMENTS_REPORT_FIGURES_H
#include "experiments/report/figure.h"

extern const struct figure *const figures[]; /* NULL-ended, reading order */
#endif
