/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "cpu_algos/hull.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/hulls.h"
#include "tests/cpu_algos/workspace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_by_hand(void) {
  static const struct cpu_point nothing[1], one[] = {{2, 3}, {2, 3}, {2, 3}};
  CU_ASSERT_TRUE(all_find(nothing, 0, nothing, 0, true));
  CU_ASSERT_TRUE(all_find(one, 1, one, 1, true));
  CU_ASSERT_TRUE(all_find(one, 2, one, 1, true));
  CU_ASSERT_TRUE(all_find(one, 3, one, 1, true));
  static const struct cpu_point two[] = {{1, -1}, {0, 5}};
  static const struct cpu_point two_sorted[] = {{0, 5}, {1, -1}};
  CU_ASSERT_TRUE(all_find(two, 2, two_sorted, 2, true));
  static const struct cpu_point clockwise[] = {{0, 0}, {0, 1}, {1, 0}};
  static const struct cpu_point triangle[] = {{0, 0}, {1, 0}, {0, 1}};
  CU_ASSERT_TRUE(all_find(clockwise, 3, triangle, 3, true));
  /* The corners of a square, the middles of its sides, its centre, twice. */
  static const struct cpu_point square[] = {
      {1, 1}, {0, 1}, {2, 1}, {1, 2}, {1, 0}, {2, 2}, {0, 0}, {2, 0}, {0, 2},
      {1, 1}, {0, 1}, {2, 1}, {1, 2}, {1, 0}, {2, 2}, {0, 0}, {2, 0}, {0, 2}};
  static const struct cpu_point corners[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  CU_ASSERT_TRUE(all_find(square, COUNT(square), corners, 4, true));
  static const struct cpu_point upright[] = {{1, 3}, {1, -2}, {1, 0}, {1, 9}};
  static const struct cpu_point ends[] = {{1, -2}, {1, 9}};
  CU_ASSERT_TRUE(all_find(upright, 4, ends, 2, true));
  static const struct cpu_point level[] = {{3, 1}, {-2, 1}, {0, 1}, {9, 1}};
  static const struct cpu_point level_ends[] = {{-2, 1}, {9, 1}};
  CU_ASSERT_TRUE(all_find(level, 4, level_ends, 2, true));
}

/* A last bit decides whether the middle of three is a vertex. */
static void test_last_bit(void) {
  const double third = 24 * (1 + 0x1p-52);
  const struct cpu_point line[] = {{0x1p-53, 0x1p-53}, {12, 12}, {24, 24}};
  const struct cpu_point ends[] = {{0x1p-53, 0x1p-53}, {24, 24}};
  CU_ASSERT_TRUE(all_find(line, 3, ends, 2, true));
  const struct cpu_point left[] = {{0x1p-53, 0x1p-53}, {12, 12}, {24, third}};
  CU_ASSERT_TRUE(all_find(left, 3, left, 3, false));
  const struct cpu_point right[] = {{0x1p-53, 0x1p-53}, {third, 24}, {12, 12}};
  CU_ASSERT_TRUE(all_find(right, 3, right, 3, false));
}

static void test_extreme_coordinates(void) {
  const double far = 0x1p500, near = 0x1p-480;
  const struct cpu_point points[] = {{far, far},   {-far, -far}, {0, 0},
                                     {near, near}, {near, 0},    {0, -near}};
  const struct cpu_point hull[] = {
      {-far, -far}, {0, -near}, {near, 0}, {far, far}};
  CU_ASSERT_TRUE(all_find(points, 6, hull, 4, false));
  const struct cpu_point floats[] = {
      {0x1.fffffep127, 0}, {-0x1.fffffep127, 0}, {0x1p-149, 0x1p-149}, {0, 0}};
  const struct cpu_point around[] = {
      {-0x1.fffffep127, 0}, {0x1.fffffep127, 0}, {0x1p-149, 0x1p-149}};
  CU_ASSERT_TRUE(all_find(floats, 4, around, 3, true));
}

/* Every set of at most five points of a grid of 3 x 3, in some order. */
static void test_every_small_set(void) {
  for (uint64_t n = 0, sets = 1; n <= 4; n++, sets *= 9)
    for (uint64_t s = 0; s < sets; s++) {
      struct whole_point points[4] = {{0, 0}};
      uint64_t rest = s;
      for (uint64_t i = 0; i < n; i++, rest /= 9)
        points[i] = (struct whole_point){rest % 9 % 3, rest % 9 / 3};
      CU_ASSERT_TRUE_FATAL(all_find_defined(points, n, 0, true));
    }
}

/* Many duplicates, many on one line: up to 60 points, more than are sorted
 * at once. */
