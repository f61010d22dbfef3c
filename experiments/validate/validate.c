/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/results/ratio.h"

/* FULL holds if its held-out predictions are this near in the median ... */
#define HOLDS_MEDIAN 0.20
/* ... and nearer by this factor than with the programs' costs exchanged, where
 * that makes a difference. */
#define HOLDS_EXCHANGED 1.5

/* Where twice the last cache is gone through, half of the lines come from
 * memory. */
static struct points_sizes sizes_of(const struct calibration *cal) {
  const struct cal_level *level = calibration_level(cal, "L2");
  if (!level) level = &cal->levels[0];
  struct points_sizes sizes = {.cache_bytes = level->bytes_reported};
  if (!isfinite(sizes.cache_bytes))
    sizes.cache_bytes = level->bytes_usable.value;
  if (cal->level_count > 1)
    sizes.memory_bytes =
        2 * cal->levels[cal->level_count - 2].bytes_usable.value;
  return sizes;
}

/* What every prediction needs; the rest is looked at by kind of pages. */
static const char *machine_missing(const struct calibration *cal) {
  for (size_t i = 0; i < cal->level_count; i++)
    if (!isfinite(cal->levels[i].ns.value) ||
        (i + 1 < cal->level_count && !(cal->levels[i].bytes_usable.value > 0)))
      return cal->levels[i].name;
  return cal->level_count ? NULL : "any level";
}

/* Trees and profiles are of pages of 2^bits bytes; NAN: not known. */
static bool is_page(double bytes) {
  int exponent;
  return isnan(bytes) || (frexp(bytes, &exponent) == 0.5 && exponent > 12 &&
                          exponent <= 1 + STREAM_PAGE_BITS_MAX);
}

static int check_pages(const struct validation *v) {
  for (size_t i = 0; i < v->cal->page_count; i++) {
    const struct cal_pages *pages = &v->cal->pages[i];
    bool page = is_page(pages->page_bytes);
    if (page && is_page(pages->granularity_bytes)) continue;
    return fail(VAT_USAGE,
                "%s: \"%s\" of %s pages must be a power of two from 4096 to "
                "2^%d; fix: run vat calibrate again",
                v->machine_path, page ? "granularity_bytes" : "page_bytes",
                pages->kind, STREAM_PAGE_BITS_MAX);
  }
  return VAT_OK;
}

static int check_machine(const struct validation *v) {
  const char *missing = machine_missing(v->cal);
  if (missing)
    return fail(VAT_USAGE,
                "%s: the size and time of %s are missing; fix: run vat "
                "calibrate again, on an idle machine",
                v->machine_path, missing);
  if (check_pages(v)) return VAT_USAGE;
  if (!calibration_is_of(v->cal, v->results->machine))
    fail(VAT_OK,
         "warning: %s and %s are from different machines; fix: run vat "
         "calibrate on the machine of the results",
         v->machine_path, v->path);
  for (size_t i = 0; i < v->cal->warning_count; i++)
    fail(VAT_OK, "%s: warning: %s", v->machine_path, v->cal->warnings[i]);
  return VAT_OK;
}

/* Is row `i` the first on its kind of pages? */
static bool is_first(const struct validation *v, size_t i) {
  for (size_t j = 0; j < i; j++)
    if (!strcmp(v->rows[j].pages, v->rows[i].pages)) return false;
  return true;
}

/* Rows that can be predicted, compacted; the kinds of the others are named. */
static void drop_rows(struct validation *v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->row_count; i++) {
    const char *missing = costs_missing(v->cal, v->rows[i].pages);
    if (!is_first(v, i)) continue;
    if (missing)
      fail(VAT_OK, "note: %s pages are left out: %s", v->rows[i].pages,
           missing);
    else if (!calibration_pages(v->cal, v->rows[i].pages))
      fail(VAT_OK,
           "note: %s pages were not calibrated; the costs of %s pages, of the "
           "same size, are used",
           v->rows[i].pages,
           calibration_page_for(v->cal, v->rows[i].pages)->kind);
  }
  size_t once = 0;
  for (size_t i = 0; i < v->row_count; i++) {
    if (costs_missing(v->cal, v->rows[i].pages)) continue;
    once += v->rows[i].reps == 1 && !points_missing(&v->rows[i]);
    if (v->rows[i].reps != 1) v->rows[kept++] = v->rows[i];
  }
  v->row_count = kept;
  if (once)
    fail(VAT_OK,
         "note: %zu points are left out: they were measured only once, so "
         "their error is unknown; fix: vat run --reps 3",
         once);
}

