/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/histogram.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/workspace.h"

static void test_by_hand(void) {
  static const uint32_t keys[] = {0, 255, 256, 511, 0xffffffff, 7, 0x12345607};
  uint64_t counts[CPU_HISTOGRAM_BINS];
  memset(counts, 0xa5, sizeof counts);
  cpu_histogram(keys, 7, counts);
  for (unsigned bin = 0; bin < CPU_HISTOGRAM_BINS; bin++)
    CU_ASSERT_EQUAL(counts[bin], bin == 0     ? 2
                                 : bin == 7   ? 2
                                 : bin == 255 ? 3
                                              : 0);
}

static void test_random_keys(void) {
  struct cpu_random random = {3};
  for (unsigned round = 0; round < 1000; round++) {
    uint32_t keys[300];
    uint64_t counts[CPU_HISTOGRAM_BINS], n = cpu_random_below(&random, 301);
    uint64_t spread = cpu_random_below(&random, 32);
    for (uint64_t i = 0; i < n; i++)
      keys[i] = (uint32_t)(cpu_random_next(&random) >> (32 + spread));
    cpu_histogram(keys, n, counts);
    for (unsigned bin = 0; bin < CPU_HISTOGRAM_BINS; bin++) {
      uint64_t count = 0;
      for (uint64_t i = 0; i < n; i++)
        count += keys[i] - keys[i] / 256 * 256 == bin;
      CU_ASSERT_EQUAL(counts[bin], count);
    }
  }
}

/* 4096 expected in each bin, standard deviation 64. */
static void test_keys_are_even(void) {
  const struct algo *algo = cpu_algo_find("histogram_seq");
  struct algo_run run = workspace_open(algo, 1 << 20, 1);
  const uint64_t *counts = (const uint64_t *)(void *)run.memory;
  algo->setup(&run);
  algo->run(&run);
  for (unsigned bin = 0; bin < CPU_HISTOGRAM_BINS; bin++)
    CU_ASSERT_TRUE(counts[bin] > 3700 && counts[bin] < 4500);
  workspace_close(&run);
}

static const struct check_test tests[] = {
    {"counts by hand", test_by_hand},
    {"random keys are counted", test_random_keys},
    {"keys are spread evenly", test_keys_are_even},
    {NULL, NULL},
};
extern const struct check_suite suite_histogram;
const struct check_suite suite_histogram = {"histogram", tests, NULL};
