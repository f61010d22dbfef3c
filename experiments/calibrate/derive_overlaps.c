/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes on at once, and streams. */
#include <math.h>
#include <string.h>

#include "experiments/calibrate/chase_curve.h"
#include "experiments/calibrate/derive.h"
#include "experiments/calibrate/translation.h"

enum { LINE = 64 };

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

/* Time of one chain over that of many, at a footprint that lies in the level as
 * far as one does. */
static double level_in_flight(const struct calibration *cal, size_t level,
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
    double least = fmin(fastest(cal, "line_chains", kind, x),
                        fastest(cal, "random_read", kind, x));
    in_flight = ns / least;
  }
  return in_flight;
}

/*
 * Where walks are what the time goes into, so many as go on at once take the
 * time of one: translation in one chain over all the time of an access in many.
 * At four times the last TLB's reach three accesses in four walk, and all that
 * they need is in near caches yet.
 */
static double walks_in_flight(const struct calibration *cal,
                              const struct cal_pages *pages) {
  const struct cal_curve *one =
      calibration_curve(cal, "page_chains", pages->kind, 1);
  double in_flight = NAN, off = INFINITY;
  double reach = pages->tc_nodes.value * pages->granularity_bytes;
  for (size_t i = 0; one && i < one->count; i++) {
    double x = one->points[i].x, ns = one->points[i].ns;
    double times = x * one->step_bytes / reach;
    if (!(times > 1.5) || fabs(log(times / 4)) >= off) continue;
    off = fabs(log(times / 4));
    in_flight = (ns - data_ns(cal, pages->kind, x * LINE)) /
                fastest(cal, "page_chains", pages->kind, x);
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

void derive_overlaps(struct calibration *cal) {
  const struct cal_pages *best = translation_best(cal);
  const char *kind = best ? best->kind : "";
  for (size_t i = 0; i < cal->level_count; i++)
    cal->levels[i].in_flight.value = level_in_flight(cal, i, kind);
  for (size_t i = 0; i < cal->page_count; i++)
    cal->pages[i].walks_in_flight =
        (struct cal_value){walks_in_flight(cal, &cal->pages[i]), NAN, NAN};
  cal->stream_read =
      (struct cal_value){from_memory(cal, "stream_read", kind), NAN, NAN};
  cal->stream_write =
      (struct cal_value){from_memory(cal, "stream_write", kind), NAN, NAN};
  cal->stream_copy =
      (struct cal_value){from_memory(cal, "stream_copy", kind), NAN, NAN};
}