static void test_grids(void) {
  for (uint64_t seed = 0; seed < 4000; seed++) {
    struct cpu_random random = {seed};
    struct whole_point points[60];
    uint64_t n = cpu_random_below(&random, 61);
    uint64_t width = 1 + cpu_random_below(&random, 12);
    uint64_t height = 1 + cpu_random_below(&random, 12);
    for (uint64_t i = 0; i < n; i++) {
      points[i].x = (int64_t)cpu_random_below(&random, width);
      points[i].y = (int64_t)cpu_random_below(&random, height) - 3;
    }
    CU_ASSERT_TRUE_FATAL(all_find_defined(points, n, 0, true));
  }
}

/* On a line but for some units of 2^-53, which numbers of 1 .. 64 do not have:
 * they are made of those that their doubles have. */
static void test_nearly_collinear(void) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    struct cpu_random random = {seed + 1000000};
    struct whole_point points[60];
    uint64_t n = 3 + cpu_random_below(&random, 58);
    int64_t slope = (int64_t)cpu_random_below(&random, 7) - 3;
    for (uint64_t i = 0; i < n; i++) {
      unsigned shift = (unsigned)cpu_random_below(&random, 6);
      int64_t unit = INT64_C(1) << shift;
      int64_t x = (int64_t)(cpu_random_next(&random) >> 12) * unit;
      int64_t noise = (int64_t)cpu_random_below(&random, 3) - 1;
      int64_t y = slope * (x / 4) + noise * unit;
      points[i].x = x;
      points[i].y = (int64_t)(double)y; /* to 53 bits */
    }
    CU_ASSERT_TRUE_FATAL(all_find_defined(points, n, 53, false));
  }
}

/* hull2d with its pairs, and many equal x: up to some hundred points on few
 * columns, on curves of points close to their neighbours' lines. */
static void test_against_chain(void) {
  enum { MOST = 2000 };
  static struct cpu_point points[MOST];
  for (uint64_t seed = 0; seed < 600; seed++) {
    struct cpu_random random = {seed + 2000000};
    uint64_t n = cpu_random_below(&random, MOST), kind = seed % 6;
    for (uint64_t i = 0; i < n; i++) {
      double t = (double)cpu_random_below(&random, 1 << 20);
      double u = (double)cpu_random_below(&random, 1 << 20);
      struct cpu_point p = {t, u};
      if (kind == 1) p.x = fmod(t, 4);
      if (kind == 2) p.y = t * t; /* a parabola: all are vertices */
      if (kind == 3) p.y = -t * t + fmod(u, 3);
      if (kind == 4)
        p = (struct cpu_point){ldexp(1, (int)fmod(t, 200)),
                               ldexp(1, -(int)fmod(t, 200))};
      if (kind == 5) p = (struct cpu_point){t, t + (double)(i % 2)};
      points[i] = p;
    }
    uint64_t vertices;
    struct cpu_point *hull = hull_by_algo("andrew_hull", points, n, &vertices);
    CU_ASSERT_TRUE_FATAL(all_find(points, n, hull, vertices, false));
    free(hull);
  }
}

/* The answer of `algo` on generated points. */
static struct cpu_point *generate(const char *name, const char *generator,
                                  uint64_t n, uint64_t seed,
                                  uint64_t *vertices) {
  const struct algo *algo = cpu_algo_find(name);
  struct algo_run run = workspace_open(algo, n, seed);
  struct algo_data answer;
  run.generator = generator;
  algo->setup(&run);
  algo->run(&run);
  algo->answer(&run, &answer);
  *vertices = answer.count;
  struct cpu_point *hull = malloc((answer.count + 1) * sizeof *hull);
  if (!hull) abort();
  memcpy(hull, answer.items, answer.count * sizeof *hull);
  const char *wrong = algo->check(&run);
  CU_ASSERT_PTR_NULL(wrong);
  if (wrong)
    fprintf(stderr, "%s %s n=%llu: %s\n", name, generator,
            (unsigned long long)n, wrong);
  CU_ASSERT_TRUE(workspace_guarded(&run));
  workspace_close(&run);
  return hull;
}

static void same_hulls(const char *name, const char *other,
                       const char *generator, uint64_t n, uint64_t seed) {
  uint64_t vertices, others;
  struct cpu_point *hull = generate(name, generator, n, seed, &vertices);
  struct cpu_point *its = generate(other, generator, n, seed, &others);
  CU_ASSERT_EQUAL(vertices, others);
  for (uint64_t i = 0; i < vertices && i < others; i++)
    if (!cpu_point_equal(hull[i], its[i])) {
      CU_FAIL("another vertex");
      fprintf(stderr, "%s %s n=%llu seed=%llu\n", name, generator,
              (unsigned long long)n, (unsigned long long)seed);
      break;
    }
  if (!strcmp(generator, "ring") && !strcmp(name, "hull2d"))
    CU_ASSERT_TRUE((double)vertices >= 0.99 * (double)n);
  free(hull);
  free(its);
}

