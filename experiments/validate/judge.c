/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/judge.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/memory.h"
#include "experiments/results/ratio.h"

/* For each o there is one c: the median of those that fit the smallest sizes
 * exactly.  So only o is searched for: the mean logarithm of predicted over
 * measured, whatever its sign, has few, flat minima, of which a grid finds the
 * right one and Brent's method its bottom.
 *
 * Near the size of a cache that others use as well, one repetition finds its
 * data there and the next does not, several times slower.  So the mean is
 * weighted, a size counting as little as its repetitions agree, and it is not
 * of squares, by which a size that was slow each time would outvote the rest.
 *
 * Where elements have a time of their own, it is searched for likewise, in turn
 * with o: time falls with it as n grows, and rises with o.
 */
enum { BISECTIONS = 40 };

/* What is searched for, each from 0 to 1: o, and the share of the time of the
 * smallest sizes that is not of operations but of elements. */
enum unknown { OVERLAP, ELEMENT, UNKNOWNS };

struct search {
  enum model_place model;
  unsigned without;
  const struct point *points;
  size_t count;
  double *scratch;   /* count of them */
  double element_ns; /* the most that an element can take; 0: not fitted */
  double at[UNKNOWNS];
  enum unknown unknown;
};

static struct fitted fitted_at(const struct search *search, double c) {
  return (struct fitted){.c = c,
                         .overlap = search->at[OVERLAP],
                         .element = search->at[ELEMENT] * search->element_ns};
}

static double predict_point(const struct search *search,
                            const struct point *point, double c) {
  struct fitted fitted = fitted_at(search, c);
  return model_predict(search->model, &point->costs, &fitted, search->without);
}

/* The c by which a point is predicted exactly: time never falls with c.  0
 * where the rest takes longer than was measured. */
static double exact_c(const struct search *search, const struct point *point) {
  double low = 0, high = point->ns;
  for (int i = 0; i < BISECTIONS; i++) {
    double c = 0.5 * (low + high);
    if (predict_point(search, point, c) > point->ns)
      high = c;
    else
      low = c;
  }
  return low;
}

static double find_c(const struct search *search) {
  size_t found = 0;
  for (size_t i = 0; i < search->count; i++)
    if (search->points[i].use == POINT_FITS_C)
      search->scratch[found++] = exact_c(search, &search->points[i]);
  return ratio_median(search->scratch, found);
}

/* How far a model may be off where all repetitions agree. */
static const double own_error = 0.05;

static double weight(const struct point *point) {
  double spread = log(point->spread);
  return 1 / sqrt(own_error * own_error + spread * spread);
}

static bool is_fitted(const struct point *point) {
  return point->use == POINT_FITS_C || point->use == POINT_FITS_OVERLAP;
}

static double misfit(double value, void *arg) {
  struct search *search = arg;
  search->at[search->unknown] = value;
  double c = find_c(search), sum = 0, weights = 0;
  for (size_t i = 0; i < search->count; i++) {
    const struct point *point = &search->points[i];
    if (!is_fitted(point)) continue;
    double ns = predict_point(search, point, c);
    sum += weight(point) * fabs(log(fmax(ns, 1e-6) / point->ns));
    weights += weight(point);
  }
  return sum / weights;
}

enum { GRID = 96, ROUNDS = 60 };

static double grid_value(int i) {
  return i ? pow(1e-3, (double)(GRID - i) / (GRID - 1)) : 0;
}

static double refine(struct search *search, int best) {
  double at = grid_value(best);
  if (!best || best == GRID) return at;
  gsl_function function = {misfit, search};
  gsl_min_fminimizer *minimizer =
      gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  double low = grid_value(best - 1), high = grid_value(best + 1);
  if (!gsl_min_fminimizer_set(minimizer, &function, at, low, high)) {
    for (int i = 0; i < ROUNDS && !gsl_min_fminimizer_iterate(minimizer); i++) {
      low = gsl_min_fminimizer_x_lower(minimizer);
      high = gsl_min_fminimizer_x_upper(minimizer);
      if (gsl_min_test_interval(low, high, 0, 1e-4) == GSL_SUCCESS) break;
    }
    at = gsl_min_fminimizer_x_minimum(minimizer);
  }
  gsl_min_fminimizer_free(minimizer);
  return at;
}

/* The best of one unknown, given the other. */
static void find(struct search *search, enum unknown unknown) {
  int best = 0;
  double least = INFINITY;
  search->unknown = unknown;
  for (int i = 0; i <= GRID; i++) {
    double value = misfit(grid_value(i), search);
    if (value < least) {
      least = value;
      best = i;
    }
  }
  search->at[unknown] = refine(search, best);
}

/* By how much elements an operation have to differ for the two times to be told
 * apart. */
static const double elements_differ = 1.1;

