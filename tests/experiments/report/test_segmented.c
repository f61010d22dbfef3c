/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves as straight pieces. */
#include <config.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>

#include "experiments/report/segmented.h"
#include "experiments/results/summary.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

enum { MOST = 64, SEED = 7 };

/* Sizes as vat run has them, by a factor of 1.4. */
static const double apart = 0.485, first = 14;

/* Two pieces that meet at `at`, or a step of `step` there. */
struct shape {
  double before, after, at, step;
};

static double shape_at(const struct shape *shape, double x) {
  double y = 1 + shape->before * (x - first);
  if (x > shape->at)
    y += shape->step + (shape->after - shape->before) * (x - shape->at);
  return y;
}

static void draw(gsl_rng *rng, const struct shape *shape, double noise,
                 size_t count, double *x, double *y) {
  for (size_t i = 0; i < count; i++) {
    x[i] = first + apart * (double)i;
    y[i] = shape_at(shape, x[i]) * (1 + noise * gsl_ran_gaussian(rng, 1));
  }
}

/* Weights 1, 1/4, 1/4, 1, ...: the mean is 6 / 5, and the squares of 0.2 and
 * 0.4, four each, are 0.8 of 8 points.  Two pieces leave as much. */
static void test_a_line_by_hand(void) {
  const double x[] = {-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5};
  const double y[] = {1, 2, 2, 1, 1, 2, 2, 1};
  struct segmented fit;
  segmented_fit(x, y, 8, &fit);
  CU_ASSERT_EQUAL(fit.count, 1);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[0].intercept, 1.2, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[0].slope.value, 0, 1e-12);
  CU_ASSERT(fit.piece[0].slope.lo < 0 && fit.piece[0].slope.hi > 0);
  CU_ASSERT_TRUE(isnan(fit.piece[0].from.value));
  CU_ASSERT_DOUBLE_EQUAL(fit.pieces.error, sqrt(0.1), 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(fit.pieces.criterion, 8 * log(0.1) + 4 * log(8), 1e-9);
  CU_ASSERT_EQUAL(fit.line.criterion, fit.pieces.criterion);
}

/* y = 2 + x, and from 4.5 on 3 x - 7; then the same with a jump. */
static void test_a_bend_and_a_step_by_hand(void) {
  double x[10], y[10];
  struct segmented fit;
  for (int i = 0; i < 10; i++) x[i] = i, y[i] = i < 5 ? 2 + i : 3 * i - 7;
  segmented_fit(x, y, 10, &fit);
  CU_ASSERT_EQUAL_FATAL(fit.count, 2);
  CU_ASSERT_EQUAL(fit.piece[1].first, 5);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[0].slope.value, 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[1].slope.value, 3, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[1].intercept, -7, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(segmented_at(&fit, 1, 4.5), 6.5, 1e-9);
  CU_ASSERT_FALSE(fit.piece[1].step);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[1].from.value, 4.5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[1].from.lo, 4.5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(fit.piece[1].from.hi, 4.5, 1e-9);
  /* Below the floor, nothing is worth another piece. */
  CU_ASSERT_DOUBLE_EQUAL(fit.pieces.criterion,
                         20 * log(SUMMARY_NOISE_FLOOR) + 10 * log(10), 1e-9);
  for (int i = 5; i < 10; i++) y[i] += 20;
  segmented_fit(x, y, 10, &fit);
  CU_ASSERT_EQUAL_FATAL(fit.count, 2);
  CU_ASSERT_TRUE(fit.piece[1].step);
  CU_ASSERT_EQUAL(fit.piece[1].from.value, 4.5);
  CU_ASSERT_EQUAL(fit.piece[1].from.lo, 4);
  CU_ASSERT_EQUAL(fit.piece[1].from.hi, 5);
}

/* --- by the definition, over all divisions --- */

