/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last cache has room for C bytes.  Others bring v bytes a ns into it, so a
 * line that comes back after t ns and d bytes of other lines of ours is still
 * there if d + v t < C.  Of N lines accessed at random, each taking y ns, k
 * accesses touch N (1 - exp(-k/N)) lines, and a line is away for more than k of
 * them with probability exp(-k/N).  So the share m that misses is exp(-k/N) for
 * that k at which
 *
 *     64 N (1 - m) + v k y = C,      k = -N ln m,
 *
 * which tells v: each point of settled_chase by itself.
 */
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/probe/kernels.h"

enum { POINTS = 128, LEAST = 3 };

/* Where nearly all or nearly none are missed, it is not known how long a line
 * stays. */
static const double missed_least = 0.05, missed_most = 0.95;

/* Random accesses to x bytes, if the last cache has all of them. */
static double all_near_ns(const struct calibration *cal, double x) {
  double ns = cal->levels[0].ns.value;
  for (size_t i = 0; i + 2 < cal->level_count; i++)
    ns += (cal->levels[i + 1].ns.value - cal->levels[i].ns.value) *
          fmax(0, 1 - cal->levels[i].bytes_usable.value / x);
  return ns;
}

/* The share of a chase's accesses that come from memory; NAN where nearly all
 * or nearly none do. */
static double missed_by(const struct calibration *cal, const char *kind,
                        double bytes, double ns) {
  if (cal->level_count < 2) return NAN;
  const struct cal_level *last = &cal->levels[cal->level_count - 2];
  const struct cal_curve *pages = calibration_curve(cal, "page_chase", kind, 1);
  if (!pages) return NAN;
  double data = ns - translation_ns(cal, kind, bytes / pages->step_bytes);
  double missed =
      (data - all_near_ns(cal, bytes)) / (last[1].ns.value - last->ns.value);
  return missed > missed_least && missed < missed_most ? missed : NAN;
}

double derive_neighbours_by(const struct calibration *cal, const char *kind,
                            double bytes, double ns) {
  double missed = missed_by(cal, kind, bytes, ns);
  if (isnan(missed)) return NAN;
  double usable = cal->levels[cal->level_count - 2].bytes_usable.value;
  double away_ns = -bytes / LINE_BYTES * log(missed) * ns;
  return fmax(0, usable - bytes * (1 - missed)) / away_ns;
}

double derive_last_by(const struct calibration *cal, const char *kind,
                      double bytes, double ns) {
  return bytes * (1 - missed_by(cal, kind, bytes, ns));
}

void derive_neighbours(struct calibration *cal) {
  double found[POINTS];
  size_t count = 0, points = 0;
  cal->neighbours = derived(NAN);
  for (size_t i = 0; i < cal->page_count && cal->level_count > 1; i++) {
    const char *kind = cal->pages[i].kind;
    const struct cal_curve *curve =
        calibration_curve(cal, "settled_chase", kind, 1);
    for (size_t p = 0; curve && p < curve->count && count < POINTS; p++) {
      double value = derive_neighbours_by(cal, kind, curve->points[p].x,
                                          curve->points[p].ns);
      points++;
      if (isfinite(value)) found[count++] = value;
    }
  }
  if (count >= LEAST)
    cal->neighbours.value = gsl_stats_median(found, 1, count);
  else if (points && isfinite(cal->levels[cal->level_count - 2].ns.value))
    cal->neighbours.value = 0; /* all that fits stays */
}
