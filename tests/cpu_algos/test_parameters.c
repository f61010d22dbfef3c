/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/parameters.h"
#include "tests/check.h"

static uint64_t k, chunk;
static const struct cpu_parameter all[] = {{"k", &k}, {"chunk", &chunk}, {0}};

static void test_numbers_are_taken(void) {
  k = 6, chunk = 7;
  CU_ASSERT(cpu_parameters_take(NULL, all) && cpu_parameters_take("", all));
  CU_ASSERT(cpu_parameters_take("k=2K", all));
  CU_ASSERT_EQUAL(k, 2048);
  CU_ASSERT_EQUAL(chunk, 7);
  CU_ASSERT(cpu_parameters_take("chunk=18446744073709551615,k=0", all));
  CU_ASSERT_EQUAL(k, 0);
  CU_ASSERT_EQUAL(chunk, UINT64_MAX);
}

/* A number that is too large is none, and not the largest there is. */
static void test_what_is_no_number_is_refused(void) {
  static const char *const bad[] = {"k",
                                    "k=",
                                    "k=-1",
                                    "k= 1",
                                    "k=1,",
                                    "k=1,k=1",
                                    "k=1;chunk=1",
                                    "m=1",
                                    "k=1M",
                                    "chunk=18446744073709551616",
                                    "chunk=99999999999999999999999",
                                    "k=18446744073709551615K"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT_FALSE(cpu_parameters_take(bad[i], all));
}

static const struct check_test tests[] = {
    {"numbers are taken", test_numbers_are_taken},
    {"what is no number is refused", test_what_is_no_number_is_refused},
    {0}};

const struct check_suite suite_parameters = {"parameters", tests, NULL};