/* Relative squares that the best line through points from <= i < to leaves. */
static double slow_line(const double *x, const double *y, size_t from,
                        size_t to) {
  double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0, squares = 0;
  for (size_t i = from; i < to; i++) {
    double w = 1 / y[i] / y[i], d = x[i] - x[from];
    s += w;
    sx += w * d;
    sxx += w * d * d;
    sy += w * y[i];
    sxy += w * d * y[i];
  }
  double slope = (s * sxy - sx * sy) / (s * sxx - sx * sx);
  double at_from = (sy - slope * sx) / s;
  for (size_t i = from; i < to; i++) {
    double left = 1 - (at_from + slope * (x[i] - x[from])) / y[i];
    squares += left * left;
  }
  return squares;
}

static double slow_pieces(const double *x, const double *y, size_t from,
                          size_t count, size_t pieces) {
  if (pieces == 1)
    return count - from < SEGMENTED_POINTS ? INFINITY
                                           : slow_line(x, y, from, count);
  double least = INFINITY;
  for (size_t to = from + SEGMENTED_POINTS; to < count; to++)
    least = fmin(least, slow_line(x, y, from, to) +
                            slow_pieces(x, y, to, count, pieces - 1));
  return least;
}

static void check_against_slow(const double *x, const double *y, size_t count) {
  struct segmented fit;
  double least = INFINITY, squares = NAN, line = NAN, line_squares = NAN;
  size_t pieces = 0;
  for (size_t k = 1; k * SEGMENTED_POINTS <= count && k <= SEGMENTED_MOST;
       k++) {
    double left = slow_pieces(x, y, 0, count, k), n = (double)count;
    double floor = SUMMARY_NOISE_FLOOR * SUMMARY_NOISE_FLOOR;
    double criterion =
        n * log(fmax(left / n, floor)) + 2 * (3 * (double)k - 1) * log(n);
    if (k == 1) line = criterion, line_squares = left;
    if (criterion >= least) continue;
    least = criterion;
    squares = left;
    pieces = k;
  }
  if (least > line - SEGMENTED_STRONG) {
    least = line;
    squares = line_squares;
    pieces = 1;
  }
  segmented_fit(x, y, count, &fit);
  CU_ASSERT_EQUAL_FATAL(fit.count, pieces);
  CU_ASSERT_DOUBLE_EQUAL(fit.pieces.criterion, least, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(fit.pieces.error, sqrt(squares / (double)count), 1e-9);
  double divided = 0;
  size_t next = 0;
  for (size_t i = 0; i < fit.count; i++) {
    const struct segmented_piece *piece = &fit.piece[i];
    CU_ASSERT_EQUAL(piece->first, next);
    next += piece->count;
    divided += slow_line(x, y, piece->first, next);
  }
  CU_ASSERT_EQUAL(next, count);
  CU_ASSERT_DOUBLE_EQUAL(divided, squares, 1e-9);
}

static void test_all_divisions_are_tried(void) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, SEED);
  for (size_t count = 8; count <= 20; count++)
    for (int round = 0; round < 4; round++) {
      double x[MOST], y[MOST], at = first, value = 1;
      for (size_t i = 0; i < count; i++) {
        bool jump = i && !gsl_rng_uniform_int(rng, 5);
        x[i] = at += 0.1 + gsl_rng_uniform(rng);
        y[i] = value *= (jump ? 2 : 1) * (1 + 0.1 * gsl_rng_uniform(rng));
      }
      check_against_slow(x, y, count);
    }
  gsl_rng_free(rng);
}

/* --- over random input; what is asserted is what segmented.h and
 * doc/operation-time.md state --- */

enum { CURVES = 60 };

