/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists and ranges of numbers, as vat model tmm takes them. */
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/numbers.h"
#include "tests/experiments/suites.h"

static void parses_as(const char *list, const double *expected, size_t count) {
  struct numbers numbers;
  char error[256];
  CU_ASSERT_EQUAL(
      numbers_parse(list, 1e-100, false, &numbers, error, sizeof error), 0);
  CU_ASSERT_EQUAL_FATAL(numbers.count, count);
  for (size_t i = 0; i < count; i++)
    CU_ASSERT_DOUBLE_EQUAL(numbers.at[i], expected[i], 1e-9 * expected[i]);
  free(numbers.at);
}

static void test_lists_and_ranges(void) {
  struct numbers numbers;
  char error[256];
  parses_as("8192", (double[]){8192}, 1);
  parses_as("2^13,1.5,10.67,.5", (double[]){8192, 1.5, 10.67, .5}, 4);
  parses_as("32K..256k", (double[]){32768, 65536, 131072, 262144}, 4);
  parses_as("1.5K", (double[]){1536}, 1);
  parses_as("1e-3", (double[]){0.001}, 1);
  parses_as("1:1000*10", (double[]){1, 10, 100, 1000}, 4);
  parses_as("4..10*1.5", (double[]){4, 6, 9}, 3);
  parses_as("3..3", (double[]){3}, 1);
  parses_as("1..2+.25", (double[]){1, 1.25, 1.5, 1.75, 2}, 5);
  parses_as("1..1e+1*3", (double[]){1, 3, 9}, 3);
  CU_ASSERT_EQUAL(numbers_parse("0,-3.5", -4, false, &numbers, error, 256), 0);
  CU_ASSERT(numbers.count == 2 && numbers.at[0] == 0 && numbers.at[1] == -3.5);
  free(numbers.at);
  CU_ASSERT_EQUAL(numbers_parse("0,-3.5", -3, false, &numbers, error, 256), -1);
  CU_ASSERT_EQUAL(numbers_parse("1..8", 2, false, &numbers, error, 256), -1);
  static const char *const bad[] = {
      "",     "x",    "1,",  ",1",  "nan",    "inf",   "1e999", "0x10",
      "-1",   "0",    "1..", "..2", "1..2*1", "1..2*", "1:2:3", "1 2",
      "2^-1", "1..e", "1K2", "1e",  "+1",     "0..4",  "4..2",  "1p3"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    *error = '\0';
    int code =
        numbers_parse(bad[i], 1e-100, false, &numbers, error, sizeof error);
    if (!code) printf("\n%s was taken\n", bad[i]);
    CU_ASSERT(code == -1 && *error && !numbers.at && !numbers.count);
  }
}

static void test_whole(void) {
  struct numbers numbers;
  char error[256];
  CU_ASSERT_EQUAL_FATAL(
      numbers_parse("1..5*1.3,2^3,1.5K", 1, true, &numbers, error, 256), 0);
  static const double expected[] = {1, 2, 3, 4, 5, 8, 1536}; /* 4 is 3.71 */
  CU_ASSERT_EQUAL_FATAL(numbers.count, sizeof expected / sizeof *expected);
  for (size_t i = 0; i < numbers.count; i++)
    CU_ASSERT_EQUAL(numbers.at[i], expected[i]);
  free(numbers.at);
  CU_ASSERT_EQUAL(numbers_parse("8,1.2..1.4", 1, true, &numbers, error, 256),
                  -1);
  CU_ASSERT_EQUAL_FATAL(numbers_parse(".3..2.7", 1, true, &numbers, error, 256),
                        0);
  CU_ASSERT(numbers.count == 2 && numbers.at[0] == 1 && numbers.at[1] == 2);
  free(numbers.at);
  CU_ASSERT_EQUAL(numbers_parse("2,1.5,3", 1, true, &numbers, error, 256), -1);
  CU_ASSERT(strstr(error, "1.5: not a whole number") == error);
}

static const struct check_test tests[] = {
    {"lists and ranges", test_lists_and_ranges},
    {"whole numbers", test_whole},
    {0}};

const struct check_suite suite_numbers = {"lists of numbers", tests, NULL};