/* The most that an element can take: all of the time of the smallest sizes.  0
 * where each operation has as many elements. */
static double element_most(const struct search *search) {
  double least = INFINITY, low = INFINITY, high = 0;
  for (size_t i = 0; i < search->count; i++) {
    const struct point *point = &search->points[i];
    double elements = point->costs.elements;
    if (!is_fitted(point)) continue;
    low = fmin(low, elements);
    high = fmax(high, elements);
    if (point->use == POINT_FITS_C) least = fmin(least, point->ns / elements);
  }
  return low > 0 && high > low * elements_differ ? least : 0;
}

/* In turn until neither changes. */
enum { TURNS = 12 };
static const double settled = 1e-3;

static void find_both(struct search *search) {
  for (int turn = 0; turn < TURNS; turn++) {
    double before[UNKNOWNS], changed = 0;
    memcpy(before, search->at, sizeof before);
    find(search, ELEMENT);
    find(search, OVERLAP);
    for (int i = 0; i < UNKNOWNS; i++)
      changed = fmax(changed, fabs(search->at[i] - before[i]));
    if (changed < settled) break;
  }
}

struct fitted fit_program(enum model_place model, unsigned without,
                          const struct points *points,
                          const struct program *program) {
  struct search search = {
      .model = model,
      .without = without,
      .points = points->points + program->first,
      .count = program->count,
      .scratch = memory_get(program->count * sizeof(double))};
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  if (models_fit_elements(model, without))
    search.element_ns = element_most(&search);
  if (models[model].lines || models[model].vat) {
    find(&search, OVERLAP);
    if (search.element_ns > 0) find_both(&search);
  }
  struct fitted fitted = fitted_at(&search, find_c(&search));
  gsl_set_error_handler(handler);
  free(search.scratch);
  return fitted;
}

/* Room for the errors of each point; of `times` twice as much. */
struct errors {
  double *times, *ratios;
};

static struct score score_of(double *errors, size_t count) {
  if (!count) return (struct score){0, NAN, NAN};
  gsl_sort(errors, 1, count);
  return (struct score){
      count, gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.5),
      gsl_stats_quantile_from_sorted_data(errors, 1, count, 0.9)};
}

double scores_part(const struct scores *scores, bool ratio, bool p90) {
  const struct score *score = ratio ? &scores->ratio : &scores->time;
  return p90 ? score->p90 : score->median;
}

/* What an exchange has to change a prediction by for the point to tell: in
 * caches that hold all, programs cost as much as any other. */
static const double told_apart = 0.1;

/* Of a program, or of all where it is NULL, from `least` elements on; where
 * there is an `other` prediction, of points at which it differs. */
static struct scores scores_of(struct errors *errors,
                               const struct points *points,
                               const double *predicted,
                               const struct program *program, double least,
                               const double *other) {
  size_t times = 0, ratios = 0;
  for (size_t i = 0; i < points->count; i++) {
    const struct point *point = &points->points[i];
    if (program && program != point->program) continue;
    if (point->use != POINT_HELD_OUT || point->elements < least) continue;
    if (other && !(fabs(log(predicted[i] / other[i])) > told_apart)) continue;
    errors->times[times++] = fabs(predicted[i] - point->ns) / point->ns;
    if (point->base != SIZE_MAX && isfinite(point->row->ratio_to_4k))
      errors->ratios[ratios++] =
          fabs(predicted[i] / predicted[point->base] - point->row->ratio_to_4k);
  }
  return (struct scores){score_of(errors->times, times),
                         score_of(errors->ratios, ratios)};
}

static void predict(enum model_place model, unsigned without,
                    const struct points *points, double *predicted,
                    struct program_judged *judged) {
  for (size_t p = 0; p < points->program_count; p++) {
    const struct program *program = &points->programs[p];
    if (program->left_out) continue;
    struct fitted fitted = fit_program(model, without, points, program);
    if (judged) judged[p].fitted[model] = fitted;
    for (size_t i = program->first; i < program->first + program->count; i++)
      predicted[i] =
          model_predict(model, &points->points[i].costs, &fitted, without);
  }
}

/* The line through (log log n, log t), on base pages beyond the caches that c
 * is fitted on.  `predicted` NULL: what was measured. */
static struct growth growth_of(const struct points *points,
                               const struct program *program,
                               const double *predicted, double *scratch) {
  struct growth growth = {NAN, NAN, NAN};
  double *x = scratch, *y = scratch + program->count;
  size_t count = 0;
  for (size_t i = program->first; i < program->first + program->count; i++) {
    const struct point *point = &points->points[i];
    if (!point->row->base || point->use < POINT_FITS_OVERLAP) continue;
    x[count] = log(log2(point->elements));
    y[count++] = log(predicted ? predicted[i] : point->ns);
  }
  if (count < 4) return growth;
  double c0, c1, c00, c01, c11, squares;
  gsl_fit_linear(x, 1, y, 1, count, &c0, &c1, &c00, &c01, &c11, &squares);
  double half = sqrt(c11) * gsl_cdf_tdist_Pinv(0.975, (double)count - 2);
  return (struct growth){c1, c1 - half, c1 + half};
}

