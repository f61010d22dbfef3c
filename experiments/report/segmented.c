/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/segmented.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"
#include "experiments/results/summary.h"

/* The 2.5 % point of 400 resamples rests on 10 of them. */
enum { RESAMPLES = 400, SEED = 1 };

/* Of what was measured: a line that crosses 0, and a resampled time, stay above
 * it. */
#define TIME_LEAST 0.05

/* Times that weights of 1 / y^2 can hold, and how far apart. */
#define Y_LEAST 1e-100
#define Y_MOST 1e100
#define Y_RANGE 1e9

struct line {
  double intercept, slope, squares; /* relative, weighted, summed */
};

/* A curve, and what all of its parts cost. */
struct curve {
  size_t count;
  const double *x;
  double *y, *weight;
  struct line *lines; /* of points i to j - 1, at i * (count + 1) + j */
  double *best;       /* squares of k pieces over the first j points */
  size_t *begin;      /* of the last of these pieces */
};

static void curve_init(struct curve *curve, const double *x, size_t count) {
  size_t row = count + 1;
  *curve = (struct curve){
      .count = count,
      .x = x,
      .y = memory_zeroed(count, sizeof(double)),
      .weight = memory_zeroed(count, sizeof(double)),
      .lines = memory_zeroed(count * row, sizeof(struct line)),
      .best = memory_zeroed((SEGMENTED_MOST + 1) * row, sizeof(double)),
      .begin = memory_zeroed((SEGMENTED_MOST + 1) * row, sizeof(size_t))};
}

static void curve_fini(struct curve *curve) {
  free(curve->y);
  free(curve->weight);
  free(curve->lines);
  free(curve->best);
  free(curve->begin);
}

static struct line *line_of(const struct curve *curve, size_t from, size_t to) {
  return &curve->lines[from * (curve->count + 1) + to];
}

static void fit_lines(struct curve *curve) {
  double c00, c01, c11;
  for (size_t i = 0; i < curve->count; i++)
    curve->weight[i] = 1 / (curve->y[i] * curve->y[i]);
  for (size_t i = 0; i < curve->count; i++)
    for (size_t j = i + SEGMENTED_POINTS; j <= curve->count; j++) {
      struct line *line = line_of(curve, i, j);
      gsl_fit_wlinear(curve->x + i, 1, curve->weight + i, 1, curve->y + i, 1,
                      j - i, &line->intercept, &line->slope, &c00, &c01, &c11,
                      &line->squares);
    }
}

/* The best k pieces of the first j points are the best k - 1 of the first i and
 * a line through the others, for the i that leaves least. */
static void divide(struct curve *curve, size_t most) {
  size_t row = curve->count + 1;
  for (size_t j = 0; j < row; j++) curve->best[j] = j ? INFINITY : 0;
  for (size_t k = 1; k <= most; k++)
    for (size_t j = 0; j < row; j++) {
      double *best = &curve->best[k * row + j];
      *best = INFINITY;
      for (size_t i = 0; i + SEGMENTED_POINTS <= j; i++) {
        double squares =
            curve->best[(k - 1) * row + i] + line_of(curve, i, j)->squares;
        if (squares >= *best) continue;
        *best = squares;
        curve->begin[k * row + j] = i;
      }
    }
}

/* Of a model with `unknowns`. */
static struct segmented_model judge(double squares, size_t count,
                                    size_t unknowns) {
  double n = (double)count, error = sqrt(squares / n);
  return (struct segmented_model){
      error, 2 * n * log(fmax(error, SUMMARY_NOISE_FLOOR)) +
                 2 * (double)unknowns * log(n)};
}

static struct segmented_model judge_pieces(const struct curve *curve,
                                           size_t pieces) {
  double squares = curve->best[pieces * (curve->count + 1) + curve->count];
  return judge(squares, curve->count, 3 * pieces - 1);
}

static size_t most_pieces(size_t count) {
  size_t most = count / SEGMENTED_POINTS;
  return most < SEGMENTED_MOST ? most : SEGMENTED_MOST;
}

