/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels of data: where the line chase bends, and by how much; then all parts.
 */
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "experiments/calibrate/derivation.h"

/* How far beyond the last cache the chase tells of memory's time: a sixteenth
 * of accesses hits the cache there, and translation, which is subtracted, is
 * not yet most of it. */
static const double beyond_last = 16;

/* Memory's own time is told by points beyond the last knee by so much, if they
 * are so many. */
static const double knee_past = 4;
enum { BEYOND_LEAST = 4 };

/* Add the line chase on `kind`, less translation. */
static void collect(const struct calibration *cal, const char *kind,
                    struct step_points *points) {
  const struct cal_curve *lines = calibration_curve(cal, "line_chase", kind, 1);
  double end = beyond_last * cal->levels[cal->level_count - 2].bytes_reported;
  for (size_t i = 0; lines && i < lines->count; i++) {
    const struct cal_point *p = &lines->points[i];
    if (p->x > end || points->count == STEP_FIT_POINTS) break;
    points->at[points->count++] =
        (struct step_point){p->x, data_ns(cal, kind, p->x), p->ns};
  }
}

/*
 * Memory's time from what lies beyond the last cache alone, point by point:
 * with that cache's knee the fit above trades it away where others change its
 * share of the cache all the time.  Where some times the knee are accessed, a
 * knee that is a fifth off moves it by a twentieth.
 */
static double beyond(const struct step_points *points,
                     const struct step_fit *fit) {
  double steps[STEP_FIT_POINTS];
  size_t count = 0, last = fit->steps - 1;
  struct step_fit before = *fit;
  before.steps = last;
  for (size_t p = 0; p < points->count; p++) {
    const struct step_point *point = &points->at[p];
    double missed = 1 - fit->knee[last] / point->x;
    if (missed < 1 - 1 / knee_past) continue;
    steps[count++] = (point->y - step_fit_at(&before, point->x)) / missed;
  }
  return count < BEYOND_LEAST ? fit->step[last]
                              : fmax(0, gsl_stats_median(steps, 1, count));
}

static void derive_levels(struct calibration *cal) {
  size_t caches = cal->level_count ? cal->level_count - 1 : 0;
  struct step_points points = {.count = 0};
  struct step_fit fit = {.steps = caches};
  for (size_t i = 0; i < cal->level_count; i++)
    cal->levels[i].bytes_usable = cal->levels[i].ns = cal->levels[i].in_flight =
        derived(NAN);
  if (!caches) return;
  /* Where a knee may lie by the size that the system reports.  Near caches are
   * a core's own.  Of the last one others have their part, on virtual machines
   * nearly all of it; and more than is reported, where the report is of what
   * the host lets its guest see. */
  for (size_t i = 0; i < caches; i++) {
    double bytes = cal->levels[i].bytes_reported;
    bool last = i + 1 == caches;
    fit.least[i] = bytes / (last ? 64 : 3);
    fit.most[i] = bytes * (last ? 4 : 1.5);
  }
  for (size_t i = 0; i < cal->page_count; i++)
    collect(cal, cal->pages[i].kind, &points);
  if (!points.count) return;
  step_fit(&points, &fit);
  fit.step[caches - 1] = beyond(&points, &fit);
  double ns = fit.base;
  for (size_t i = 0; i < cal->level_count; i++) {
    cal->levels[i].ns.value = ns;
    if (i == caches) break;
    cal->levels[i].bytes_usable.value = fit.knee[i];
    ns += fit.step[i];
  }
}

void derive(struct calibration *cal) {
  derive_levels(cal);
  derive_tlbs(cal);
  derive_walks(cal);
  derive_overlaps(cal);
  derive_neighbours(cal);
}
