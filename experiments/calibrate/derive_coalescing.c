/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much farther a TLB reaches where frames are contiguous.
 *
 * Of accesses to n random pages a TLB that reaches K pages misses 1 - K / n.
 * What chases on two layouts of frames differ by is translation alone: they
 * access the same lines of the same addresses.  Let S(n) be what a level costs
 * on scattered frames, and K its bend there.  If runs make it reach r K, a
 * chase over them is faster by
 *
 *   S(n) (1 - m(r K / n) / m(K / n)),   m(y) = max(0, 1 - y),
 *
 * and r is what the points of the level fit best.  S(n) is read off the curve
 * itself, so it may grow with n, as it does where table lines leave the caches.
 */
#include "experiments/calibrate/derive_coalescing.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/calibrate/derivation.h"
#include "experiments/results/ratio.h"

enum { RESAMPLES = 100, SEED = 1, LEVELS = 2, LEAST_POINTS = 3 };

/* Bends are found by points up to so many pages, thrice the entries that TLBs
 * have: beyond, table lines leave the near caches. */
static const double bends_most = 12288;

/* A level counts if its misses cost this share of the nearest cache's time. */
static const double least_step = 0.15;

/* A corner is round where sets fill up one after the other. */
static const double corner = 1.25;

/* Ratios that are tried: this many an octave, from half to beyond all runs. */
enum { AN_OCTAVE = 32, RATIO_FROM = -AN_OCTAVE, RATIO_TO = 5 * AN_OCTAVE };

/* A run is told from half of it if the chase goes so far beyond the reach. */
static const double seen_least = 0.8;

/* Medians over the passes that were drawn. */
struct chases {
  size_t points;
  const double *x;
  double ns[COALESCING_POINTS];    /* of the scattered pages */
  double costs[COALESCING_POINTS]; /* that of translation */
  double saves[CALIBRATION_RUNS][COALESCING_POINTS]; /* what runs do */
};

struct level {
  double knee;
  double near_ns;  /* what misses of the nearer level cost behind it */
  double from, to; /* pages that tell of it */
};

struct found {
  size_t levels;
  double entries[LEVELS], reach[LEVELS][CALIBRATION_RUNS];
};

static double median_of(const double *a, const double *b, const size_t *chosen,
                        size_t count) {
  double values[COALESCING_PASSES];
  for (size_t i = 0; i < count; i++)
    values[i] = a[chosen[i]] - (b ? b[chosen[i]] : 0);
  return ratio_median(values, count);
}

static struct chases chases_of(const struct coalescing_times *times,
                               const size_t *chosen) {
  struct chases c = {.points = times->points, .x = times->x};
  size_t count = times->passes;
  for (size_t p = 0; p < times->points; p++) {
    const double *scattered = times->pages[0][p];
    c.ns[p] = median_of(scattered, NULL, chosen, count);
    c.costs[p] = median_of(scattered, times->lines[p], chosen, count);
    for (size_t r = 0; r < CALIBRATION_RUNS; r++)
      c.saves[r][p] =
          median_of(scattered, times->pages[r + 1][p], chosen, count);
  }
  return c;
}

static bool tells(const struct level *level, double x) {
  return x >= level->from && x <= level->to;
}

static size_t points_of(const struct chases *c, const struct level *level) {
  size_t count = 0;
  for (size_t p = 0; p < c->points; p++) count += tells(level, c->x[p]);
  return count;
}

static size_t find_levels(const struct chases *c, struct level level[LEVELS]) {
  struct step_points points = {.count = 0};
  struct step_fit fit;
  size_t count = 0;
  for (size_t p = 0; p < c->points && c->x[p] <= bends_most; p++)
    points.at[points.count++] =
        (struct step_point){c->x[p], c->costs[p], c->ns[p]};
  if (points.count < 2 * LEAST_POINTS) return 0;
  step_fit_choose(&points, LEVELS, &fit);
  for (size_t i = 0; i < fit.steps; i++) {
    if (!(fit.step[i] >= least_step * c->ns[0])) continue;
    level[count] = (struct level){fit.knee[i], count ? fit.step[i - 1] : 0,
                                  fit.knee[i] * corner, c->x[c->points - 1]};
    count++;
  }
  if (count == LEVELS) level[0].to = level[1].knee / corner;
  while (count && points_of(c, &level[count - 1]) < LEAST_POINTS) count--;
  return count;
}

/* Share of what a level costs on scattered frames that is left with `ratio`. */
static double left(const struct level *level, double ratio, double x) {
  return fmax(0, 1 - ratio * level->knee / x) / (1 - level->knee / x);
}

static double error_of(const struct chases *c, size_t run,
                       const struct level *level, double ratio) {
  double error = 0;
  for (size_t p = 0; p < c->points; p++) {
    if (!tells(level, c->x[p])) continue;
    double saved = fmax(0, c->costs[p] - level->near_ns) *
                   (1 - left(level, ratio, c->x[p]));
    error += fabs(c->saves[run][p] - saved) / c->ns[p];
  }
  return error;
}

/* Where the TLB reaches beyond all points, the least such ratio. */
static double find_ratio(const struct chases *c, size_t run,
                         const struct level *level) {
  double best = INFINITY, ratio = NAN;
  for (int i = RATIO_FROM; i <= RATIO_TO; i++) {
    double tried = exp2((double)i / AN_OCTAVE);
    double error = error_of(c, run, level, tried);
    if (!(error < best)) continue;
    best = error;
    ratio = tried;
  }
  return ratio;
}

