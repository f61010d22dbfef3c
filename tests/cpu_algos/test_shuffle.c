/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/random.h"
#include "cpu_algos/shuffle.h"
#include "tests/cpu_algos/workspace.h"

enum { MOST = 300 };

static void fill(uint64_t *keys, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) keys[i] = 10 * i;
}

/* The thesis' loop to the letter, its random(0..j) from every second draw. */
static void test_definition(void) {
  for (uint64_t n = 0; n <= MOST; n++) {
    uint64_t keys[MOST], expected[MOST], bits = 0, step = 0;
    fill(keys, n);
    fill(expected, n);
    struct cpu_random random = {n};
    for (uint64_t j = n; j-- > 0; step++) {
      if (step % 2 == 0) bits = cpu_random_next(&random);
      uint64_t i = cpu_random_take(&bits, j + 1);
      CU_ASSERT_TRUE_FATAL(i <= j);
      uint64_t key = expected[i];
      expected[i] = expected[j];
      expected[j] = key;
    }
    cpu_shuffle(keys, n, n);
    CU_ASSERT_TRUE(same_keys(keys, expected, n));
  }
}

static void test_undo(void) {
  for (uint64_t n = 0; n <= MOST; n++) {
    uint64_t keys[MOST], expected[MOST];
    fill(keys, n);
    fill(expected, n);
    cpu_shuffle(keys, n, 99);
    CU_ASSERT_TRUE(n < 20 || !same_keys(keys, expected, n));
    cpu_unshuffle(keys, n, 99);
    CU_ASSERT_TRUE(same_keys(keys, expected, n));
  }
}

/* 1000 expected each, standard deviation 31. */
static void test_even(void) {
  unsigned count[24] = {0};
  for (uint64_t seed = 0; seed < 24000; seed++) {
    uint64_t keys[4] = {0, 1, 2, 3};
    cpu_shuffle(keys, 4, seed * 77);
    uint64_t rank = 0;
    for (int i = 0; i < 4; i++) {
      uint64_t smaller = 0;
      for (int j = i + 1; j < 4; j++) smaller += keys[j] < keys[i];
      rank = rank * (uint64_t)(4 - i) + smaller;
    }
    CU_ASSERT_TRUE_FATAL(rank < 24);
    count[rank]++;
  }
  for (int i = 0; i < 24; i++)
    CU_ASSERT_TRUE(count[i] > 850 && count[i] < 1150);
}

static const struct check_test tests[] = {
    {"permutes as the thesis defines it", test_definition},
    {"can be taken back", test_undo},
    {"gives every order equally often", test_even},
    {NULL, NULL},
};
extern const struct check_suite suite_shuffle;
const struct check_suite suite_shuffle = {"shuffle", tests, NULL};
