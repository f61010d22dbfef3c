/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/measure.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/cli/interrupt.h"
#include "experiments/cli/memory.h"
#include "experiments/probe/bench.h"
#include "experiments/results/ratio.h"

void recording_init(struct recording *rec, const struct calibration *cal) {
  *rec = (struct recording){0};
  for (size_t i = 0; i < cal->curve_count; i++)
    rec->points += cal->curves[i].count;
  rec->ns = memory_zeroed(rec->points * RECORDING_REPS + 1, sizeof *rec->ns);
}

void recording_fini(struct recording *rec) {
  free(rec->ns);
  free(rec->canary);
  *rec = (struct recording){0};
}

/* Others take time, none give any: the lower quartile of a point came out the
 * same again more nearly than the least and the median did (by 4.9, 5.1 and
 * 6.2 % from run to run of a virtual machine with busy neighbours). */
static const double typical = 0.25;

void recording_curves(const struct recording *rec, const size_t *chosen,
                      size_t count, struct calibration *cal) {
  const double *ns = rec->ns;
  double sorted[RECORDING_REPS];
  for (size_t i = 0; i < cal->curve_count; i++) {
    struct cal_curve *curve = &cal->curves[i];
    const struct bench *bench = bench_of(curve);
    /* But where it is asked what others take, half of the time they take more;
     * and half of the draws of given pages are worse. */
    bool even = (bench && bench->settle_ns > 0) ||
                !strcmp(curve->pages, hp_kind_given()->name);
    for (size_t p = 0; p < curve->count; p++, ns += RECORDING_REPS) {
      for (size_t r = 0; r < count; r++) sorted[r] = ns[chosen[r]];
      gsl_sort(sorted, 1, count);
      curve->points[p].ns = gsl_stats_quantile_from_sorted_data(
          sorted, 1, count, even ? 0.5 : typical);
      curve->points[p].lo = sorted[0];
      curve->points[p].hi = sorted[count - 1];
    }
  }
}

void recording_noise(const struct recording *rec, struct calibration *cal) {
  struct cal_noise *noise = &cal->noise;
  noise->repetitions = (double)rec->reps;
  noise->canary_ns = noise->canary_range = noise->repeat_range = NAN;
  if (rec->canaries) {
    noise->canary_range = ratio_range(rec->canary, rec->canaries);
    noise->canary_ns =
        gsl_stats_median_from_sorted_data(rec->canary, 1, rec->canaries);
  }
  if (!rec->points || rec->reps < 2) return;
  double *ranges = memory_zeroed(rec->points, sizeof *ranges);
  for (size_t p = 0; p < rec->points; p++) {
    double reps[RECORDING_REPS];
    for (size_t r = 0; r < rec->reps; r++)
      reps[r] = rec->ns[p * RECORDING_REPS + r];
    ranges[p] = ratio_range(reps, rec->reps);
  }
  noise->repeat_range = gsl_stats_median(ranges, 1, rec->points);
  free(ranges);
}

/* The canary sings after so many points, some times a second. */
enum { CANARY_POINTS = 32 };

struct item {
  const struct cal_curve *curve;
  const struct hp_region *region;
  double x;
};

struct pass {
  struct item *items; /* a point over all curves */
  size_t *order, count;
  double llc_bytes;
  struct recording *rec;
  struct progress *progress;
  struct cpu_random random;
  const struct measure_time *time;
  /* What is timed now. */
  const struct item *item;
  uint64_t seed;
  double ns;
};

static void list_items(const struct calibration *cal,
                       const struct workspaces *workspaces, struct pass *pass) {
  for (size_t i = 0; i < cal->curve_count; i++) {
    const struct cal_curve *curve = &cal->curves[i];
    const struct hp_region *region = workspaces->regions;
    while (strcmp(region->kind->name, curve->pages)) region++;
    for (size_t p = 0; p < curve->count; p++, pass->count++) {
      pass->items[pass->count] =
          (struct item){curve, region, curve->points[p].x};
      pass->order[pass->count] = pass->count;
    }
  }
}

static void step_point(void *context) {
  struct pass *pass = context;
  const struct item *item = pass->item;
  pass->ns = bench_point(item->curve, item->x, item->region, pass->llc_bytes,
                         pass->seed);
}

static void step_canary(void *context) {
  struct pass *pass = context;
  pass->ns = bench_canary();
}

static int repetition(struct pass *pass, size_t rep) {
  struct recording *rec = pass->rec;
  cpu_random_shuffle(&pass->random, pass->order, pass->count);
  for (size_t i = 0; i < pass->count; i++) {
    const size_t point = pass->order[i];
    pass->item = &pass->items[point];
    pass->seed = cpu_random_next(&pass->random);
    if (interruptible(step_point, pass)) return -1;
    rec->ns[point * RECORDING_REPS + rep] = pass->ns;
    double left = pass->time->end_s - progress_now_s();
    double all = pass->time->end_s - pass->time->start_s;
    progress_draw(pass->progress, (all - left) / all, left,
                  pass->item->curve->name);
    if (i % CANARY_POINTS) continue;
    if (interruptible(step_canary, pass)) return -1;
    *ARRAY_ADD(rec->canary, rec->canaries) = pass->ns;
  }
  rec->reps = rep + 1;
  return 0;
}

int measure(const struct calibration *cal, const struct workspaces *workspaces,
            double until_s, const struct measure_time *time,
            struct recording *rec, struct progress *progress) {
  struct pass pass = {.rec = rec,
                      .progress = progress,
                      .random = {.state = 1 + rec->reps},
                      .time = time};
  const size_t before = rec->reps;
  for (size_t i = 0; i < cal->level_count; i++)
    pass.llc_bytes = fmax(pass.llc_bytes, cal->levels[i].bytes_reported);
  pass.items = memory_zeroed(rec->points + 1, sizeof *pass.items);
  pass.order = memory_zeroed(rec->points + 1, sizeof *pass.order);
  int failed = 0;
  list_items(cal, workspaces, &pass);
  double now = progress_now_s(), took = 0;
  for (size_t rep = before; !failed && rep < RECORDING_REPS; rep++) {
    if (rep > before && now + took > until_s) break;
    failed = repetition(&pass, rep);
    took = fmax(took, progress_now_s() - now);
    now = progress_now_s();
  }
  free(pass.items);
  free(pass.order);
  return failed;
}
