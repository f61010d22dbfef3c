/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/points.h"
#include "cpu_algos/random.h"
#include "tests/check.h"

enum { MANY = 100000 };

static struct algo_run run_of(const char *generator) {
  return (struct algo_run){.n = MANY, .seed = 3, .generator = generator};
}

static double radius_of(struct cpu_point p) {
  return sqrt(p.x * p.x + p.y * p.y);
}

static void test_square(void) {
  const struct algo_run run = run_of("square"), first = run_of(NULL);
  unsigned in = 0, small = 0, same = 0;
  for (uint64_t i = 0; i < MANY; i++) {
    struct cpu_point p = cpu_points_at(&run, i, false);
    in += p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1;
    small += p.x < 0.5 && p.y < 0.25;
    same += cpu_point_equal(p, cpu_points_at(&first, i, false));
  }
  CU_ASSERT_EQUAL(in, MANY);
  CU_ASSERT_EQUAL(same, MANY);
  CU_ASSERT_DOUBLE_EQUAL((double)small / MANY, 0.125, 0.005);
}

static void test_disc(void) {
  const struct algo_run run = run_of("disc");
  unsigned in = 0, small = 0, quarter = 0;
  for (uint64_t i = 0; i < MANY; i++) {
    struct cpu_point p = cpu_points_at(&run, i, false);
    in += radius_of(p) <= 1 + 1e-15;
    small += radius_of(p) < 0.5;
    quarter += p.x < 0 && p.y > 0;
  }
  CU_ASSERT_EQUAL(in, MANY);
  CU_ASSERT_DOUBLE_EQUAL((double)small / MANY, 0.25, 0.01);
  CU_ASSERT_DOUBLE_EQUAL((double)quarter / MANY, 0.25, 0.01);
}

static void test_ring(void) {
  const struct algo_run run = run_of("ring");
  unsigned on = 0, on_as_float = 0, octant = 0;
  for (uint64_t i = 0; i < MANY; i++) {
    struct cpu_point p = cpu_points_at(&run, i, false);
    on += fabs(radius_of(p) - 1) < 4e-16;
    octant += p.x > 0 && p.y > p.x;
    on_as_float += fabs(radius_of(cpu_points_at(&run, i, true)) - 1) < 2e-7;
  }
  CU_ASSERT_EQUAL(on, MANY);
  CU_ASSERT_EQUAL(on_as_float, MANY);
  CU_ASSERT_DOUBLE_EQUAL((double)octant / MANY, 0.125, 0.005);
}

static void test_few(void) {
  const struct algo_run line = run_of("collinear"),
                        doubled = run_of("duplicates");
  const struct algo_run equal = run_of("equal");
  unsigned on = 0, other = 0, repeated = 0;
  struct cpu_point first = cpu_points_at(&equal, 0, false);
  struct cpu_point wanted = cpu_points_at(&doubled, 0, false);
  for (uint64_t i = 0; i < MANY; i++) {
    struct cpu_point p = cpu_points_at(&line, i, true);
    on += p.y == 3 * p.x - 1 && p.x >= 0 && p.x < 1 << 20 && p.x == rint(p.x);
    other += !cpu_point_equal(cpu_points_at(&equal, i, false), first);
    repeated += cpu_point_equal(cpu_points_at(&doubled, i, false), wanted);
  }
  CU_ASSERT_EQUAL(on, MANY);
  CU_ASSERT_EQUAL(other, 0);
  CU_ASSERT_TRUE(repeated > 60 && repeated < 150); /* MANY / 1000 */
}

/* The same bits on every machine, computed apart from this program. */
static void test_same_everywhere(void) {
  static const struct {
    const char *generator;
    struct cpu_point point, rounded;
  } known[] = {
      {"square",
       {0x1.d6124727c03aep-2, 0x1.e1c9247862565p-1},
       {0x1.d612480000000p-2, 0x1.e1c9240000000p-1}},
      {"disc",
       {-0x1.4f6dc6c1fe290p-4, 0x1.c39248f0c4acap-1},
       {-0x1.4f6dc60000000p-4, 0x1.c392480000000p-1}},
      {"ring",
       {-0x1.7aafbec1a6b70p-4, 0x1.fdcea0c76766ep-1},
       {-0x1.7aafbe0000000p-4, 0x1.fdcea00000000p-1}},
      {"collinear",
       {0x1.d612400000000p+18, 0x1.608da00000000p+20},
       {0x1.d612400000000p+18, 0x1.608da00000000p+20}},
      {"duplicates",
       {0x1.2613a3a846380p-5, 0x1.589d9bc2d3956p-2},
       {0x1.2613a40000000p-5, 0x1.589d9c0000000p-2}},
      {"equal",
       {-0x1.e5ba1b0412fd2p-2, -0x1.a7d5478d11514p-2},
       {-0x1.e5ba1c0000000p-2, -0x1.a7d5480000000p-2}},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    const struct algo_run run = run_of(known[k].generator);
    struct cpu_point p = cpu_points_at(&run, 5, false);
    struct cpu_point f = cpu_points_at(&run, 5, true);
    CU_ASSERT_TRUE(cpu_point_equal(p, known[k].point));
    CU_ASSERT_TRUE(cpu_point_equal(f, known[k].rounded));
  }
}

