/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/curve.h -- read a curve between its points.
 *
 * A chase accesses one of x lines, each as likely as any other, whatever came
 * before.  The number of other lines since a line's last access is then evenly
 * distributed over 0..x-1, so the mean time t(x) is the mean of L(d), the
 * time of an access at distance d, over all d < x: L(d) = d (x t(x)) / dx at
 * x = d.  Outside of the points the nearest piece is continued.
 */
#ifndef EXPERIMENTS_CALIBRATE_CURVE_H
#define EXPERIMENTS_CALIBRATE_CURVE_H
#include "experiments/calibrate/calibration.h"

/* t(x), straight between points over log x; NAN where there is no point. */
double curve_at(const struct cal_curve *curve, double x);

/*
 * L(d): x t(x) is taken for straight between points, after points of such a
 * form were replaced, where noise makes L fall, by the nearest that let it
 * never fall.  NAN with fewer than two points.
 */
double curve_distance(const struct cal_curve *curve, double distance);
#endif