static void test_generators(void) {
  static const uint64_t sizes[] = {0,  1,   2,    3,     4,     10,
                                   31, 100, 1000, 10000, 100000};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (int g = 0; cpu_points_generators[g]; g++)
      for (uint64_t seed = 0; seed < (sizes[s] > 10000 ? 1 : 3); seed++) {
        const char *generator = cpu_points_generators[g];
        same_hulls("hull2d", "andrew_hull", generator, sizes[s], seed);
        same_hulls("hull2d_float", "andrew_hull_float", generator, sizes[s],
                   seed);
      }
}

/* Right for the definition is right for the algorithm's check, which has to
 * find out about anything else. */
static void test_check(void) {
  static const struct cpu_point points[] = {
      {0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 0}, {2, 2}, {1, 1}, {4, 4}, {2, 4}};
  static const struct {
    uint64_t vertices;
    struct cpu_point hull[5];
  } wrong[] = {
      {0, {{0, 0}}},
      {1, {{0, 0}}},
      {2, {{0, 0}, {4, 4}}},
      {3, {{0, 0}, {4, 0}, {4, 4}}},                 /* one is missing */
      {4, {{4, 0}, {4, 4}, {0, 4}, {0, 0}}},         /* begins elsewhere */
      {4, {{0, 0}, {0, 4}, {4, 4}, {4, 0}}},         /* clockwise */
      {4, {{0, 0}, {4, 0}, {4, 4}, {2, 2}}},         /* dented */
      {4, {{0, 0}, {5, 0}, {4, 4}, {0, 4}}},         /* too large */
      {4, {{0, 0}, {4, 4}, {4, 0}, {0, 4}}},         /* crossed */
      {5, {{0, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}}}, /* one on a side */
      {5, {{0, 0}, {4, 0}, {4, 4}, {4, 4}, {0, 4}}}, /* one twice */
      {5, {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}}},
      {5, {{0, 0}, {4, 0}, {4, 4}, {2, 4}, {0, 4}}},
      {UINT64_MAX, {{0, 0}}},
  };
  const struct algo_data given = {.count = COUNT(points), .items = points};
  const struct algo *algo = cpu_algo_find("andrew_hull");
  struct algo_run run = workspace_open(algo, COUNT(points), 0);
  run.given = &given;
  algo->setup(&run);
  algo->run(&run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  for (size_t w = 0; w < COUNT(wrong); w++) {
    memcpy(cpu_hull_points(&run, 1), wrong[w].hull, sizeof wrong[w].hull);
    run.result = wrong[w].vertices;
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
  }
  workspace_close(&run);
}

static void test_check_of_equal_points(void) {
  static const struct cpu_point points[] = {{2, 3}, {2, 3}, {2, 3}};
  const struct algo_data given = {.count = 3, .items = points};
  const struct algo *algo = cpu_algo_find("hull2d");
  struct algo_run run = workspace_open(algo, 3, 0);
  run.given = &given;
  algo->setup(&run);
  algo->run(&run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  memcpy(cpu_hull_points(&run, 1), points, sizeof points);
  for (run.result = 2; run.result <= 3; run.result++)
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
  workspace_close(&run);
}

static void test_check_of_another_input(void) {
  struct cpu_point points[] = {{0, 0}, {2, 0}, {0, 2}, {0.5, 0.5}};
  const struct algo_data given = {.count = COUNT(points), .items = points};
  const struct algo *algo = cpu_algo_find("hull2d");
  struct algo_run run = workspace_open(algo, COUNT(points), 0);
  run.given = &given;
  algo->setup(&run);
  algo->run(&run);
  CU_ASSERT_PTR_NULL(algo->check(&run));
  points[3].y = 0.25;
  CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
  workspace_close(&run);
}

static const struct check_test tests[] = {
    {"points, lines, triangles and squares, by hand", test_by_hand},
    {"the last bit decides", test_last_bit},
    {"from the least to the largest coordinates", test_extreme_coordinates},
    {"every small set is as defined", test_every_small_set},
    {"duplicates and lines of grids are as defined", test_grids},
    {"nearly collinear points are as defined", test_nearly_collinear},
    {"marriage before conquest is the monotone chain", test_against_chain},
    {"each generator's hull is the monotone chain's", test_generators},
    {"the check finds what is no hull", test_check},
    {"the check finds a point named twice", test_check_of_equal_points},
    {"the check finds that the input is another", test_check_of_another_input},
    {NULL, NULL},
};
extern const struct check_suite suite_hull;
const struct check_suite suite_hull = {"hull", tests, NULL};
