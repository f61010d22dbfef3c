/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For each o there is one c: the median of those that fit the smallest sizes
 * exactly.  So only o is searched for: the mean logarithm of predicted over
 * measured, whatever its sign, has few, flat minima, of which a grid finds the
 * right one and Brent's method its bottom.
 *
 * Near the size of a cache that others use as well, one repetition finds its
 * data there and the next does not, several times slower.  So the mean is
 * weighted, a size counting as little as its repetitions agree, and it is not
 * of squares, by which a size that was slow each time would outvote the rest.
 */
#include "experiments/validate/fit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/results/ratio.h"

enum { BISECTIONS = 40 };

struct search {
  const struct model *model;
  unsigned without;
  const struct point *points;
  size_t count;
  double *scratch; /* count of them */
};

/* The c by which a point is predicted exactly: time never falls with c.  0
 * where waits alone take longer than was measured. */
static double exact_c(const struct search *search, const struct point *point,
                      double overlap) {
  double low = 0, high = point->ns;
  for (int i = 0; i < BISECTIONS; i++) {
    struct fitted fitted = {.c = 0.5 * (low + high), .overlap = overlap};
    double ns = search->model->predict(&point->costs, &fitted, search->without);
    if (ns > point->ns)
      high = fitted.c;
    else
      low = fitted.c;
  }
  return low;
}

static double find_c(const struct search *search, double overlap) {
  size_t found = 0;
  for (size_t i = 0; i < search->count; i++)
    if (search->points[i].use == POINT_FITS_C)
      search->scratch[found++] = exact_c(search, &search->points[i], overlap);
  return ratio_median(search->scratch, found);
}

/* How far a model may be off where all repetitions agree. */
static const double own_error = 0.05;

static double weight(const struct point *point) {
  double spread = log(point->spread);
  return 1 / sqrt(own_error * own_error + spread * spread);
}

static double misfit(double overlap, void *arg) {
  const struct search *search = arg;
  struct fitted fitted = {.c = find_c(search, overlap), .overlap = overlap};
  double sum = 0, weights = 0;
  for (size_t i = 0; i < search->count; i++) {
    const struct point *point = &search->points[i];
    if (point->use != POINT_FITS_C && point->use != POINT_FITS_OVERLAP)
      continue;
    double ns = search->model->predict(&point->costs, &fitted, search->without);
    double off = log(fmax(ns, 1e-6) / point->ns);
    sum += weight(point) * fabs(off);
    weights += weight(point);
  }
  return sum / weights;
}

enum { GRID = 96, ROUNDS = 60 };

static double grid_value(int i) {
  return i ? FIT_OVERLAP_MOST * pow(1e-3, (double)(GRID - i) / (GRID - 1)) : 0;
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

struct fitted fit_program(const struct model *model, unsigned without,
                          const struct points *points,
                          const struct program *program) {
  struct search search = {
      .model = model,
      .without = without,
      .points = points->points + program->first,
      .count = program->count,
      .scratch = memory_get(program->count * sizeof(double))};
  struct fitted fitted = {NAN, NAN};
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  fitted.overlap = 0;
  if (model->waits) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i <= GRID; i++) {
      double value = misfit(grid_value(i), &search);
      if (value < least) {
        least = value;
        best = i;
      }
    }
    fitted.overlap = refine(&search, best);
  }
  fitted.c = find_c(&search, fitted.overlap);
  gsl_set_error_handler(handler);
  free(search.scratch);
  return fitted;
}