static void test_a_straight_line_is_one_piece(void) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t one = 0, level = 0;
  gsl_rng_set(rng, SEED);
  for (int i = 0; i < CURVES; i++) {
    const struct shape shape = {i % 2 ? 0 : 0.2, 0, INFINITY, 0};
    double x[MOST], y[MOST];
    struct segmented fit;
    draw(rng, &shape, 0.05, 16 + (size_t)i % 3 * 6, x, y);
    segmented_fit(x, y, 16 + (size_t)i % 3 * 6, &fit);
    one += fit.count == 1;
    level += segmented_judge(&fit) == SEGMENTED_LINE;
  }
  gsl_rng_free(rng);
  CU_ASSERT(one >= CURVES * 97 / 100);
  CU_ASSERT(level >= CURVES * 97 / 100);
}

static bool holds(const struct segmented_interval *interval, double value) {
  return interval->lo <= value && value <= interval->hi;
}

/* Bends and steps in turn. */
static void test_breaks_are_where_they_were(void) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t two = 0, breaks = 0, slopes = 0, pieces = 0;
  gsl_rng_set(rng, SEED);
  for (int i = 0; i < CURVES; i++) {
    const size_t count = 22;
    const struct shape shape = {0.05, 0.65,
                                first + apart * (9 + 4 * gsl_rng_uniform(rng)),
                                i % 2 ? 1.2 : 0};
    double x[MOST], y[MOST];
    struct segmented fit;
    draw(rng, &shape, 0.03, count, x, y);
    segmented_fit(x, y, count, &fit);
    pieces += segmented_judge(&fit) == SEGMENTED_PIECES;
    if (fit.count != 2) continue;
    two++;
    breaks += holds(&fit.piece[1].from, shape.at);
    slopes += holds(&fit.piece[0].slope, shape.before);
    slopes += holds(&fit.piece[1].slope, shape.after);
  }
  gsl_rng_free(rng);
  CU_ASSERT(two >= CURVES * 95 / 100);
  CU_ASSERT(breaks >= two * 90 / 100);
  CU_ASSERT(slopes >= 2 * two * 85 / 100);
  CU_ASSERT(pieces >= CURVES * 90 / 100);
  if (breaks < two * 90 / 100 || slopes < 2 * two * 85 / 100)
    printf("%zu with a break, %zu found, %zu slopes\n", two, breaks, slopes);
}

/* log^2 n is no pieces. */
static void test_a_smooth_curve_is_not_taken_for_pieces(void) {
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t curves = 0, pieces = 0;
  gsl_rng_set(rng, SEED);
  for (int i = 0; i < CURVES; i++) {
    double x[MOST], y[MOST];
    struct segmented fit;
    for (size_t k = 0; k < 24; k++) {
      x[k] = first + apart * (double)k;
      y[k] = (1 + 0.3 * (x[k] - first) * (x[k] - first)) *
             (1 + 0.03 * gsl_ran_gaussian(rng, 1));
    }
    segmented_fit(x, y, 24, &fit);
    curves += segmented_judge(&fit) == SEGMENTED_CURVE;
    pieces += segmented_judge(&fit) == SEGMENTED_PIECES;
    CU_ASSERT(fit.degree >= 2 && fit.degree <= SEGMENTED_DEGREE);
  }
  gsl_rng_free(rng);
  CU_ASSERT(curves >= CURVES * 90 / 100);
  CU_ASSERT_EQUAL(pieces, 0);
}

