/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/random.h"
#include "gpu_algos/models/bank_load.h"
#include "tests/check.h"

static unsigned largest(const unsigned *word, unsigned threads,
                        unsigned banks) {
  unsigned load[64] = {0}, most = 0;
  for (unsigned i = 0; i < threads; i++) {
    unsigned in = ++load[word[i] % banks];
    if (in > most) most = in;
  }
  return most;
}

/* The mean over every way to choose words, one by one. */
static double listed(unsigned threads, unsigned banks, unsigned words) {
  unsigned word[8] = {0}, i;
  double sum = 0, ways = 0;
  do {
    sum += largest(word, threads, banks);
    ways++;
    for (i = 0; i < threads && ++word[i] == words; i++) word[i] = 0;
  } while (i < threads);
  return sum / ways;
}

static void test_it_is_the_mean_over_all_ways(void) {
  for (unsigned threads = 1; threads <= 5; threads++)
    for (unsigned banks = 1; banks <= 4; banks++)
      for (unsigned words = 1; words <= 7; words++)
        CU_ASSERT_DOUBLE_EQUAL(bank_load_expected(threads, banks, words),
                               listed(threads, banks, words), 1e-12);
}

/* Two threads in two banks meet with chance 1/2. */
static void test_by_hand(void) {
  CU_ASSERT_DOUBLE_EQUAL(bank_load_expected(2, 2, 2), 1.5, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(bank_load_expected(1, 16, 256), 1, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(bank_load_expected(16, 16, 1), 16, 1e-9);
}

/* A half-warp of the GTX 280, by lot; the standard deviation is below 1. */
static void test_a_half_warp_by_lot(void) {
  enum { ROUNDS = 200000 };
  struct cpu_random random = {7};
  double sum = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    unsigned word[16];
    for (unsigned i = 0; i < 16; i++)
      word[i] = (unsigned)cpu_random_below(&random, 256);
    sum += largest(word, 16, 16);
  }
  CU_ASSERT_DOUBLE_EQUAL(bank_load_expected(16, 16, 256), sum / ROUNDS, 0.01);
}

static const struct check_test tests[] = {
    {"it is the mean over all ways", test_it_is_the_mean_over_all_ways},
    {"by hand", test_by_hand},
    {"a half-warp, by lot", test_a_half_warp_by_lot},
    {0}};

const struct check_suite suite_bank_load = {"loads of banks", tests, NULL};
