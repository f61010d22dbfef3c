/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/nonneg.h -- least squares where nothing is negative.
 *
 * Costs are sums of times, none of which is negative.  Made for a handful of
 * unknowns and many solutions a second: points are added up into the normal
 * equations, and these are solved one unknown after the other, cut off at 0.
 */
#pragma once
#include <stddef.h>

enum { NONNEG_UNKNOWNS = 8 };

struct nonneg {
  size_t unknowns, points; /* unknowns set by the caller, the rest zeroed */
  double a[NONNEG_UNKNOWNS][NONNEG_UNKNOWNS], b[NONNEG_UNKNOWNS], yy;
  double x[NONNEG_UNKNOWNS]; /* the solution; where to start from before */
};

/* Add: the sum of row[i] x[i] should be y, give or take `scale`. */
void nonneg_add(struct nonneg *nonneg, const double *row, double y,
                double scale);

/* Find x.  Returns the root of the mean square of what is left, in scales. */
double nonneg_solve(struct nonneg *nonneg);
