/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/measure.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/progress.h"
#include "experiments/probe/kernels.h"
#include "experiments/results/ratio.h"

enum { STEPS = 1 << 14 /* that are not interrupted */ };
static const size_t least = (size_t)16 << 20; /* footprints double from here */
/* A cache that is lost to neighbours is lost within 20 ms.  Pages differ more
 * from draw to draw than a draw from one tenth of a second to the next. */
static const double warm_s = 0.04, timed_s = 0.06;

struct stretch {
  struct spots spots;
  double ns; /* a step */
};

static void step(void *context) {
  struct stretch *s = context;
  double start = progress_now_s();
  kernel_chase(&s->spots, 1, STEPS);
  s->ns = 1e9 * (progress_now_s() - start) / STEPS;
}

/* Mean over `seconds`; NAN: interrupted. */
static double chase(struct stretch *s, double seconds) {
  double end = progress_now_s() + seconds, sum = 0, count = 0;
  while (progress_now_s() < end || !count) {
    s->spots.seed = s->spots.seed * 31 + 7;
    if (interruptible(step, s)) return NAN;
    sum += s->ns;
    count++;
  }
  return sum / count;
}

static void add_curve(struct steady *steady, const struct hp_region *region,
                      size_t bytes) {
  struct cal_curve *curve = &steady->curves[steady->count];
  steady->regions[steady->count++] = region;
  *curve = (struct cal_curve){.step_bytes = LINE_BYTES, .chains = 1};
  curve->points = memory_zeroed(STEADY_POINTS, sizeof *curve->points);
  snprintf(curve->name, sizeof curve->name, "steady_chase");
  snprintf(curve->pages, sizeof curve->pages, "%s", region->kind->name);
  for (size_t x = least; x <= bytes && curve->count < STEADY_POINTS; x *= 2)
    curve->points[curve->count++] =
        (struct cal_point){(double)x, NAN, NAN, NAN};
}

int steady_pass(struct steady *steady) {
  unsigned number = steady->passes;
  if (number == STEADY_PASSES) return 0;
  for (size_t i = 0; i < STEADY_POINTS; i++)
    for (size_t c = 0; c < steady->count; c++) {
      const struct cal_curve *curve = &steady->curves[c];
      if (i >= curve->count) continue;
      struct stretch s = {{.base = steady->regions[c]->base,
                           .count = (uint64_t)curve->points[i].x / LINE_BYTES,
                           .step_bytes = LINE_BYTES,
                           .seed = number + 1},
                          0};
      if (isnan(chase(&s, warm_s))) return -1;
      steady->times[c][i][number] = chase(&s, timed_s);
      if (isnan(steady->times[c][i][number])) return -1;
    }
  steady->passes++;
  return 0;
}

void steady_summarize(const double *times, size_t kinds, unsigned passes,
                      struct cal_point **points) {
  double all[STEADY_PASSES] = {0}, some[STEADY_PASSES];
  unsigned out = passes / 6;
  /* What all kinds took at a pass: they differ by their ratio to it. */
  for (unsigned n = 0; n < passes; n++) {
    for (size_t c = 0; c < kinds; c++) all[n] += log(times[c * passes + n]);
    all[n] = exp(all[n] / (double)kinds);
  }
  double level = ratio_median(memcpy(some, all, passes * sizeof *all), passes);
  for (size_t c = 0; c < kinds; c++) {
    const double *own = times + c * passes;
    for (unsigned n = 0; n < passes; n++) some[n] = own[n] / all[n];
    points[c]->ns = level * ratio_median(some, passes);
    gsl_sort(memcpy(some, own, passes * sizeof *own), 1, passes);
    points[c]->lo = fmin(points[c]->ns, some[out]);
    points[c]->hi = fmax(points[c]->ns, some[passes - 1 - out]);
  }
}

void steady_begin(struct steady *steady, const struct calibration *cal,
                  const struct workspaces *workspaces, size_t bytes) {
  *steady = (struct steady){0};
  if (bytes < least) return;
  steady->times = memory_zeroed(CALIBRATION_KINDS, sizeof *steady->times);
  for (size_t i = 0; i < workspaces->count; i++) {
    const struct hp_region *region = &workspaces->regions[i];
    /* Was it found to be what it was asked to be? */
    if (steady->count < CALIBRATION_KINDS &&
        calibration_curve(cal, "page_chase", region->kind->name, 1))
      add_curve(steady, region, bytes);
  }
}

void steady_add(struct steady *steady, struct calibration *cal) {
  double here[CALIBRATION_KINDS * STEADY_PASSES];
  struct cal_point *points[CALIBRATION_KINDS];
  unsigned passes = steady->passes;
  for (size_t i = 0; steady->count && i < steady->curves[0].count; i++) {
    for (size_t c = 0; c < steady->count; c++) {
      points[c] = &steady->curves[c].points[i];
      memcpy(here + c * passes, steady->times[c][i], passes * sizeof *here);
    }
    steady_summarize(here, steady->count, passes, points);
  }
  for (size_t i = 0; i < steady->count; i++)
    *ARRAY_ADD(cal->curves, cal->curve_count) = steady->curves[i];
  steady->count = 0;
}

void steady_fini(struct steady *steady) {
  for (size_t i = 0; i < steady->count; i++) free(steady->curves[i].points);
  free(steady->times);
  *steady = (struct steady){0};
}