/* The break before piece i; both ends of what is known of it. */
static void place_break(const struct curve *curve, const struct segmented *fit,
                        size_t i, struct segmented_piece *piece) {
  const struct segmented_piece *before = &fit->piece[i - 1];
  double lo = curve->x[piece->first - 1], hi = curve->x[piece->first];
  double x = (before->intercept - piece->intercept) /
             (piece->slope.value - before->slope.value);
  piece->step = !(x >= lo && x <= hi);
  piece->from = piece->step ? (struct segmented_interval){(lo + hi) / 2, lo, hi}
                            : (struct segmented_interval){x, x, x};
}

/* Read the division into `pieces` off the tables. */
static void read_pieces(const struct curve *curve, size_t pieces,
                        struct segmented *fit) {
  size_t row = curve->count + 1, end = curve->count;
  fit->count = pieces;
  for (size_t k = pieces; k; k--) {
    size_t from = curve->begin[k * row + end];
    const struct line *line = line_of(curve, from, end);
    fit->piece[k - 1] =
        (struct segmented_piece){.first = from,
                                 .count = end - from,
                                 .intercept = line->intercept,
                                 .slope = {line->slope, NAN, NAN},
                                 .from = {NAN, NAN, NAN}};
    end = from;
  }
  for (size_t i = 1; i < pieces; i++)
    place_break(curve, fit, i, &fit->piece[i]);
}

static double point_at(const struct curve *curve, const struct segmented *fit,
                       size_t point) {
  size_t i = 0;
  while (i + 1 < fit->count && fit->piece[i + 1].first <= point) i++;
  return fmax(segmented_at(fit, i, curve->x[point]),
              TIME_LEAST * curve->y[point]);
}

/* What is left of each point, as a share, blown up by what the fit has taken of
 * it; the mean is 0. */
static void residuals(const struct curve *curve, const struct segmented *fit,
                      double *left) {
  double n = (double)curve->count, free = n - 2 * (double)fit->count;
  for (size_t i = 0; i < curve->count; i++)
    left[i] = sqrt(n / free) * (curve->y[i] / point_at(curve, fit, i) - 1);
  double mean = gsl_stats_mean(left, 1, curve->count);
  for (size_t i = 0; i < curve->count; i++) left[i] -= mean;
}

/* All resamples of one number: between these two points 95 % are. */
static void set_interval(double *lows, double *highs,
                         struct segmented_interval *interval) {
  gsl_sort(lows, 1, RESAMPLES);
  gsl_sort(highs, 1, RESAMPLES);
  interval->lo = gsl_stats_quantile_from_sorted_data(lows, 1, RESAMPLES, 0.025);
  interval->hi =
      gsl_stats_quantile_from_sorted_data(highs, 1, RESAMPLES, 0.975);
}

/* Numbers of each piece: its slope, and both ends of where it begins. */
enum { SLOPE, FROM_LO, FROM_HI, NUMBERS };

static void resample(struct curve *again, const struct curve *curve,
                     struct segmented *fit, double *drawn) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  double *left = memory_zeroed(curve->count, sizeof *left);
  gsl_rng_set(rng, SEED);
  residuals(curve, fit, left);
  for (size_t r = 0; r < RESAMPLES; r++) {
    struct segmented other = {0};
    for (size_t i = 0; i < curve->count; i++)
      again->y[i] =
          point_at(curve, fit, i) *
          fmax(TIME_LEAST, 1 + left[gsl_rng_uniform_int(rng, curve->count)]);
    fit_lines(again);
    divide(again, fit->count);
    read_pieces(again, fit->count, &other);
    for (size_t i = 0; i < fit->count; i++) {
      double *at = drawn + i * NUMBERS * RESAMPLES + r;
      at[SLOPE * RESAMPLES] = other.piece[i].slope.value;
      at[FROM_LO * RESAMPLES] = other.piece[i].from.lo;
      at[FROM_HI * RESAMPLES] = other.piece[i].from.hi;
    }
  }
  gsl_rng_free(rng);
  free(left);
}

static void find_intervals(const struct curve *curve, struct segmented *fit) {
  struct curve again;
  double *drawn =
      memory_zeroed(fit->count * NUMBERS * RESAMPLES, sizeof *drawn);
  curve_init(&again, curve->x, curve->count);
  resample(&again, curve, fit, drawn);
  for (size_t i = 0; i < fit->count; i++) {
    double *at = drawn + i * NUMBERS * RESAMPLES;
    if (i)
      set_interval(at + FROM_LO * RESAMPLES, at + FROM_HI * RESAMPLES,
                   &fit->piece[i].from);
    /* Sorted in place: lows and highs are the same. */
    set_interval(at, at, &fit->piece[i].slope);
  }
  curve_fini(&again);
  free(drawn);
}

