/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/run_ratios.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"

enum { NONE = RUN_RATIOS_NO_ARM };

struct run_ratios {
  struct run_figure *run; /* those that are in one piece: through rounds and
                             arms there is a way from each to each */
  size_t count;
  size_t arms, rounds;               /* the numbers of both are less */
  size_t *arm_column, *round_column; /* NONE: it has none */
  size_t columns;
  gsl_vector *effect; /* NULL: there are too few runs */
  gsl_matrix *covariance;
};

/* --- which runs --- */

/* Arms that are joined to the first run's by rounds. */
static void join(const struct run_figure *run, size_t count, bool *arm,
                 bool *round) {
  for (bool more = count > 0; more;) {
    more = false;
    for (size_t i = 0; i < count; i++) {
      bool known = arm[run[i].arm] || round[run[i].round] || i == 0;
      if (!known || (arm[run[i].arm] && round[run[i].round])) continue;
      more = arm[run[i].arm] = round[run[i].round] = true;
    }
  }
}

static void keep(struct run_ratios *r, const struct run_figure *run,
                 size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (run[i].arm >= r->arms) r->arms = run[i].arm + 1;
    if (run[i].round >= r->rounds) r->rounds = run[i].round + 1;
  }
  bool *arm = memory_zeroed(r->arms + 1, sizeof *arm);
  bool *round = memory_zeroed(r->rounds + 1, sizeof *round);
  join(run, count, arm, round);
  r->run = memory_zeroed(count + 1, sizeof *r->run);
  for (size_t i = 0; i < count; i++)
    if (arm[run[i].arm]) r->run[r->count++] = run[i];
  free(arm);
  free(round);
}

/* --- the fit --- */

static void number(struct run_ratios *r) {
  r->arm_column = memory_zeroed(r->arms + 1, sizeof *r->arm_column);
  r->round_column = memory_zeroed(r->rounds + 1, sizeof *r->round_column);
  for (size_t i = 0; i < r->arms; i++) r->arm_column[i] = NONE;
  for (size_t i = 0; i < r->rounds; i++) r->round_column[i] = NONE;
  for (size_t i = 0; i < r->count; i++) {
    size_t *arm = &r->arm_column[r->run[i].arm];
    if (*arm == NONE) *arm = r->columns++;
  }
  for (size_t i = 0; i < r->count; i++) {
    size_t *round = &r->round_column[r->run[i].round];
    if (r->run[i].round != r->run[0].round && *round == NONE)
      *round = r->columns++;
  }
}

/* Of a run its share, which is less than 0 for the one before. */
static void add(const struct run_ratios *r, gsl_matrix *x, gsl_vector *y,
                size_t row, size_t run, double share) {
  const struct run_figure *it = &r->run[run];
  size_t column[] = {r->arm_column[it->arm], r->round_column[it->round]};
  for (size_t i = 0; i < 2; i++)
    if (column[i] != NONE) *gsl_matrix_ptr(x, row, column[i]) += share;
  *gsl_vector_ptr(y, row) += share * log(it->value);
}

/* So that what is left of each row has nothing of the one before. */
static void fill(const struct run_ratios *r, gsl_matrix *x, gsl_vector *y) {
  const double drift = RUN_RATIOS_DRIFT;
  gsl_matrix_set_zero(x);
  gsl_vector_set_zero(y);
  add(r, x, y, 0, 0, sqrt(1 - drift * drift));
  for (size_t i = 1; i < r->count; i++) {
    add(r, x, y, i, i, 1);
    add(r, x, y, i, i - 1, -drift);
  }
}

/* Where weights do not settle, all runs count alike. */
static void solve(struct run_ratios *r, const gsl_matrix *x,
                  const gsl_vector *y) {
  double sum;
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_multifit_robust_workspace *robust = gsl_multifit_robust_alloc(
      gsl_multifit_robust_huber, r->count, r->columns);
  if (gsl_multifit_robust(x, y, r->effect, r->covariance, robust)) {
    gsl_multifit_linear_workspace *plain =
        gsl_multifit_linear_alloc(r->count, r->columns);
    gsl_multifit_linear(x, y, r->effect, r->covariance, &sum, plain);
    gsl_multifit_linear_free(plain);
  }
  gsl_multifit_robust_free(robust);
  gsl_set_error_handler(handler);
}