/* No machine had measured more than its memory holds: the line is damaged. */
static int check_sizes(const struct validation *v) {
  double memory = (double)json_integer_value(
      json_object_get(v->results->machine, "memory_bytes"));
  for (size_t i = 0; i < v->points.count; i++) {
    const struct point *point = &v->points.points[i];
    if (point->bytes > 0 && (memory <= 0 || point->bytes <= memory)) continue;
    return fail(VAT_USAGE,
                "%s:%ld: %s of n = %llu does not fit the memory of the machine "
                "in the file; fix: delete the line",
                v->path, point->row->work->line, point->row->algo,
                (unsigned long long)point->row->n);
  }
  return VAT_OK;
}

/* Which rows are no points, and why: a line for each reason. */
static void note_missing(const struct validation *v) {
  const char *told[8];
  size_t count = 0;
  for (size_t i = 0; i < v->row_count; i++) {
    const char *missing = points_missing(&v->rows[i]);
    size_t rows = 0, k = 0;
    while (k < count && told[k] != missing) k++;
    if (!missing || k < count || count == sizeof told / sizeof *told) continue;
    told[count++] = missing;
    for (size_t j = i; j < v->row_count; j++)
      rows += points_missing(&v->rows[j]) == missing;
    fail(VAT_OK, "note: %zu of %zu rows are left out: %s", rows, v->row_count,
         missing);
  }
}

static int make_points(struct validation *v) {
  const struct results *r = v->results;
  summaries_make(r->samples, r->count, &v->rows, &v->row_count);
  size_t usable = 0;
  for (size_t i = 0; i < v->row_count; i++)
    usable += !points_missing(&v->rows[i]);
  note_missing(v);
  drop_rows(v);
  const struct points_sizes sizes = sizes_of(v->cal);
  points_init(&v->points, v->rows, v->row_count, &sizes);
  if (check_sizes(v)) return VAT_USAGE;
  for (size_t i = 0; i < v->points.program_count; i++)
    if (v->points.programs[i].left_out)
      fail(VAT_OK, "note: %s is left out: %s", v->points.programs[i].algo->name,
           v->points.programs[i].left_out);
  size_t pairs = points_pairs(&v->points);
  if (pairs >= VALIDATE_PAIRS) return VAT_OK;
  return fail(
      VAT_USAGE,
      "%s: only %zu sizes can be compared between page kinds, at least "
      "%d are needed; fix: %s",
      v->path, pairs, VALIDATE_PAIRS,
      v->points.count < usable
          ? "vat run --reps 3 at more --sizes, or vat calibrate all of its "
            "page kinds"
          : "vat run --pages 4k,thp --sizes 2^14:2^24*1.4 -o FILE");
}

/* Between the first half of a row's repetitions and the second. */
static double drift(const struct results *results, const struct summary *row) {
  double halves[2][64];
  size_t counts[2] = {0};
  for (size_t i = 0; i < results->count; i++) {
    const struct sample *s = &results->samples[i];
    if (!summary_has(row, s)) continue;
    size_t half = 2 * (size_t)s->rep >= row->reps;
    if (counts[half] < 64) halves[half][counts[half]++] = (double)s->ns;
  }
  if (!counts[0] || !counts[1]) return NAN;
  double first = ratio_median(halves[0], counts[0]);
  double second = ratio_median(halves[1], counts[1]);
  return fabs(second - first) / fmin(first, second);
}

/* The median of what canaries tell, by `tells`, which may be nothing: NAN.
 * Where they are too few it is `otherwise`. */
static double median_told(const struct validation *v,
                          double (*tells)(const struct validation *v,
                                          const struct results_canary *canary),
                          double otherwise) {
  const struct results *r = v->results;
  double *found = memory_get((r->canary_count + 1) * sizeof *found);
  size_t count = 0;
  for (size_t i = 0; i < r->canary_count; i++) {
    double value = tells(v, &r->canary[i]);
    if (isfinite(value)) found[count++] = value;
  }
  if (count >= VALIDATE_CHASES) otherwise = ratio_median(found, count);
  free(found);
  return otherwise;
}

static double last_told(const struct validation *v,
                        const struct results_canary *c) {
  if (!(c->line_ns > 0)) return NAN;
  double value = derive_last_by(v->cal, c->pages, c->line_bytes, c->line_ns);
  return isfinite(value) ? value : v->last_bytes;
}