/* Units do not matter, nor where x begins; the same points give the same. */
static void test_units_do_not_matter(void) {
  const struct shape shape = {0.05, 0.65, first + 11.5 * apart, 0.4};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  double x[MOST], y[MOST], moved[MOST], scaled[MOST];
  struct segmented fit, other;
  gsl_rng_set(rng, SEED);
  draw(rng, &shape, 0.04, 24, x, y);
  gsl_rng_free(rng);
  for (size_t i = 0; i < 24; i++) moved[i] = x[i] - 10, scaled[i] = 1000 * y[i];
  segmented_fit(x, y, 24, &fit);
  segmented_fit(moved, scaled, 24, &other);
  CU_ASSERT_EQUAL_FATAL(fit.count, 2);
  CU_ASSERT_EQUAL_FATAL(other.count, 2);
  CU_ASSERT_DOUBLE_EQUAL(fit.pieces.criterion, other.pieces.criterion, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(fit.curve.criterion, other.curve.criterion, 1e-6);
  for (size_t i = 0; i < 2; i++) {
    const struct segmented_piece *a = &fit.piece[i], *b = &other.piece[i];
    CU_ASSERT_EQUAL(a->first, b->first);
    CU_ASSERT_DOUBLE_EQUAL(1000 * a->slope.value, b->slope.value, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(1000 * a->slope.lo, b->slope.lo, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(1000 * a->slope.hi, b->slope.hi, 1e-6);
    if (!i) continue;
    CU_ASSERT_DOUBLE_EQUAL(a->from.value - 10, b->from.value, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(a->from.lo - 10, b->from.lo, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(a->from.hi - 10, b->from.hi, 1e-9);
  }
}

static void test_too_few_points_are_no_fit(void) {
  double x[SEGMENTED_SIZES + 1], y[SEGMENTED_SIZES + 1];
  struct segmented fit;
  for (size_t i = 0; i <= SEGMENTED_SIZES; i++) x[i] = (double)i, y[i] = 1;
  segmented_fit(x, y, 0, &fit);
  CU_ASSERT_EQUAL(fit.count, 0);
  CU_ASSERT_EQUAL(segmented_judge(&fit), SEGMENTED_NONE);
  segmented_fit(x, y, 7, &fit);
  CU_ASSERT_EQUAL(fit.count, 0);
  segmented_fit(x, y, 8, &fit);
  CU_ASSERT_EQUAL(fit.count, 1);
  CU_ASSERT_EQUAL(segmented_judge(&fit), SEGMENTED_LINE);
  segmented_fit(x, y, SEGMENTED_SIZES + 1, &fit);
  CU_ASSERT_EQUAL(fit.count, 0);
}

/* As a damaged file may have them. */
static void test_times_that_are_none_are_no_fit(void) {
  const double bad[] = {0, -1, NAN, INFINITY, 1e300, 1e-300, 1e10};
  double x[12], y[12];
  struct segmented fit;
  for (size_t i = 0; i < 12; i++) x[i] = (double)i, y[i] = 1 + (double)i;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    y[5] = bad[i];
    segmented_fit(x, y, 12, &fit);
    CU_ASSERT_EQUAL(fit.count, 0);
  }
  y[5] = 6;
  segmented_fit(x, y, 12, &fit);
  CU_ASSERT_EQUAL(fit.count, 1);
  x[5] = x[4];
  segmented_fit(x, y, 12, &fit);
  CU_ASSERT_EQUAL(fit.count, 0);
  /* A line through these crosses 0 between them. */
  for (size_t i = 0; i < 12; i++) x[i] = (double)i, y[i] = i == 11 ? 1 : 1e-8;
  segmented_fit(x, y, 12, &fit);
  CU_ASSERT(fit.count >= 1);
  for (size_t i = 0; i < fit.count; i++)
    CU_ASSERT(isfinite(fit.piece[i].slope.lo) &&
              isfinite(fit.piece[i].slope.hi));
}

static const struct check_test tests[] = {
    {"a line by hand", test_a_line_by_hand},
    {"a bend and a step by hand", test_a_bend_and_a_step_by_hand},
    {"all divisions are tried", test_all_divisions_are_tried},
    {"a straight line is one piece", test_a_straight_line_is_one_piece},
    {"breaks are where they were", test_breaks_are_where_they_were},
    {"a smooth curve is not taken for pieces",
     test_a_smooth_curve_is_not_taken_for_pieces},
    {"units do not matter", test_units_do_not_matter},
    {"too few points are no fit", test_too_few_points_are_no_fit},
    {"times that are none are no fit", test_times_that_are_none_are_no_fit},
    {NULL, NULL},
};
const struct check_suite suite_segmented = {.name = "segmented",
                                            .tests = tests};
