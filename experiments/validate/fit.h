/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/fit.h -- the two numbers that are fitted per program.
 *
 * c, the time of an operation whose data are at hand, from the sizes within the
 * second-level cache; the overlap o, the share of its waiting that an operation
 * is kept by, from the sizes on base pages up to the median one.  Each model
 * has its own two; RAM has c alone.
 */
#pragma once
#include "experiments/validate/models.h"
#include "experiments/validate/points.h"

/* The most that o may be: every wait in full. */
#define FIT_OVERLAP_MOST 1.0

/* Fit `model` without the terms of `without` to a program that is not left
 * out. */
struct fitted fit_program(const struct model *model, unsigned without,
                          const struct points *points,
                          const struct program *program);
