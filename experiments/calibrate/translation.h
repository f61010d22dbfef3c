/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/translation.h -- split what an access to random places
 * costs into data and translation.
 *
 * A page chase over n pages touches n lines, so what it costs more than a line
 * chase over n lines is translation: e(n) = t_page(n) - t_line(n lines), and
 * as those n lines lie on few pages of their own, that again is freed of e of
 * them.  A line chase over as many pages translates the same pages at random
 * and pays the same e.
 */
#pragma once
#include "experiments/probe/calibration.h"

/* ns an access to random lines of n random base pages of `kind` takes for
 * translation; NAN without curves. */
double translation_ns(const struct calibration *cal, const char *kind,
                      double pages);

/* ns an access to random lines in `bytes` takes apart from that. */
double data_ns(const struct calibration *cal, const char *kind, double bytes);

/* The kind whose translation costs least: of the largest pages. */
const struct cal_pages *translation_best(const struct calibration *cal);