/* How much of the last cache others leave changes from one hour to the next: so
 * much as the canary saw while programs ran counts, where the results tell. */
static void find_last(struct validation *v) {
  v->meanwhile = *v->cal;
  v->last_bytes = NAN;
  if (v->cal->level_count < 2) return;
  double *usable =
      &v->meanwhile.levels[v->cal->level_count - 2].bytes_usable.value;
  v->last_bytes = *usable;
  v->last_bytes = *usable = median_told(v, last_told, *usable);
}

/* Where a chase lost nothing, others brought in so little that it does not
 * tell: then nothing speaks against the calibration.  To leave it out would
 * count busy moments alone. */
static double neighbours_told(const struct validation *v,
                              const struct results_canary *c) {
  if (!*c->pages) return NAN;
  double value = derive_neighbours_by(&v->meanwhile, c->pages, c->bytes, c->ns);
  return isfinite(value) ? value : v->cal->neighbours.value;
}

/* Others come and go: what they brought in while programs ran counts, where the
 * results tell, rather than what they did when the machine was calibrated. */
static void find_neighbours(struct validation *v) {
  v->neighbours = median_told(v, neighbours_told, v->cal->neighbours.value);
  for (size_t i = 0; i < v->points.count; i++)
    v->points.points[i].costs.neighbours =
        isfinite(v->neighbours) ? v->neighbours : 0;
}

static void find_noise(struct validation *v) {
  const struct results *r = v->results;
  double *drifts =
      memory_get((v->points.count + r->canary_count + 1) * sizeof *drifts);
  size_t count = 0;
  for (size_t i = 0; i < v->points.count; i++) {
    double value = drift(v->results, v->points.points[i].row);
    if (isfinite(value)) drifts[count++] = value;
  }
  v->noise_floor = ratio_median(drifts, count);
  for (count = 0; count < r->canary_count; count++)
    drifts[count] = r->canary[count].ns_per_op;
  v->canary_range = ratio_range(drifts, count);
  free(drifts);
}

/* What the control shows, behind the errors. */
static void tell_control(const struct validation *v, bool tells, char *text,
                         size_t size) {
  if (v->exchange)
    snprintf(text, size,
             "; each program has the costs of another one, where its own are "
             "off by %.0f %%",
             100 * v->judged.exchanged.median);
  else if (v->points.used_programs < 2)
    snprintf(text, size, "; there is no other program to exchange it with");
  else if (!v->judged.own.count)
    snprintf(text, size,
             "; to exchange the programs makes no difference to it: larger "
             "sizes would; fix: vat run --time-budget 540");
  else
    snprintf(text, size,
             "; with the programs exchanged it is off by %.0f %%, where it is "
             "by %.0f %% as they are%s",
             100 * v->judged.exchanged.median, 100 * v->judged.own.median,
             tells ? "" : ": it does not tell programs apart");
}

static void conclude(struct validation *v) {
  const struct judged *j = &v->judged;
  double full = j->all[MODEL_FULL].time.median;
  char control[200];
  bool near = full <= HOLDS_MEDIAN;
  bool tells = v->points.used_programs < 2 ||
               j->exchanged.median >= HOLDS_EXCHANGED * j->own.median;
  tell_control(v, tells, control, sizeof control);
  v->holds = near && tells;
  snprintf(v->verdict, sizeof v->verdict,
           "%s: FULL predicts what it was not fitted to within %.1f %% in the "
           "median (RAM %.0f %%, EM %.0f %%, VAT %.0f %%)%s%s",
           v->holds ? "holds" : "does not hold", 100 * full,
           100 * j->all[MODEL_RAM].time.median,
           100 * j->all[MODEL_EM].time.median,
           100 * j->all[MODEL_VAT].time.median,
           near ? "" : ", more than a fifth off", control);
}

int validation_make(struct validation *v) {
  int code = check_machine(v);
  if (!code) code = make_points(v);
  if (!code) find_last(v);
  if (!code) code = points_find_costs(&v->points, &v->meanwhile);
  if (!code) find_neighbours(v);
  if (!code) find_noise(v);
  if (code) return code;
  judge(&v->judged, &v->points, v->without, v->exchange);
  conclude(v);
  return VAT_OK;
}

void validation_fini(struct validation *v) {
  judged_fini(&v->judged);
  points_fini(&v->points);
  free(v->rows);
}
