/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/recording.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

void recording_note(struct recording *rec, size_t point, size_t rep,
                    double ns) {
  rec->ns[point * RECORDING_REPS + rep] = ns;
}

void recording_note_canary(struct recording *rec, double ns) {
  *ARRAY_ADD(rec->canary, rec->canaries) = ns;
}

/* Others take time, none give any: the lower quartile of a point came out the
 * same again more nearly than the least and the median did (by 4.9, 5.1 and
 * 6.2 % from run to run of a virtual machine with busy neighbours). */
static const double typical = 0.25;

/* But where it is asked what others take, half of the time they take more; and
 * half of the draws of given pages are worse. */
static double quantile_of(const struct cal_curve *curve) {
  const struct bench *bench = bench_of(curve);
  bool even = (bench && bench->settle_ns > 0) ||
              !strcmp(curve->pages, hp_kind_given()->name);
  return even ? 0.5 : typical;
}

void recording_curves(const struct recording *rec, const size_t *chosen,
                      size_t count, struct calibration *cal) {
  const double *ns = rec->ns;
  double sorted[RECORDING_REPS];
  for (size_t i = 0; i < cal->curve_count; i++) {
    struct cal_curve *curve = &cal->curves[i];
    const double quantile = quantile_of(curve);
    for (size_t p = 0; p < curve->count; p++, ns += RECORDING_REPS) {
      for (size_t r = 0; r < count; r++) sorted[r] = ns[chosen[r]];
      gsl_sort(sorted, 1, count);
      curve->points[p].ns =
          gsl_stats_quantile_from_sorted_data(sorted, 1, count, quantile);
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