static bool refused(double number, bool floats) {
  const struct cpu_point points[3] = {{0, 1}, {number, 2}, {-3, number}};
  const struct cpu_point swapped[2] = {{-3, 0}, {2, number}};
  const struct algo_data some = {.count = 3, .items = points};
  const struct algo_data others = {.count = 2, .items = swapped};
  const char *(*refuse)(const struct algo_data *) =
      floats ? cpu_points_refuse_float : cpu_points_refuse;
  CU_ASSERT_EQUAL(!refuse(&some), !refuse(&others));
  return refuse(&some);
}

static void test_refuse(void) {
  static const double good[] = {0,        -0.0,    0.1,       -1e100,
                                -0x1p500, 0x1p500, -0x1p-480, 0x1p-480};
  static const double bad[] = {0x1.0000000000001p500,
                               0x1.fffffffffffffp-481,
                               -0x1.0000000000001p500,
                               0x1p-1074,
                               -0x1.fffffffffffffp1023,
                               INFINITY,
                               -INFINITY,
                               NAN};
  static const double floats[] = {
      0, -0.0, 0.5, 16777215, 0x1p-149, 0x1p127, -0x1p-126, -0x1.fffffep127};
  static const double no_floats[] = {
      0.1, 16777217, 0x1p-150, 0x1p128, -INFINITY, 0x1.ffffffp127, NAN, 1e-50};
  for (int i = 0; i < 8; i++) {
    CU_ASSERT_FALSE(refused(good[i], false));
    CU_ASSERT_TRUE(refused(bad[i], false));
    CU_ASSERT_FALSE(refused(floats[i], true));
    CU_ASSERT_TRUE(refused(no_floats[i], true));
  }
}

static void test_what_is_refused_is_named(void) {
  static const struct cpu_point points[] = {{0, 1}, {2, 3}, {4, 0.1}, {0.1, 5}};
  static const struct cpu_point large[] = {{0, 0}, {-1e200, 0.1}};
  const struct algo_data some = {.count = 4, .items = points};
  const struct algo_data others = {.count = 2, .items = large};
  const char *why = cpu_points_refuse_float(&some);
  CU_ASSERT_PTR_NOT_NULL_FATAL(why);
  CU_ASSERT_PTR_NOT_NULL(strstr(why, "line 3: y = 0.10000000000000001 is not"));
  why = cpu_points_refuse(&others);
  CU_ASSERT_PTR_NOT_NULL_FATAL(why);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(why, "line 2: x = -9.9999999999999997e+199 is"));
}

static int compare_points(const void *left, const void *right) {
  const struct cpu_point *a = left, *b = right;
  return cpu_point_before(*b, *a) - cpu_point_before(*a, *b);
}

/* Of few values, of many, in order, in reverse, like an organ's pipes. */
static void test_sort(void) {
  enum { MOST = 3000 };
  static struct cpu_point points[MOST], expected[MOST];
  for (uint64_t n = 0; n <= MOST; n = n < 70 ? n + 1 : n * 3 / 2)
    for (unsigned kind = 0; kind < 6; kind++) {
      for (uint64_t i = 0; i < n; i++) {
        uint64_t few = kind == 1 ? 3 : 1000, x = cpu_random_at(kind, i) % few;
        if (kind == 2) x = i;
        if (kind == 3) x = n - i;
        if (kind == 4) x = i < n / 2 ? i : n - i;
        if (kind == 5) x = 1;
        points[i].x = (double)x;
        points[i].y = (double)(cpu_random_at(kind + 9, i) % few) - 2;
        expected[i] = points[i];
      }
      qsort(expected, n, sizeof *expected, compare_points);
      cpu_points_sort(points, n);
      uint64_t right = 0;
      while (right < n && cpu_point_equal(points[right], expected[right]))
        right++;
      CU_ASSERT_EQUAL(right, n);
    }
}

static const struct check_test tests[] = {
    {"a square is filled evenly", test_square},
    {"a disc is filled evenly", test_disc},
    {"a ring is as thin as rounding leaves it", test_ring},
    {"collinear, repeated and equal points are", test_few},
    {"points have the same bits on every machine", test_same_everywhere},
    {"coordinates that cannot be computed with are refused", test_refuse},
    {"and the first of them is named", test_what_is_refused_is_named},
    {"points are sorted by x and y", test_sort},
    {NULL, NULL},
};
extern const struct check_suite suite_points;
const struct check_suite suite_points = {"points", tests, NULL};
