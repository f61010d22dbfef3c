/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves between their points. */
#include <math.h>

#include "experiments/probe/calibration.h"

/* Index of the last point at or before x, at most count - 2. */
static size_t piece(const struct cal_curve *curve, double x) {
  size_t low = 0, high = curve->count - 1;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (curve->points[middle].x <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

double curve_at(const struct cal_curve *curve, double x) {
  if (!curve || !curve->count || !(x > 0)) return NAN;
  const struct cal_point *points = curve->points;
  if (x <= points[0].x || curve->count == 1) return points[0].ns;
  if (x >= points[curve->count - 1].x) return points[curve->count - 1].ns;
  const struct cal_point *a = &points[piece(curve, x)], *b = a + 1;
  double share = log(x / a->x) / log(b->x / a->x);
  return a->ns + share * (b->ns - a->ns);
}

/* x t(x) between two points by its slope, the mean of L over them. */
static double slope(const struct cal_point *a, const struct cal_point *b) {
  return (b->x * b->ns - a->x * a->ns) / (b->x - a->x);
}

double curve_distance(const struct cal_curve *curve, double distance) {
  if (!curve || curve->count < 2 || !(distance >= 0)) return NAN;
  const struct cal_point *points = curve->points;
  if (distance < points[0].x) return points[0].ns;
  /* Isotonic regression by its formula max over i <= k of min over j >= k of
   * the mean slope from i to j: one chord of x t(x) against another. */
  size_t at = piece(curve, distance);
  double most = points[0].ns;
  for (size_t i = 0; i <= at; i++) {
    double least = INFINITY;
    for (size_t j = at + 1; j < curve->count; j++)
      least = fmin(least, slope(&points[i], &points[j]));
    most = fmax(most, least);
  }
  return most;
}