static void judge_model(struct judged *judged, size_t m,
                        const struct points *points, unsigned without,
                        struct errors *errors) {
  double *predicted = judged->predicted[m];
  predict(m, without, points, predicted, judged->programs);
  judged->all[m] = scores_of(errors, points, predicted, NULL, 0, NULL);
  judged->large[m] =
      scores_of(errors, points, predicted, NULL, POINTS_LARGE, NULL);
  for (size_t p = 0; p < points->program_count; p++) {
    const struct program *program = &points->programs[p];
    struct program_judged *one = &judged->programs[p];
    if (program->left_out) continue;
    one->scores[m] = scores_of(errors, points, predicted, program, 0, NULL);
    one->predicted[m] = growth_of(points, program, predicted, errors->times);
    one->measured = growth_of(points, program, NULL, errors->times);
  }
}

static void ablate(struct judged *judged, const struct points *points,
                   unsigned without, double *predicted, struct errors *errors) {
  for (size_t t = 0; terms[t].name; t++) {
    predict(MODEL_FULL, without | 1u << t, points, predicted, NULL);
    judged->ablated_all[t] =
        scores_of(errors, points, predicted, NULL, 0, NULL);
    judged->ablated_large[t] =
        scores_of(errors, points, predicted, NULL, POINTS_LARGE, NULL);
  }
}

static const struct point *nearest(const struct points *points,
                                   const struct program *program,
                                   const struct point *to) {
  const struct point *best = NULL;
  double least = INFINITY;
  for (size_t i = program->first; i < program->first + program->count; i++) {
    const struct point *point = &points->points[i];
    double distance = fabs(log(point->bytes / to->bytes));
    if (strcmp(point->row->pages, to->row->pages)) continue;
    if (distance < least) {
      least = distance;
      best = point;
    }
  }
  return best;
}

/* The next program that is used; itself where no other is.  Those left out have
 * no costs. */
static const struct program *next_used(const struct points *points,
                                       const struct program *program) {
  do
    if (++program == points->programs + points->program_count)
      program = points->programs;
  while (program->left_out);
  return program;
}

void judge_exchange(struct points *points) {
  struct costs *costs = memory_zeroed(points->count + 1, sizeof *costs);
  for (size_t i = 0; i < points->count; i++) {
    const struct point *point = &points->points[i], *other = NULL;
    if (point->program->left_out) continue;
    other = nearest(points, next_used(points, point->program), point);
    costs[i] = other ? other->costs : point->costs;
    costs[i].elements = point->costs.elements;
  }
  for (size_t i = 0; i < points->count; i++) points->points[i].costs = costs[i];
  free(costs);
}

static void control(struct judged *judged, const struct points *points,
                    const struct points *other, unsigned without,
                    double *predicted, struct errors *errors) {
  const double *own = judged->predicted[MODEL_FULL];
  predict(MODEL_FULL, without, other, predicted, NULL);
  judged->exchanged = scores_of(errors, points, predicted, NULL, 0, own).time;
  judged->own = scores_of(errors, points, own, NULL, 0, predicted).time;
}

void judge(struct judged *judged, struct points *points, unsigned without,
           bool exchange) {
  size_t room = points->count + 1;
  struct points other = *points; /* with the costs of the next program's */
  other.points = memory_get(room * sizeof *other.points);
  memcpy(other.points, points->points, points->count * sizeof *points->points);
  judge_exchange(exchange ? points : &other);
  struct errors errors = {.times = memory_zeroed(2 * room, sizeof(double)),
                          .ratios = memory_zeroed(room, sizeof(double))};
  double *predicted = memory_zeroed(room, sizeof *predicted);
  *judged =
      (struct judged){.programs = memory_zeroed(points->program_count + 1,
                                                sizeof *judged->programs)};
  for (size_t m = 0; m < MODELS; m++) {
    judged->predicted[m] = memory_zeroed(room, sizeof(double));
    judge_model(judged, m, points, without, &errors);
  }
  ablate(judged, points, without, predicted, &errors);
  control(judged, points, &other, without, predicted, &errors);
  free(other.points);
  free(errors.times);
  free(errors.ratios);
  free(predicted);
}

void judged_fini(struct judged *judged) {
  for (size_t m = 0; m < MODELS; m++) free(judged->predicted[m]);
  free(judged->programs);
  *judged = (struct judged){0};
}