/* Squares that a polynomial leaves, of x between -1 and 1. */
static double fit_polynomial(const struct curve *curve, size_t degree) {
  size_t n = curve->count;
  double squares, middle = (curve->x[0] + curve->x[n - 1]) / 2;
  double half = (curve->x[n - 1] - curve->x[0]) / 2;
  gsl_matrix *powers = gsl_matrix_alloc(n, degree + 1);
  gsl_matrix *spread = gsl_matrix_alloc(degree + 1, degree + 1);
  gsl_vector *factors = gsl_vector_alloc(degree + 1);
  gsl_vector_const_view y = gsl_vector_const_view_array(curve->y, n);
  gsl_vector_const_view weight = gsl_vector_const_view_array(curve->weight, n);
  gsl_multifit_linear_workspace *space =
      gsl_multifit_linear_alloc(n, degree + 1);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= degree; j++)
      gsl_matrix_set(powers, i, j,
                     pow((curve->x[i] - middle) / half, (double)j));
  gsl_multifit_wlinear(powers, &weight.vector, &y.vector, factors, spread,
                       &squares, space);
  gsl_multifit_linear_free(space);
  gsl_vector_free(factors);
  gsl_matrix_free(spread);
  gsl_matrix_free(powers);
  return squares;
}

static void fit_curve(const struct curve *curve, struct segmented *fit) {
  fit->curve.criterion = INFINITY;
  for (size_t degree = 2; degree <= SEGMENTED_DEGREE; degree++) {
    struct segmented_model model =
        judge(fit_polynomial(curve, degree), curve->count, degree + 1);
    if (model.criterion >= fit->curve.criterion) continue;
    fit->curve = model;
    fit->degree = degree;
  }
}

static bool is_better(const struct segmented_model *a,
                      const struct segmented_model *b) {
  return a->criterion <= b->criterion - SEGMENTED_STRONG;
}

static bool can_be_fitted(const double *x, const double *y, size_t count) {
  double least = Y_MOST, most = Y_LEAST;
  if (count < 2 * SEGMENTED_POINTS || count > SEGMENTED_SIZES) return false;
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(x[i]) || (i && x[i] <= x[i - 1])) return false;
    if (!(y[i] >= Y_LEAST && y[i] <= Y_MOST)) return false;
    least = fmin(least, y[i]);
    most = fmax(most, y[i]);
  }
  return most / least <= Y_RANGE;
}

void segmented_fit(const double *x, const double *y, size_t count,
                   struct segmented *fit) {
  struct curve curve;
  *fit = (struct segmented){0};
  if (!can_be_fitted(x, y, count)) return;
  curve_init(&curve, x, count);
  for (size_t i = 0; i < count; i++) curve.y[i] = y[i];
  fit_lines(&curve);
  divide(&curve, most_pieces(count));
  fit->line = fit->pieces = judge_pieces(&curve, 1);
  read_pieces(&curve, 1, fit);
  for (size_t k = 2; k <= most_pieces(count); k++) {
    struct segmented_model model = judge_pieces(&curve, k);
    if (model.criterion >= fit->pieces.criterion) continue;
    fit->pieces = model;
    read_pieces(&curve, k, fit);
  }
  if (!is_better(&fit->pieces, &fit->line)) {
    fit->pieces = fit->line;
    read_pieces(&curve, 1, fit);
  }
  fit_curve(&curve, fit);
  find_intervals(&curve, fit);
  curve_fini(&curve);
}

double segmented_at(const struct segmented *fit, size_t piece, double x) {
  const struct segmented_piece *p = &fit->piece[piece];
  return p->intercept + p->slope.value * x;
}

enum segmented_verdict segmented_judge(const struct segmented *fit) {
  if (!fit->count) return SEGMENTED_NONE;
  if (is_better(&fit->curve, &fit->pieces)) return SEGMENTED_CURVE;
  if (fit->count == 1) return SEGMENTED_LINE;
  return is_better(&fit->pieces, &fit->curve) ? SEGMENTED_PIECES
                                              : SEGMENTED_UNDECIDED;
}
