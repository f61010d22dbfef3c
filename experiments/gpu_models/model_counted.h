/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/model_counted.h -- what was counted of a row, for
 * models. */
#pragma once
#include <stdbool.h>

#include "experiments/results/summary.h"
#include "gpu_algos/models/gpu_counts.h"

/* A counter's median; NAN: it has none of that name. */
double model_counter(const struct summary *row, const char *name);

/* False where the row has nothing of it; what is missing is NAN. */
bool model_counts_of(const struct summary *row, struct gpu_counts *counts);

/* Accesses to global memory, as the TMM model has them: lines, and sectors of
 * what is atomic; NAN: they were not counted. */
double model_counts_accesses(const struct summary *row);
