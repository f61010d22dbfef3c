/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/probe/chase_curve.h -- read a curve between its points.
 *
 * A chase accesses one of x spots, each as likely as any other, whatever came
 * before.  The number of other spots since a spot's last access is then evenly
 * distributed over 0..x-1, so the mean time t(x) is the mean of L(d), the time
 * of an access at distance d, over all d < x: L(d) = d (x t(x)) / dx at x = d.
 */
#pragma once
#include "experiments/probe/calibration.h"

/* t(x), straight between points over log x, level outside of them; NAN where
 * there is no point, or no curve. */
double curve_at(const struct cal_curve *curve, double x);

/*
 * L(d): constant between points, as x t(x) is taken for straight there, and
 * level outside of them.  Noise may let slopes fall where L cannot: it is the
 * never falling sequence nearest to them in squares, weighted by length.  NAN
 * with fewer than two points, or no curve.
 */
double curve_distance(const struct cal_curve *curve, double distance);
