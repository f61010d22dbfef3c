/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/cli/memory.h"

enum { RESAMPLES = 100, PARTS = 4, SEED = 1 };
enum { VALUES_MOST = 192 };
enum { DRAWS = RESAMPLES + PARTS };

/* Every derived value, in one fixed order; how many. */
static size_t list_values(struct calibration *cal,
                          struct cal_value *values[VALUES_MOST]) {
  size_t count = 0;
  for (size_t i = 0; i < cal->level_count; i++) {
    values[count++] = &cal->levels[i].bytes_usable;
    values[count++] = &cal->levels[i].ns;
    values[count++] = &cal->levels[i].in_flight;
    values[count++] = &cal->levels[i].read_ns;
    values[count++] = &cal->levels[i].update_ns;
  }
  for (size_t i = 0; i < cal->page_count; i++) {
    struct cal_pages *pages = &cal->pages[i];
    for (size_t t = 0; t < CALIBRATION_TLBS; t++) {
      values[count++] = &pages->tlb[t].entries;
      values[count++] = &pages->tlb[t].extra_ns;
    }
    values[count++] = &pages->tau_ns;
    values[count++] = &pages->tc_nodes;
    values[count++] = &pages->walks_in_flight;
    for (size_t l = 0; l < cal->level_count; l++)
      values[count++] = &pages->table_line_ns[l];
  }
  values[count++] = &cal->stream_read;
  values[count++] = &cal->stream_write;
  values[count++] = &cal->stream_copy;
  values[count++] = &cal->neighbours;
  return count;
}

/* Curves of its own; the rest is derived anew. */
static void copy_curves(const struct calibration *cal,
                        struct calibration *copy) {
  *copy = *cal;
  copy->machine = NULL;
  copy->curves = memory_zeroed(cal->curve_count + 1, sizeof *copy->curves);
  for (size_t i = 0; i < cal->curve_count; i++) {
    struct cal_curve *curve = &copy->curves[i];
    *curve = cal->curves[i];
    curve->points = memory_get((curve->count + 1) * sizeof *curve->points);
    memcpy(curve->points, cal->curves[i].points,
           curve->count * sizeof *curve->points);
  }
}

/* With replacement; the last PARTS draws are what parts of the time give alone,
 * as many as have passes enough, or all of it. */
static void resample(const struct recording *rec, gsl_rng *rng, size_t draw,
                     struct calibration *copy) {
  size_t chosen[RECORDING_REPS], count = rec->reps, from = 0;
  size_t parts = count / CALIBRATION_REPETITIONS < PARTS
                     ? count / CALIBRATION_REPETITIONS
                     : PARTS;
  bool part = draw >= RESAMPLES;
  if (part && draw - RESAMPLES < parts) {
    from = (draw - RESAMPLES) * count / parts;
    count /= parts;
  }
  for (size_t i = 0; i < count; i++)
    chosen[i] = part ? from + i : gsl_rng_uniform_int(rng, count);
  recording_curves(rec, chosen, count, copy);
  derive(copy);
}

static void include(struct cal_value *value, double found) {
  value->lo = fmin(value->lo, found); /* of NAN: the other */
  value->hi = fmax(value->hi, found);
}

/* Of what was found in some resamples; a value that most do not find is not
 * sure at all. */
static void set_interval(struct cal_value *value, double found[DRAWS]) {
  double sorted[RESAMPLES];
  size_t count = 0;
  for (size_t i = 0; i < RESAMPLES; i++)
    if (isfinite(found[i])) sorted[count++] = found[i];
  value->lo = value->hi = NAN;
  if (!isfinite(value->value) || count < RESAMPLES / 2) return;
  gsl_sort(sorted, 1, count);
  value->lo = gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.025);
  value->hi = gsl_stats_quantile_from_sorted_data(sorted, 1, count, 0.975);
  include(value, value->value);
  for (size_t i = RESAMPLES; i < DRAWS; i++) include(value, found[i]);
}

void intervals(struct calibration *cal, const struct recording *rec) {
  struct cal_value *values[VALUES_MOST], *copies[VALUES_MOST];
  struct calibration copy = {0};
  size_t count = list_values(cal, values);
  double *found = memory_zeroed(count * DRAWS, sizeof *found);
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  copy_curves(cal, &copy);
  if (rec->reps >= CALIBRATION_REPETITIONS) {
    gsl_rng_set(rng, SEED);
    list_values(&copy, copies);
    for (size_t r = 0; r < DRAWS; r++) {
      resample(rec, rng, r, &copy);
      for (size_t i = 0; i < count; i++)
        found[i * DRAWS + r] = copies[i]->value;
    }
    for (size_t i = 0; i < count; i++)
      set_interval(values[i], &found[i * DRAWS]);
  }
  free(found);
  gsl_rng_free(rng);
  calibration_fini(&copy);
}
