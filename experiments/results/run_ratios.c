/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/results/run_ratios.h"

#include <gsl/gsl_blas.h>
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
  size_t count, rounds;
  size_t arms;    /* their numbers are less */
  size_t *column; /* of each arm; NONE: it has no runs */
  size_t columns;
  gsl_vector *effect; /* of a column, to column 0; NULL: too few runs */
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

static size_t end_of_round(const struct run_ratios *r, size_t from) {
  size_t end = from + 1;
  while (end < r->count && r->run[end].round == r->run[from].round) end++;
  return end;
}

/* A run that is alone in its round is compared with nothing. */
static void drop_lonely(struct run_ratios *r) {
  size_t kept = 0;
  for (size_t from = 0, end; from < r->count; from = end) {
    end = end_of_round(r, from);
    if (end - from < 2) continue;
    for (size_t i = from; i < end; i++) r->run[kept++] = r->run[i];
    r->rounds++;
  }
  r->count = kept;
}

static void keep(struct run_ratios *r, const struct run_figure *run,
                 size_t count) {
  size_t rounds = 0;
  for (size_t i = 0; i < count; i++) {
    if (run[i].arm >= r->arms) r->arms = run[i].arm + 1;
    if (run[i].round >= rounds) rounds = run[i].round + 1;
  }
  bool *arm = memory_zeroed(r->arms + 1, sizeof *arm);
  bool *round = memory_zeroed(rounds + 1, sizeof *round);
  join(run, count, arm, round);
  r->run = memory_zeroed(count + 1, sizeof *r->run);
  for (size_t i = 0; i < count; i++)
    if (arm[run[i].arm]) r->run[r->count++] = run[i];
  free(arm);
  free(round);
  drop_lonely(r);
}

static void number(struct run_ratios *r) {
  r->column = memory_zeroed(r->arms + 1, sizeof *r->column);
  for (size_t i = 0; i < r->arms; i++) r->column[i] = NONE;
  for (size_t i = 0; i < r->count; i++) {
    size_t *column = &r->column[r->run[i].arm];
    if (*column == NONE) *column = r->columns++;
  }
}

/* --- the fit --- */

/* Rows of runs: `x` has arms but for column 0, `y` logs, and `ones` what is the
 * same for all of a round. */
struct rows {
  gsl_matrix *x;
  gsl_vector *y, *ones;
};

/* Of a run its share, which is less than 0 for the one before. */
static void add(const struct run_ratios *r, struct rows *rows, size_t row,
                size_t run, double share) {
  size_t column = r->column[r->run[run].arm];
  if (column) *gsl_matrix_ptr(rows->x, row, column - 1) += share;
  *gsl_vector_ptr(rows->y, row) += share * log(r->run[run].value);
  *gsl_vector_ptr(rows->ones, row) += share;
}

static void take_out(gsl_vector *all, const gsl_vector *ones, size_t from,
                     size_t end) {
  gsl_vector_view part = gsl_vector_subvector(all, from, end - from);
  gsl_vector_const_view one =
      gsl_vector_const_subvector(ones, from, end - from);
  double square, share;
  gsl_blas_ddot(&one.vector, &one.vector, &square);
  gsl_blas_ddot(&one.vector, &part.vector, &share);
  gsl_blas_daxpy(-share / square, &one.vector, &part.vector);
}

/* What is left of a run has nothing of the one before, nor of the round. */
static void fill_round(const struct run_ratios *r, struct rows *rows,
                       size_t from, size_t end) {
  const double drift = RUN_RATIOS_DRIFT;
  add(r, rows, from, from, sqrt(1 - drift * drift));
  for (size_t i = from + 1; i < end; i++) {
    add(r, rows, i, i, 1);
    add(r, rows, i, i - 1, -drift);
  }
  take_out(rows->y, rows->ones, from, end);
  for (size_t k = 0; k < rows->x->size2; k++) {
    gsl_vector_view column = gsl_matrix_column(rows->x, k);
    take_out(&column.vector, rows->ones, from, end);
  }
}