static struct found find(const struct coalescing_times *times,
                         const size_t *chosen) {
  struct chases c = chases_of(times, chosen);
  struct level level[LEVELS];
  struct found found = {.levels = find_levels(&c, level)};
  for (size_t l = 0; l < found.levels; l++) {
    found.entries[l] = level[l].knee;
    for (size_t r = 0; r < CALIBRATION_RUNS; r++) {
      double reach = (double)(1 << r) * level[l].knee;
      bool seen = level[l].to >= seen_least * reach;
      found.reach[l][r] = seen ? find_ratio(&c, r, &level[l]) : NAN;
    }
  }
  return found;
}

static void set_interval(struct cal_value *value, double *found, size_t count) {
  gsl_sort(found, 1, count);
  value->lo = fmin(value->value,
                   gsl_stats_quantile_from_sorted_data(found, 1, count, 0.025));
  value->hi = fmax(value->value,
                   gsl_stats_quantile_from_sorted_data(found, 1, count, 0.975));
}

/* Does the reach double where runs do?  1: yes, 0: no, -1: nobody knows. */
static int doubles(const struct cal_value *factor) {
  if (factor->lo > M_SQRT2) return 1;
  return factor->hi < M_SQRT2 ? 0 : -1;
}

/* Pages that an entry holds by how the reach grows from run to run: up to some
 * run it doubles, and then no more. */
static double joined_by(const struct cal_value growth[CALIBRATION_RUNS]) {
  double joined = 1;
  bool ended = false;
  if (doubles(&growth[0]) || !(growth[0].lo > M_SQRT1_2)) return NAN;
  for (int r = 1; r < CALIBRATION_RUNS && isfinite(growth[r].value); r++) {
    int grows = doubles(&growth[r]);
    if (grows < 0 || (grows && ended)) return NAN;
    if (grows)
      joined *= 2;
    else
      ended = true;
  }
  return joined;
}

/* What one level shows: `draws` of the passes, and all of them. */
static void conclude(const struct found *all, const struct found *draws,
                     size_t count, size_t l, struct cal_coalescing_tlb *tlb) {
  struct cal_value growth[CALIBRATION_RUNS];
  double entries[RESAMPLES], reach[RESAMPLES], grown[RESAMPLES];
  tlb->entries = derived(all->entries[l]);
  for (size_t i = 0; i < count; i++) entries[i] = draws[i].entries[l];
  if (count) set_interval(&tlb->entries, entries, count);
  for (size_t r = 0; r < CALIBRATION_RUNS; r++) {
    double before = r > 1 ? all->reach[l][r - 1] : 1;
    size_t some = 0;
    tlb->reach[r] = derived(all->reach[l][r]);
    growth[r] = derived(all->reach[l][r] / before);
    for (size_t i = 0; i < count; i++) {
      reach[some] = draws[i].reach[l][r];
      grown[some] = reach[some] / (r > 1 ? draws[i].reach[l][r - 1] : 1);
      some += isfinite(grown[some]);
    }
    /* What most draws do not show is not sure at all. */
    if (!isfinite(growth[r].value) || some < RESAMPLES / 2) continue;
    set_interval(&tlb->reach[r], reach, some);
    set_interval(&growth[r], grown, some);
  }
  tlb->joined = joined_by(growth);
}

/* Passes drawn with replacement, of which those count that show as many
 * levels. */
static size_t draw(const struct coalescing_times *times, size_t levels,
                   struct found draws[RESAMPLES]) {
  size_t chosen[COALESCING_PASSES], count = 0;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, SEED);
  for (int i = 0; i < RESAMPLES; i++) {
    for (size_t p = 0; p < times->passes; p++)
      chosen[p] = gsl_rng_uniform_int(rng, times->passes);
    draws[count] = find(times, chosen);
    count += draws[count].levels == levels;
  }
  gsl_rng_free(rng);
  return count;
}

static void set_points(const struct coalescing_times *times,
                       const size_t *chosen,
                       struct cal_coalescing *coalescing) {
  size_t count = times->passes;
  coalescing->point_count = times->points;
  for (size_t p = 0; p < times->points; p++) {
    struct cal_coalescing_point *point = &coalescing->points[p];
    point->pages = times->x[p];
    point->lines_ns = median_of(times->lines[p], NULL, chosen, count);
    point->scattered_ns = median_of(times->pages[0][p], NULL, chosen, count);
    for (size_t r = 0; r < CALIBRATION_RUNS; r++)
      point->runs_ns[r] =
          median_of(times->pages[r + 1][p], NULL, chosen, count);
  }
}

void derive_coalescing(const struct coalescing_times *times,
                       struct cal_coalescing *coalescing) {
  size_t chosen[COALESCING_PASSES], count = 0;
  struct found draws[RESAMPLES];
  for (size_t p = 0; p < times->passes; p++) chosen[p] = p;
  struct found all = find(times, chosen);
  set_points(times, chosen, coalescing);
  coalescing->tlbs = all.levels;
  if (!all.levels) {
    snprintf(coalescing->absent, sizeof coalescing->absent,
             "the chase shows no TLB misses up to %.0f pages",
             times->points ? times->x[times->points - 1] : 0);
    return;
  }
  if (times->passes >= CALIBRATION_REPETITIONS)
    count = draw(times, all.levels, draws);
  for (size_t l = 0; l < all.levels; l++)
    conclude(&all, draws, count, l, &coalescing->tlb[l]);
}
