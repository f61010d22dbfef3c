/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A processor's window: simulated instruction group by group, predicted, and
 * found again. */
#include <math.h>
#include <stdlib.h>

#include "experiments/calibrate/derive.h"
#include "experiments/validate/models.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

enum { OPS = 1 << 17, LINE = 64, POINTS = 3 };

/*
 * ns an operation that takes `c`, of which a share `far` has to wait for `l`,
 * so many in turn as `burst` says.  One enters each c at most, and none before
 * the one has left that `window` of work lies behind; they leave in order.
 */
static double simulate(double c, double l, double window, double far,
                       size_t burst) {
  size_t room = (size_t)lround(window / c);
  double *left = malloc(OPS * sizeof *left), enters = 0, last = 0;
  size_t period = (size_t)lround((double)burst / far);
  for (size_t i = 0; i < OPS; i++) {
    enters = fmax(enters + c, i >= room ? left[i - room] : 0);
    last = left[i] = fmax(last, enters + (i % period < burst ? l : c));
  }
  free(left);
  return last / OPS;
}

static double predict(double c, double l, double window, double far) {
  struct costs costs = {.window = window, .strange = 1};
  struct fitted fitted = {.c = c, .overlap = 0};
  costs.waits[0].far = far;
  costs.waits[0].far_ns = far * l;
  return model_full.predict(&costs, &fitted, 0);
}

/* Of bursts that fill the window, as of nothing but misses, it is what the
 * simulation takes; of misses that come one by one it is not more. */
static void test_what_is_simulated_is_predicted(void) {
  for (double c = 0.5; c < 5; c *= 2) {
    size_t room = (size_t)lround(16 / c);
    CU_ASSERT_DOUBLE_EQUAL(predict(c, 120, 16, 1) / simulate(c, 120, 16, 1, 1),
                           1, 0.02);
    for (double far = 0.5; far > 0.01; far /= 2) {
      double ns = predict(c, 120, 16, far);
      double truth = simulate(c, 120, 16, far, room);
      CU_ASSERT_DOUBLE_EQUAL(ns / truth, 1, 0.15);
      CU_ASSERT(ns <= 1.02 * simulate(c, 120, 16, far, 1));
    }
  }
}

/* By hand: 100 ns a line, and 40 of translation for two accesses.  With one far
 * line it waits 120 ns, 7.5 times 16; with half of one 8.5 / 2. */
static void test_walks_wait_too_and_no_window_hides_all(void) {
  struct costs costs = {.window = 16, .strange = 2};
  struct fitted fitted = {.c = 2, .overlap = 0};
  costs.waits[0].far = 1;
  costs.waits[0].far_ns = 100;
  costs.waits[0].measured[COSTS_RANDOM].walk = 30;
  costs.waits[0].measured[COSTS_RANDOM].table = 10;
  CU_ASSERT_DOUBLE_EQUAL(model_full.predict(&costs, &fitted, 0), 15, 1e-9);
  CU_ASSERT_EQUAL(model_full.predict(&costs, &fitted, term_find("window")), 2);
  costs.waits[0].far = 0.5;
  costs.waits[0].far_ns = 50;
  CU_ASSERT_DOUBLE_EQUAL(model_full.predict(&costs, &fitted, 0), 8.5, 1e-9);
  costs.strange = 0; /* prefetched */
  CU_ASSERT_EQUAL(model_full.predict(&costs, &fitted, 0), 2);
  costs.strange = 2;
  costs.window = 0; /* not known */
  CU_ASSERT_EQUAL(model_full.predict(&costs, &fitted, 0), 2);
  costs.window = 200; /* more than the wait */
  CU_ASSERT_EQUAL(model_full.predict(&costs, &fitted, 0), 2);
}

static struct cal_point worked[POINTS], reads[POINTS], chases[POINTS];
static struct cal_curve curves[] = {
    {.name = "worked_read", .points = worked, .count = POINTS},
    {.name = "random_read", .points = reads, .count = POINTS},
    {.name = "line_chase", .points = chases, .count = POINTS},
};

static double found_with(double c, double l, double window, double read) {
  struct calibration cal = {
      .level_count = 2, .page_count = 1, .curves = curves, .curve_count = 3};
  cal.levels[0].bytes_usable.value = 1 << 16;
  snprintf(cal.pages[0].kind, sizeof cal.pages[0].kind, "4k");
  for (size_t i = 0; i < 3; i++) {
    snprintf(curves[i].pages, sizeof curves[i].pages, "4k");
    curves[i].chains = 1;
  }
  for (int i = 0; i < POINTS; i++) {
    double x = 4096 << 7 * i;
    worked[i] =
        (struct cal_point){x, i ? simulate(c, l, window, 1, 1) : c, NAN, NAN};
    reads[i] = (struct cal_point){x, i ? read : 0.5, NAN, NAN};
    chases[i] = (struct cal_point){x, i ? l : 1, NAN, NAN};
  }
  derive_window(&cal);
  return cal.window_ns.value;
}

static void test_it_is_found(void) {
  CU_ASSERT_DOUBLE_EQUAL(found_with(2, 120, 16, 6), 16, 0.5);
  CU_ASSERT_DOUBLE_EQUAL(found_with(2, 120, 40, 4), 40, 1);
  /* As slow without work: it is not the window. */
  CU_ASSERT(isnan(found_with(2, 120, 40, 6)));
  curves[0].name[0] = 'W'; /* as in files of earlier versions */
  CU_ASSERT(isnan(found_with(2, 120, 16, 6)));
  curves[0].name[0] = 'w';
}

static const struct check_test tests[] = {
    {"what is simulated is predicted", test_what_is_simulated_is_predicted},
    {"walks wait, too, and no window hides all",
     test_walks_wait_too_and_no_window_hides_all},
    {"it is found", test_it_is_found},
    {NULL, NULL}};

const struct check_suite suite_window = {.name = "window", .tests = tests};
