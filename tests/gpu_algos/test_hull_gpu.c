/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hulls by warps are those of the processor. */
#include <math.h>
#include <string.h>

#include "cpu_algos/points.h"
#include "cpu_algos/random.h"
#include "gpu_algos/simt/simt.h"
#include "tests/gpu_algos/hull_case.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const hulls[] = {"hull_gpu", "hull_gpu_float"};

static void expect_generated(size_t hull, uint64_t n, uint64_t seed,
                             const char *generator) {
  struct gpu_case c = {gpu_tested(), gpu_tested(), gpu_index(hulls[hull]), n,
                       seed,         generator};
  hull_case_expect_right(&c);
}

static void test_generators(void) {
  static const uint64_t sizes[] = {0, 1, 2, 3, 33, 1500, 20000};
  for (size_t s = 0; s < COUNT(sizes); s++)
    for (size_t g = 0; cpu_points_generators[g]; g++)
      for (size_t hull = 0; hull < COUNT(hulls); hull++)
        expect_generated(hull, sizes[s], s + g, cpu_points_generators[g]);
}

static void test_in_reverse(void) {
  simt_set_order(SIMT_REVERSE);
  for (size_t g = 0; cpu_points_generators[g]; g++)
    for (size_t hull = 0; hull < COUNT(hulls); hull++)
      expect_generated(hull, 12000, g, cpu_points_generators[g]);
  simt_set_order(SIMT_FORWARD);
}

/* So large that problems are split by all processors; those of check-large are
 * split twice. */
static void test_large(void) {
  if (check_is_brief()) return;
  expect_generated(0, 100000, 7, "disc");
  expect_generated(1, 250000, 7, "ring");
  /* The furthest in the direction of the median is l. */
  expect_generated(1, 300000, 1, "cluster");
}

static void expect_given(const struct cpu_point *points, uint64_t n) {
  const struct algo_data given = {.count = n, .items = points};
  for (size_t hull = 0; hull < COUNT(hulls); hull++) {
    struct gpu_case c = {
        gpu_tested(), gpu_tested(), gpu_index(hulls[hull]), n, 1, NULL};
    const struct algo *algo = gpu_algo(&c);
    if (algo->refuse(&given)) continue; /* no floats */
    struct algo_run run = workspace_open(algo, n, 1);
    run.given = &given;
    algo->setup(&run);
    hull_case_expect_as_on_processor(&c, &run);
    workspace_close(&run);
  }
}

/* Many of few: duplicates, lines in all directions. */
static void test_grids(void) {
  enum { MOST = 100 };
  struct cpu_point points[MOST];
  for (uint64_t seed = 0; seed < 150; seed++) {
    struct cpu_random random = {seed};
    uint64_t n = cpu_random_below(&random, MOST + 1);
    uint64_t width = 1 + cpu_random_below(&random, 12);
    uint64_t height = 1 + cpu_random_below(&random, 12);
    for (uint64_t i = 0; i < n; i++) {
      points[i].x = (double)cpu_random_below(&random, width);
      points[i].y = (double)cpu_random_below(&random, height) - 3;
    }
    expect_given(points, n);
  }
}

/* On a line but for the last bit or so, where rounded determinants are wrong;
 * and from the least numbers to the largest. */
static void test_last_bits(void) {
  enum { MOST = 6000 };
  static struct cpu_point points[MOST];
  for (uint64_t seed = 0; seed < 24; seed++) {
    struct cpu_random random = {seed + 1000};
    for (uint64_t i = 0; i < MOST; i++) {
      double x = (double)(cpu_random_next(&random) >> 12) * 0x1p-52;
      double y = x * 3 + (double)(cpu_random_below(&random, 3)) * 0x1p-51;
      points[i] = (struct cpu_point){x, y};
      if (seed % 3 == 1)
        points[i] = (struct cpu_point){ldexp(1, (int)(i % 400)),
                                       ldexp(x, -(int)(i % 400))};
      if (seed % 3 == 2) points[i].y = (double)(float)(points[i].x = (float)x);
    }
    expect_given(points, seed % 2 ? MOST : 60);
  }
}

/* NaN and infinity, by the number of the line. */
static void test_refuse(void) {
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (size_t hull = 0; hull < COUNT(hulls); hull++)
    for (size_t i = 0; i < COUNT(bad); i++) {
      const struct cpu_point points[] = {{0, 1}, {2, 3}, {4, bad[i]}};
      const struct algo_data given = {.count = 3, .items = points};
      const struct algo *algo = gpu_tested()->algos[gpu_index(hulls[hull])];
      const char *why = algo->refuse(&given);
      CU_ASSERT_PTR_NOT_NULL_FATAL(why);
      CU_ASSERT_PTR_NOT_NULL(strstr(why, "line 3: y"));
    }
}

static double counted(const struct algo *algo, const struct algo_run *run,
                      const char *name) {
  uint64_t values[ALGO_COUNTS];
  size_t i = 0;
  algo->count(run, values);
  while (strcmp(algo->counts[i], name) != 0) i++;
  return (double)values[i];
}

/* Global loads and stores of warps, over n / S log2 h. */
static double operations(const char *generator, uint64_t n) {
  struct gpu_case c = {
      gpu_tested(), gpu_counted(), gpu_index("hull_gpu_float"), n, 1,
      generator};
  struct algo_run run = gpu_case_open(&c);
  struct simt_counters counters;
  simt_reset_counters();
  gpu_case_run(&c, &run);
  simt_read_counters(&counters);
  CU_ASSERT_PTR_NULL(gpu_algo(&c)->check(&run));
  double h = counted(gpu_algo(&c), &run, "vertices");
  double all = (double)(counters.loads + counters.stores);
  /* In 32 at a time until they are small, and twice as many to be safe. */
  double iterations = counted(gpu_algo(&c), &run, "split_iterations");
  CU_ASSERT_TRUE(iterations <= 2 * log2((double)n / 2048) / 5 + 2);
  workspace_close(&run);
  return all / ((double)n / 32 * log2(h));
}

/* Figure 3.5 of the thesis: the ratio varies by at most 2, over sizes and
 * shapes. */
static void test_operations(void) {
  static const char *const shapes[] = {"square", "disc", "ring"};
  static const uint64_t sizes[] = {20000, 50000};
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (size_t s = 0; s < COUNT(sizes); s++) {
      double ratio = operations(shapes[i], sizes[s]);
      if (ratio < least) least = ratio;
      if (ratio > most) most = ratio;
    }
  CU_ASSERT_TRUE(least > 0 && most <= 2 * least);
  if (!(most <= 2 * least))
    fprintf(stderr, "%g to %g operations per n / S log h\n", least, most);
}

static const struct check_test tests[] = {
    {"each generator's hull is that of the processor", test_generators},
    {"and in the reverse order", test_in_reverse},
    {"and where it is large", test_large},
    {"duplicates and lines of grids", test_grids},
    {"the last bits decide", test_last_bits},
    {"what is no number is refused", test_refuse},
    {NULL, NULL},
};
static const struct check_test counted_tests[] = {
    {"memory operations are in the order of n / S log h", test_operations},
    {NULL, NULL},
};
extern const struct check_suite suite_hull_gpu, suite_hull_gpu_counted;
const struct check_suite suite_hull_gpu = {"hulls by warps", tests,
                                           gpu_skip_tested};
const struct check_suite suite_hull_gpu_counted = {
    "hulls by warps, counted", counted_tests, gpu_skip_counted};
