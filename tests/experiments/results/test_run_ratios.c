/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of arms on a machine whose speed drifts: exact where it has no noise,
 * and closer than medians of pairs, with intervals that hold, where it has. */
#include <math.h>
#include <stdbool.h>

#include "cpu_algos/random.h"
#include "experiments/results/run_ratios.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

enum { ARMS = 5, ROUNDS = 8, RUNS = ARMS * ROUNDS };
static const double speed[ARMS] = {1, 1, 0.9, 1.02, 0.5};

static double uniform(struct cpu_random *random) {
  return (double)(cpu_random_next(random) >> 11) * 0x1p-53;
}

static double normal(struct cpu_random *random) {
  double sum = 0;
  for (int i = 0; i < 12; i++) sum += uniform(random);
  return sum - 6;
}

static struct run_side of(size_t arm) {
  return (struct run_side){{arm, RUN_RATIOS_NO_ARM}};
}

static struct ratio ratio_of(const struct run_figure *run, size_t count,
                             struct run_side side, struct run_side to) {
  struct run_ratios *ratios = run_ratios_fit(run, count);
  struct ratio ratio = run_ratios_of(ratios, side, to);
  run_ratios_free(ratios);
  return ratio;
}

/* Rounds in which arms have an order of their own; `left` of each run's noise
 * is left in the next. */
static void make_runs(struct run_figure run[RUNS], struct cpu_random *random,
                      double noise, double left) {
  double rest = noise * normal(random);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    size_t order[ARMS];
    for (size_t i = 0; i < ARMS; i++) {
      size_t k = (size_t)cpu_random_below(random, i + 1);
      order[i] = order[k];
      order[k] = i;
    }
    for (size_t i = 0; i < ARMS; i++) {
      rest = left * rest + noise * sqrt(1 - left * left) * normal(random);
      run[round * ARMS + i] =
          (struct run_figure){order[i], round, speed[order[i]] * exp(rest)};
    }
  }
}

static void test_without_noise_ratios_are_exact(void) {
  struct run_figure run[RUNS];
  struct cpu_random random = {1};
  make_runs(run, &random, 0, 0);
  for (size_t i = 0; i < RUNS; i++) run[i].value *= 1 + 0.3 * run[i].round;
  for (size_t arm = 1; arm < ARMS; arm++) {
    struct ratio ratio = ratio_of(run, RUNS, of(arm), of(0));
    CU_ASSERT_DOUBLE_EQUAL(ratio.value, speed[arm], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ratio.hi / ratio.lo, 1, 1e-3);
  }
  struct run_side both = {{2, 4}}; /* as their geometric mean */
  CU_ASSERT_DOUBLE_EQUAL(ratio_of(run, RUNS, of(3), both).value,
                         1.02 / sqrt(0.45), 1e-9);
}

static double median_of_pairs(const struct run_figure run[RUNS], size_t arm) {
  double one[ROUNDS] = {0}, base[ROUNDS] = {0};
  struct ratio ratio;
  for (size_t i = 0; i < RUNS; i++) {
    if (run[i].arm == arm) one[run[i].round] = run[i].value;
    if (run[i].arm == 0) base[run[i].round] = run[i].value;
  }
  for (size_t i = 0; i < ROUNDS; i++) one[i] /= base[i];
  ratio_of_pairs(one, ROUNDS, &ratio);
  return ratio.value;
}

/* How far off the fit and the pairs are, as sums of squares; how often the true
 * ratio is outside of the interval. */
struct off {
  double fit, pairs;
  unsigned outside, all;
};

static struct off try(double left, uint64_t seed) {
  struct off off = {0};
  struct cpu_random random = {seed};
  for (int trial = 0; trial < 100; trial++) {
    struct run_figure run[RUNS];
    make_runs(run, &random, 0.05, left);
    for (size_t arm = 1; arm < ARMS; arm++) {
      struct ratio ratio = ratio_of(run, RUNS, of(arm), of(0));
      off.fit += pow(log(ratio.value / speed[arm]), 2);
      off.pairs += pow(log(median_of_pairs(run, arm) / speed[arm]), 2);
      off.outside += speed[arm] < ratio.lo || speed[arm] > ratio.hi;
      off.all++;
    }
  }
  return off;
}

