/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes on at once, and streams. */
#include <math.h>
#include <string.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/probe/calibration.h"

enum { LINE = 64, FEWEST = 8 };

/* How far beyond the last cache translation is not yet most of what a random
 * read takes. */
static const double beyond_last = 32;

/* The least time of an access to x, however many chains; NAN: none. */
static double fastest(const struct calibration *cal, const char *name,
                      const char *kind, double x) {
  double ns = NAN;
  for (size_t i = 0; i < cal->curve_count; i++) {
    const struct cal_curve *curve = &cal->curves[i];
    if (strcmp(curve->name, name) || strcmp(curve->pages, kind)) continue;
    ns = fmin(ns, curve_at(curve, x));
  }
  return ns;
}

/*
 * ns an access that waits for nothing takes in each level: steps of the curve
 * `name` at the knees that the chases have, which tell more than one footprint
 * could of a level where others come and go.  NAN where there is no curve.
 */
static void unwaited(const struct calibration *cal, const char *name,
                     const char *kind, double ns[CALIBRATION_LEVELS]) {
  const struct cal_curve *curve = calibration_curve(cal, name, kind, 1);
  struct step_points points = {.count = 0};
  size_t caches = cal->level_count ? cal->level_count - 1 : 0;
  struct step_fit fit = {.steps = caches};
  for (size_t i = 0; i < CALIBRATION_LEVELS; i++) ns[i] = NAN;
  for (size_t i = 0; i < caches; i++)
    fit.least[i] = fit.most[i] = cal->levels[i].bytes_usable.value;
  double end = caches ? beyond_last * fit.most[caches - 1] : 0;
  for (size_t i = 0; curve && i < curve->count; i++) {
    const struct cal_point *p = &curve->points[i];
    if (!(p->x <= end) || points.count == STEP_FIT_POINTS) break;
    points.at[points.count++] = (struct step_point){p->x, p->ns, p->ns};
  }
  if (points.count < FEWEST || points.at[points.count - 1].x < end / 4) return;
  step_fit(&points, &fit);
  ns[0] = fit.base;
  for (size_t i = 0; i < caches; i++) ns[i + 1] = ns[i] + fit.step[i];
}

/* Time of one chain over that of many, at a footprint that lies in the level as
 * far as one does. */
static double chains_in_flight(const struct calibration *cal, size_t level,
                               const char *kind) {
  const struct cal_curve *one = calibration_curve(cal, "line_chains", kind, 1);
  double above = level ? cal->levels[level - 1].bytes_usable.value : 0;
  bool memory = level + 1 == cal->level_count;
  double below = memory ? INFINITY : cal->levels[level].bytes_usable.value;
  double in_flight = NAN, off = INFINITY;
  for (size_t i = 0; one && i < one->count; i++) {
    double x = one->points[i].x, ns = one->points[i].ns;
    if (x <= above || x > below) continue;
    double aim = memory ? 8 * above : sqrt(fmax(above, 4096) * below);
    if (fabs(log(x / aim)) >= off) continue;
    off = fabs(log(x / aim));
    in_flight = ns / fastest(cal, "line_chains", kind, x);
  }
  return in_flight;
}

/*
 * Where walks are what the time goes into, so many as go on at once take the
 * time of one: translation in one chain over all the time of an access in many.
 * That is never more than go on at once, and less where lines of data are what
 * the time goes into: the most of all footprints, and of as little as once the
 * last TLB's reach no more is known than of noise.
 */
static double walks_in_flight(const struct calibration *cal,
                              const struct cal_pages *pages) {
  const struct cal_curve *one =
      calibration_curve(cal, "page_chains", pages->kind, 1);
  double in_flight = NAN;
  double reach = pages->tc_nodes.value * pages->granularity_bytes;
  for (size_t i = 0; one && i < one->count; i++) {
    double x = one->points[i].x, ns = one->points[i].ns;
    if (!(x * one->step_bytes > 1.5 * reach)) continue;
    in_flight =
        fmax(in_flight, (ns - data_ns(cal, pages->kind, x * LINE)) /
                            fastest(cal, "page_chains", pages->kind, x));
  }
  return in_flight > 0 ? in_flight : NAN; /* by noise alone */
}

/* ns a line of a curve's last points: all of memory. */
static double from_memory(const struct calibration *cal, const char *name,
                          const char *kind) {
  const struct cal_curve *curve = calibration_curve(cal, name, kind, 1);
  double sum = 0;
  size_t count = 0;
  if (!curve) return NAN;
  for (size_t i = curve->count > 3 ? curve->count - 3 : 0; i < curve->count;
       i++, count++)
    sum += curve->points[i].ns;
  return count ? sum / (double)count : NAN;
}

/* The kind whose translation costs least: of the largest pages. */
static const char *largest_kind(const struct calibration *cal) {
  const struct cal_pages *best = cal->pages;
  for (size_t i = 1; i < cal->page_count; i++)
    if (cal->pages[i].page_bytes > best->page_bytes) best = &cal->pages[i];
  return cal->page_count ? best->kind : "";
}

void derive_overlaps(struct calibration *cal) {
  const char *kind = largest_kind(cal);
  double read_ns[CALIBRATION_LEVELS], update_ns[CALIBRATION_LEVELS];
  unwaited(cal, "random_read", kind, read_ns);
  unwaited(cal, "random_update", kind, update_ns);
  for (size_t i = 0; i < cal->level_count; i++) {
    struct cal_level *level = &cal->levels[i];
    level->read_ns = derived(read_ns[i]);
    level->update_ns = derived(update_ns[i]);
    level->in_flight.value = /* of NAN: other */
        fmax(level->ns.value / read_ns[i], chains_in_flight(cal, i, kind));
  }
  for (size_t i = 0; i < cal->page_count; i++)
    cal->pages[i].walks_in_flight =
        derived(walks_in_flight(cal, &cal->pages[i]));
  cal->stream_read = derived(from_memory(cal, "stream_read", kind));
  cal->stream_write = derived(from_memory(cal, "stream_write", kind));
  cal->stream_copy = derived(from_memory(cal, "stream_copy", kind));
}
