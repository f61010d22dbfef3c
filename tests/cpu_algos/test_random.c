/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/random.h"
#include "tests/check.h"

/* Vigna's reference implementation of splitmix64, seed 1234567. */
static const uint64_t golden[] = {
    UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
    UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
    UINT64_C(16408922859458223821),
};

static void test_published_numbers(void) {
  struct cpu_random random = {1234567};
  for (int i = 0; i < 5; i++)
    CU_ASSERT_EQUAL(cpu_random_next(&random), golden[i]);
}

static void test_at_is_the_ith(void) {
  for (uint64_t i = 0; i < 5; i++)
    CU_ASSERT_EQUAL(cpu_random_at(1234567, i), golden[i]);
  struct cpu_random random = {UINT64_MAX - 3};
  for (uint64_t i = 0; i < 1000; i++)
    CU_ASSERT_EQUAL(cpu_random_at(UINT64_MAX - 3, i), cpu_random_next(&random));
}

/* By hand: the golden numbers over 2^64 are .350, .173, .532, .249, .889. */
static void test_below_scales(void) {
  static const uint64_t tens[] = {3, 1, 5, 2, 8};
  static const uint64_t thousands[] = {350, 173, 532, 249, 889};
  struct cpu_random a = {1234567}, b = {1234567}, c = {1234567};
  for (int i = 0; i < 5; i++) {
    CU_ASSERT_EQUAL(cpu_random_below(&a, 10), tens[i]);
    CU_ASSERT_EQUAL(cpu_random_below(&b, 1000), thousands[i]);
    CU_ASSERT_EQUAL(cpu_random_below(&c, 1), 0);
  }
}

static void test_below_stays_below(void) {
  struct cpu_random random = {7};
  for (unsigned shift = 0; shift < 64; shift++)
    for (int i = 0; i < 100; i++) {
      uint64_t m = (UINT64_C(1) << shift) + (uint64_t)(i % 3);
      CU_ASSERT_TRUE(cpu_random_below(&random, m) < m);
    }
  CU_ASSERT_TRUE(cpu_random_below(&random, UINT64_MAX) < UINT64_MAX);
}

/* 6000 expected each, standard deviation 71. */
static void test_below_is_even(void) {
  struct cpu_random random = {1};
  unsigned count[10] = {0};
  for (int i = 0; i < 60000; i++) count[cpu_random_below(&random, 10)]++;
  for (int i = 0; i < 10; i++)
    CU_ASSERT_TRUE(count[i] > 5600 && count[i] < 6400);
}

static void test_take_leaves_the_rest(void) {
  uint64_t bits = UINT64_C(3) << 62; /* 0.75: 1 of 2, and 0.5 is left */
  CU_ASSERT_EQUAL(cpu_random_take(&bits, 2), 1);
  CU_ASSERT_EQUAL(bits, UINT64_C(1) << 63);
  CU_ASSERT_EQUAL(cpu_random_take(&bits, 7), 3); /* 3.5 */
  CU_ASSERT_EQUAL(cpu_random_take(&bits, 100), 50);
  CU_ASSERT_EQUAL(bits, 0);
}

static const struct check_test tests[] = {
    {"gives the published numbers of splitmix64", test_published_numbers},
    {"any number can be had without those before it", test_at_is_the_ith},
    {"below() scales as computed by hand", test_below_scales},
    {"below(m) stays below m", test_below_stays_below},
    {"below() is even", test_below_is_even},
    {"take() leaves what randomness is over", test_take_leaves_the_rest},
    {NULL, NULL},
};
extern const struct check_suite suite_random;
const struct check_suite suite_random = {"random", tests, NULL};