/* Of 400 intervals 20 are to leave the truth out. */
static void test_drift_is_taken_out(void) {
  struct off drifting = try(0.6, 2), steady = try(0, 3);
  CU_ASSERT(drifting.fit < 0.7 * drifting.pairs);
  CU_ASSERT(steady.fit < steady.pairs);
  CU_ASSERT(drifting.outside <= drifting.all / 10);
  CU_ASSERT(steady.outside <= steady.all / 10);
  CU_ASSERT(drifting.outside + steady.outside >= drifting.all / 100);
}

static void test_a_run_that_is_far_out_changes_little(void) {
  struct run_figure run[RUNS];
  struct cpu_random random = {4};
  make_runs(run, &random, 0.001, 0);
  for (size_t i = 0; i < RUNS; i++)
    if (run[i].arm == 2 && run[i].round == 3) run[i].value *= 5;
  CU_ASSERT_DOUBLE_EQUAL(ratio_of(run, RUNS, of(2), of(0)).value, 0.9, 0.005);
}

/* What was never run beside each other is not compared; few rounds have no
 * interval. */
static void test_ratios_need_rounds_that_both_have(void) {
  static const struct run_figure apart[] = {
      {0, 0, 1}, {1, 0, 2}, {2, 1, 3}, {3, 1, 4}, {2, 2, 3}};
  CU_ASSERT_DOUBLE_EQUAL(ratio_of(apart, 5, of(1), of(0)).value, 2, 1e-9);
  CU_ASSERT(isnan(ratio_of(apart, 5, of(2), of(0)).value));
  CU_ASSERT(isnan(ratio_of(apart, 5, of(4), of(0)).value));
  CU_ASSERT(isnan(ratio_of(apart, 0, of(1), of(0)).value));
  struct run_figure run[RUNS];
  struct cpu_random random = {5};
  make_runs(run, &random, 0.01, 0);
  for (size_t rounds = 1; rounds <= 3; rounds++) {
    struct ratio ratio = ratio_of(run, rounds * ARMS, of(2), of(0));
    CU_ASSERT_DOUBLE_EQUAL(ratio.value, 0.9, 0.05);
    CU_ASSERT_EQUAL(isnan(ratio.lo), rounds < RATIO_MIN_PAIRS);
    CU_ASSERT_EQUAL(isnan(ratio.hi), rounds < RATIO_MIN_PAIRS);
  }
}

/* Time goes by the number of runs: where each round were an unknown, these
 * would take hours. */
static void test_many_rounds_are_quick(void) {
  enum { MANY = 4000 };
  static struct run_figure run[3 * MANY];
  struct cpu_random random = {6};
  for (size_t i = 0; i < 3 * MANY; i++) {
    size_t arm = (i + i / 3) % 3;
    run[i] = (struct run_figure){arm, (uint32_t)(i / 3),
                                 speed[arm] * exp(0.05 * normal(&random))};
  }
  struct ratio ratio = ratio_of(run, 3 * MANY, of(2), of(0));
  CU_ASSERT_DOUBLE_EQUAL(ratio.value, 0.9, 0.005);
  CU_ASSERT(ratio.lo < 0.9 && 0.9 < ratio.hi && ratio.hi - ratio.lo < 0.01);
}

static const struct check_test tests[] = {
    {"without noise, ratios are exact", test_without_noise_ratios_are_exact},
    {"drift is taken out", test_drift_is_taken_out},
    {"a run that is far out changes little",
     test_a_run_that_is_far_out_changes_little},
    {"ratios need rounds that both have",
     test_ratios_need_rounds_that_both_have},
    {"many rounds are quick", test_many_rounds_are_quick},
    {NULL, NULL},
};

const struct check_suite suite_run_ratios = {
    .name = "ratios of runs",
    .tests = tests,
};