struct run_ratios *run_ratios_fit(const struct run_figure *run, size_t count) {
  struct run_ratios *r = memory_zeroed(1, sizeof *r);
  keep(r, run, count);
  number(r);
  if (r->count <= r->columns) return r;
  gsl_matrix *x = gsl_matrix_alloc(r->count, r->columns);
  gsl_vector *y = gsl_vector_alloc(r->count);
  fill(r, x, y);
  r->effect = gsl_vector_alloc(r->columns);
  r->covariance = gsl_matrix_alloc(r->columns, r->columns);
  solve(r, x, y);
  gsl_matrix_free(x);
  gsl_vector_free(y);
  return r;
}

void run_ratios_free(struct run_ratios *r) {
  if (r->effect) gsl_vector_free(r->effect);
  if (r->covariance) gsl_matrix_free(r->covariance);
  free(r->run);
  free(r->arm_column);
  free(r->round_column);
  free(r);
}

/* --- ratios --- */

static bool has(struct run_side side, size_t arm) {
  return side.arm[0] == arm || side.arm[1] == arm;
}

/* The mean log of a side in a round; NAN: it has no run there. */
static double level(const struct run_ratios *r, struct run_side side,
                    uint32_t round) {
  double sum = 0, runs = 0;
  for (size_t i = 0; i < r->count; i++) {
    if (r->run[i].round != round || !has(side, r->run[i].arm)) continue;
    sum += log(r->run[i].value);
    runs++;
  }
  return runs > 0 ? sum / runs : NAN;
}

/* How many rounds have both; the mean log of their ratios. */
static size_t shared_rounds(const struct run_ratios *r, struct run_side of,
                            struct run_side to, double *mean) {
  size_t shared = 0;
  double sum = 0;
  for (uint32_t round = 0; round < r->rounds; round++) {
    double one = level(r, of, round) - level(r, to, round);
    if (isnan(one)) continue;
    sum += one;
    shared++;
  }
  *mean = sum / (double)shared;
  return shared;
}

static void weigh(const struct run_ratios *r, struct run_side side,
                  double weight, gsl_vector *weights) {
  size_t there = 0;
  for (int k = 0; k < 2; k++)
    there += side.arm[k] < r->arms && r->arm_column[side.arm[k]] != NONE;
  for (int k = 0; k < 2; k++)
    if (side.arm[k] < r->arms && r->arm_column[side.arm[k]] != NONE)
      *gsl_vector_ptr(weights, r->arm_column[side.arm[k]]) +=
          weight / (double)there;
}

/* The sum of effects by weights, and its variance. */
static double sum_of(const struct run_ratios *r, const gsl_vector *weights,
                     double *variance) {
  double sum = 0;
  *variance = 0;
  for (size_t i = 0; i < r->columns; i++) {
    double weight = gsl_vector_get(weights, i);
    sum += weight * gsl_vector_get(r->effect, i);
    for (size_t k = 0; k < r->columns; k++)
      *variance += weight * gsl_vector_get(weights, k) *
                   gsl_matrix_get(r->covariance, i, k);
  }
  return sum;
}

struct ratio run_ratios_of(const struct run_ratios *r, struct run_side of,
                           struct run_side to) {
  struct ratio ratio = {NAN, NAN, NAN};
  double log_ratio, variance;
  size_t shared = shared_rounds(r, of, to, &log_ratio);
  if (!shared) return ratio;
  if (!r->effect) {
    ratio.value = exp(log_ratio);
    return ratio;
  }
  gsl_vector *weights = gsl_vector_calloc(r->columns);
  weigh(r, of, 1, weights);
  weigh(r, to, -1, weights);
  log_ratio = sum_of(r, weights, &variance);
  gsl_vector_free(weights);
  ratio.value = exp(log_ratio);
  if (shared < RATIO_MIN_PAIRS) return ratio;
  double reach = gsl_cdf_tdist_Pinv(0.975, (double)(r->count - r->columns)) *
                 sqrt(variance);
  ratio.lo = exp(log_ratio - reach);
  ratio.hi = exp(log_ratio + reach);
  return ratio;
}
