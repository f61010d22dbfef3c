/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a calibration between their points. */
#include <math.h>

#include "experiments/probe/calibration.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

/* Of caches that keep 100 and 1000 spots at 1, 5 and 50 ns. */
static double three_levels(double x) {
  double sum =
      fmin(x, 100) + 5 * fmax(0, fmin(x, 1000) - 100) + 50 * fmax(0, x - 1000);
  return sum / x;
}

static void test_a_chase_tells_the_time_at_each_distance(void) {
  struct cal_point points[] = {{50, 0, 0, 0},   {100, 0, 0, 0},
                               {300, 0, 0, 0},  {1000, 0, 0, 0},
                               {4000, 0, 0, 0}, {9000, 0, 0, 0}};
  struct cal_curve curve = {.points = points, .count = 6};
  for (size_t i = 0; i < 6; i++) points[i].ns = three_levels(points[i].x);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 10), 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 99), 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 150), 5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 999), 5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 5000), 50, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 1e9), 50, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_at(&curve, 100), points[1].ns, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_at(&curve, 2000),
                         (points[3].ns + points[4].ns) / 2, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_at(&curve, 1), 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_at(&curve, 1e9), points[5].ns, 1e-9);
  CU_ASSERT(isnan(curve_distance(NULL, 1)));
  curve.count = 1;
  CU_ASSERT(isnan(curve_distance(&curve, 1)));
}

/* Slopes 1, 5, 3, 9 over 10, 10, 30, 10: those that fall become their mean,
 * weighted by length, 3.5 (pool adjacent violators, by hand). */
static void test_noise_never_lets_the_time_fall(void) {
  struct cal_point points[] = {{10, 1, 0, 0},
                               {20, 1, 0, 0},
                               {30, 70.0 / 30, 0, 0},
                               {60, 160.0 / 60, 0, 0},
                               {70, 250.0 / 70, 0, 0}};
  struct cal_curve curve = {.points = points, .count = 5};
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 15), 1, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 25), 3.5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 50), 3.5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(curve_distance(&curve, 65), 9, 1e-9);
}

static const struct check_test tests[] = {
    {"a chase tells the time at each distance",
     test_a_chase_tells_the_time_at_each_distance},
    {"noise never lets the time fall", test_noise_never_lets_the_time_fall},
    {NULL, NULL}};

const struct check_suite suite_calibration_curve = {"calibration_curve", tests,
                                                    NULL};
