/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A processor goes on behind an access that waits until its window is full of
 * instructions.  What it has computed by then takes T where nothing waits: so T
 * is how much work hides behind a miss, and how far apart two may lie that wait
 * together.  Of reads of random lines, with work that takes c for each, T / c
 * go on at once.  If all of them wait for l, each takes
 *
 *     t = l c / T,
 *
 * c being t where all is near, and l what the chase takes.  Each point beyond
 * the last cache tells T by itself; it is least where the work fills the window
 * before so many lines are under way as there can be.
 */
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "experiments/calibrate/chase_curve.h"
#include "experiments/calibrate/derive.h"

enum { POINTS = 128, LEAST = 2 };

/* From so many times the last cache on nearly all of the reads wait. */
static const double beyond_last = 8;

/* What waits for nothing and has no work takes less by this factor, or else it
 * is not the window that is full. */
static const double windowed = 1.2;

static double window_by(const struct cal_curve *worked,
                        const struct cal_curve *reads,
                        const struct cal_curve *chase, size_t p) {
  double c = worked->points[0].ns, t = worked->points[p].ns;
  double x = worked->points[p].x;
  if (!(t > windowed * curve_at(reads, x) && t > windowed * c)) return NAN;
  return c * curve_at(chase, x) / t;
}

void derive_window(struct calibration *cal) {
  double found[POINTS];
  size_t count = 0;
  cal->window_ns = (struct cal_value){NAN, NAN, NAN};
  if (cal->level_count < 2) return;
  double last = cal->levels[cal->level_count - 2].bytes_usable.value;
  for (size_t i = 0; i < cal->page_count; i++) {
    const char *kind = cal->pages[i].kind;
    const struct cal_curve *worked =
        calibration_curve(cal, "worked_read", kind, 1);
    const struct cal_curve *reads =
        calibration_curve(cal, "random_read", kind, 1);
    const struct cal_curve *chase =
        calibration_curve(cal, "line_chase", kind, 1);
    for (size_t p = 0; worked && p < worked->count && count < POINTS; p++) {
      if (!(worked->points[p].x >= beyond_last * last)) continue;
      double value = window_by(worked, reads, chase, p);
      if (value > 0) found[count++] = value;
    }
  }
  if (count >= LEAST) cal->window_ns.value = gsl_stats_median(found, 1, count);
}
