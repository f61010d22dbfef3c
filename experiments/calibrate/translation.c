/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits what an access to random places costs into data and translation.
 *
 * A page chase over n pages touches n lines, so what it costs more than a line
 * chase over n lines is translation: e(n) = t_page(n) - t_line(n lines), and
 * as those n lines lie on few pages of their own, that again is freed of e of
 * them.  A line chase over as many pages translates the same pages at random
 * and pays the same e.
 */
#include <math.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/probe/calibration.h"

double translation_ns(const struct calibration *cal, const char *kind,
                      double pages) {
  const struct cal_curve *chase = calibration_curve(cal, "page_chase", kind, 1);
  const struct cal_curve *lines = calibration_curve(cal, "line_chase", kind, 1);
  if (!chase || !lines || !chase->count || !lines->count) return NAN;
  if (pages <= chase->points[0].x) return 0;
  return fmax(0, curve_at(chase, pages) -
                     data_ns(cal, kind, pages * lines->step_bytes));
}

double data_ns(const struct calibration *cal, const char *kind, double bytes) {
  const struct cal_curve *chase = calibration_curve(cal, "page_chase", kind, 1);
  const struct cal_curve *lines = calibration_curve(cal, "line_chase", kind, 1);
  if (!chase || !lines) return NAN;
  return curve_at(lines, bytes) -
         translation_ns(cal, kind, bytes / chase->step_bytes);
}
