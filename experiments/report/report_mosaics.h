/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_mosaics.h -- mosaics.html: what models told of
 * layouts, beside what was measured. */
#pragma once
#include "experiments/results/results.h"
#include "experiments/validate/mosaics.h"

/* Write mosaics.html to the directory `dir`, made where absent.  An exit code,
 * with `error` a sentence. */
int report_mosaics_write(const struct mosaics *mosaics, const char *dir,
                         char error[RESULTS_ERROR_SIZE]);