/* Where weights do not settle, all runs count alike. */
static void solve(struct run_ratios *r, const struct rows *rows) {
  const size_t count = rows->x->size1, unknown = rows->x->size2;
  double sum;
  gsl_error_handler_t *handler = gsl_set_error_handler_off();
  gsl_multifit_robust_workspace *robust =
      gsl_multifit_robust_alloc(gsl_multifit_robust_huber, count, unknown);
  if (gsl_multifit_robust(rows->x, rows->y, r->effect, r->covariance, robust)) {
    gsl_multifit_linear_workspace *plain =
        gsl_multifit_linear_alloc(count, unknown);
    gsl_multifit_linear(rows->x, rows->y, r->effect, r->covariance, &sum,
                        plain);
    gsl_multifit_linear_free(plain);
  }
  gsl_multifit_robust_free(robust);
  gsl_set_error_handler(handler);
}

/* Runs, less what was fitted to them. */
static size_t freedom(const struct run_ratios *r) {
  size_t fitted = r->rounds + r->columns - 1;
  return r->count > fitted ? r->count - fitted : 0;
}

static void fit(struct run_ratios *r) {
  const size_t unknown = r->columns - 1;
  struct rows rows = {gsl_matrix_calloc(r->count, unknown),
                      gsl_vector_calloc(r->count), gsl_vector_calloc(r->count)};
  for (size_t from = 0, end; from < r->count; from = end) {
    end = end_of_round(r, from);
    fill_round(r, &rows, from, end);
  }
  r->effect = gsl_vector_alloc(unknown);
  r->covariance = gsl_matrix_alloc(unknown, unknown);
  solve(r, &rows);
  /* The library does not know that rounds were taken out. */
  gsl_matrix_scale(r->covariance,
                   (double)(r->count - unknown) / (double)freedom(r));
  gsl_matrix_free(rows.x);
  gsl_vector_free(rows.y);
  gsl_vector_free(rows.ones);
}

struct run_ratios *run_ratios_fit(const struct run_figure *run, size_t count) {
  struct run_ratios *r = memory_zeroed(1, sizeof *r);
  keep(r, run, count);
  number(r);
  if (r->columns > 1 && freedom(r)) fit(r);
  return r;
}

void run_ratios_free(struct run_ratios *r) {
  if (r->effect) gsl_vector_free(r->effect);
  if (r->covariance) gsl_matrix_free(r->covariance);
  free(r->run);
  free(r->column);
  free(r);
}

/* --- ratios --- */

static bool has(struct run_side side, size_t arm) {
  return side.arm[0] == arm || side.arm[1] == arm;
}

/* The mean log of a side in the runs of a round; NAN: it has none. */
static double level(const struct run_ratios *r, struct run_side side,
                    size_t from, size_t end) {
  double sum = 0, runs = 0;
  for (size_t i = from; i < end; i++) {
    if (!has(side, r->run[i].arm)) continue;
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
  for (size_t from = 0, end; from < r->count; from = end) {
    end = end_of_round(r, from);
    double one = level(r, of, from, end) - level(r, to, from, end);
    if (isnan(one)) continue;
    sum += one;
    shared++;
  }
  *mean = sum / (double)shared;
  return shared;
}

/* Of each column but the first, in the mean of the arms that a side has. */
static void weigh(const struct run_ratios *r, struct run_side side,
                  double weight, gsl_vector *weights) {
  size_t there = 0, column[2] = {NONE, NONE};
  for (int k = 0; k < 2; k++) {
    if (side.arm[k] < r->arms) column[k] = r->column[side.arm[k]];
    there += column[k] != NONE;
  }
  for (int k = 0; k < 2; k++)
    if (column[k] != NONE && column[k])
      *gsl_vector_ptr(weights, column[k] - 1) += weight / (double)there;
}

/* The sum of effects by weights, and its variance. */
static double sum_of(const struct run_ratios *r, const gsl_vector *weights,
                     double *variance) {
  double sum;
  gsl_vector *by_all = gsl_vector_alloc(weights->size);
  gsl_blas_ddot(weights, r->effect, &sum);
  gsl_blas_dgemv(CblasNoTrans, 1, r->covariance, weights, 0, by_all);
  gsl_blas_ddot(weights, by_all, variance);
  gsl_vector_free(by_all);
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
  gsl_vector *weights = gsl_vector_calloc(r->effect->size);
  weigh(r, of, 1, weights);
  weigh(r, to, -1, weights);
  log_ratio = sum_of(r, weights, &variance);
  gsl_vector_free(weights);
  ratio.value = exp(log_ratio);
  if (shared < RATIO_MIN_PAIRS) return ratio;
  double reach = gsl_cdf_tdist_Pinv(0.975, (double)freedom(r)) * sqrt(variance);
  ratio.lo = exp(log_ratio - reach);
  ratio.hi = exp(log_ratio + reach);
  return ratio;
}
