/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/nonneg.h"

#include <math.h>

enum { SWEEPS = 400 };

void nonneg_add(struct nonneg *n, const double *row, double y, double scale) {
  double weight = 1 / (scale * scale);
  n->points++;
  n->yy += weight * y * y;
  for (size_t i = 0; i < n->unknowns; i++) {
    n->b[i] += weight * row[i] * y;
    for (size_t j = 0; j < n->unknowns; j++)
      n->a[i][j] += weight * row[i] * row[j];
  }
}

/* b - a x for one row, with x[i] itself left out. */
static double rest(const struct nonneg *n, size_t i) {
  double rest = n->b[i];
  for (size_t j = 0; j < n->unknowns; j++)
    if (j != i) rest -= n->a[i][j] * n->x[j];
  return rest;
}

double nonneg_solve(struct nonneg *n) {
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double moved = 0;
    for (size_t i = 0; i < n->unknowns; i++) {
      if (!(n->a[i][i] > 0)) continue;
      double next = fmax(0, rest(n, i) / n->a[i][i]);
      moved = fmax(moved, fabs(next - n->x[i]));
      n->x[i] = next;
    }
    if (moved < 1e-5) break;
  }
  double left = n->yy;
  for (size_t i = 0; i < n->unknowns; i++)
    left += n->x[i] * (n->a[i][i] * n->x[i] - n->b[i] - rest(n, i));
  return n->points ? sqrt(fmax(0, left) / (double)n->points) : INFINITY;
}
