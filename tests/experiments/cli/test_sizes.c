/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/numbers.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static void test_sizes_are_read_as_people_type_them(void) {
  static const struct {
    const char *text;
    uint64_t size;
  } cases[] = {
      {"1", 1},           {"65536", 65536},   {"2^20", 1 << 20},
      {"2^0", 1},         {"1^99", 1},        {"0", 0},
      {"1e6", 1000000},   {"1.5e6", 1500000}, {"4M", 4 << 20},
      {"4MiB", 4 << 20},  {"1k", 1024},       {"1.5K", 1536},
      {"3G", 3ull << 30}, {"2T", 2ull << 40}, {"2^62", 1ull << 62},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t size = 0;
    CU_ASSERT_EQUAL(size_parse(cases[i].text, &size), 0);
    CU_ASSERT_EQUAL(size, cases[i].size);
  }
}

static void test_what_is_no_size_is_refused(void) {
  static const char *const bad[] = {
      "",    "0k1",  "-1",    "+5",  " 5",   "5 ",  "abc",   "1.5",
      "2^",  "^3",   "2^x",   "4MB", "4Mi",  "4iB", "4 MiB", "4X",
      "1e",  "1e-3", "0x10",  "inf", "nan",  "0^5", "2^-1",  "1e6M2",
      "1,5", "5:",   "1e6e6", "0.5", "2^3^4"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint64_t size = 7;
    errno = 0;
    if (!size_parse(bad[i], &size)) printf("taken: '%s'\n", bad[i]);
    CU_ASSERT_NOT_EQUAL(size_parse(bad[i], &size), 0);
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_EQUAL(size, 7);
  }
}

static void test_what_overflows_says_so(void) {
  static const char *const large[] = {
      "2^64", "3^41", "99999999999999999999", "1e30", "10^9999999", "9e99G"};
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    uint64_t size;
    errno = 0;
    CU_ASSERT_NOT_EQUAL(size_parse(large[i], &size), 0);
    CU_ASSERT_EQUAL(errno, ERANGE);
  }
}

static void test_ranges_grow_by_their_factor_and_stop_at_the_end(void) {
  struct sizes sizes;
  char error[200];
  CU_ASSERT_EQUAL_FATAL(sizes_parse("1:16*2", &sizes, error, sizeof error), 0);
  CU_ASSERT_EQUAL(sizes.count, 5);
  CU_ASSERT_EQUAL(sizes.at[4], 16);
  free(sizes.at);
  CU_ASSERT_EQUAL_FATAL(sizes_parse("100:200", &sizes, error, sizeof error), 0);
  CU_ASSERT_EQUAL(sizes.count, 3); /* 100 140 196 */
  CU_ASSERT_EQUAL(sizes.at[2], 196);
  free(sizes.at);
  /* 1 1.4 1.96 2.744: rounding gives 1 1 2 3, each once. */
  CU_ASSERT_EQUAL_FATAL(sizes_parse("1:3*1.4", &sizes, error, sizeof error), 0);
  CU_ASSERT_EQUAL(sizes.count, 3);
  free(sizes.at);
}

static void test_ranges_grow_by_steps(void) {
  struct sizes sizes;
  char error[200];
  CU_ASSERT_EQUAL_FATAL(sizes_parse("1..90", &sizes, error, sizeof error), 0);
  CU_ASSERT_EQUAL(sizes.count, 90);
  CU_ASSERT_EQUAL(sizes.at[89], 90);
  free(sizes.at);
  CU_ASSERT_EQUAL_FATAL(
      sizes_parse("32..1024+32,2K", &sizes, error, sizeof error), 0);
  CU_ASSERT_EQUAL(sizes.count, 33);
  CU_ASSERT_EQUAL(sizes.at[31], 1024);
  free(sizes.at);
  CU_ASSERT_EQUAL_FATAL(
      sizes_parse("18446744073709551614..18446744073709551615", &sizes, error,
                  sizeof error),
      0);
  CU_ASSERT_EQUAL(sizes.count, 2);
  free(sizes.at);
  static const char *const bad[] = {"1,000,000", "1..9+0", "1..9+x",  "9..1",
                                    "1..",       "..9",    "1..20000"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CU_ASSERT_EQUAL(sizes_parse(bad[i], &sizes, error, sizeof error), -1);
}

static void test_lists_are_sorted_and_each_size_comes_once(void) {
  struct sizes sizes;
  char error[200];
  CU_ASSERT_EQUAL_FATAL(
      sizes_parse("8,2,1:8*2,2^3", &sizes, error, sizeof error), 0);
  CU_ASSERT_EQUAL_FATAL(sizes.count, 4);
  for (size_t i = 0; i < 4; i++) CU_ASSERT_EQUAL(sizes.at[i], 1u << i);
  free(sizes.at);
}

static void test_bad_lists_name_the_item(void) {
  static const char *const bad[] = {"8,,2",
                                    "8,x1",
                                    ",",
                                    "16:8",
                                    "1:8*1",
                                    "1:8*",
                                    "1:8*x",
                                    ":8",
                                    "8:",
                                    "1:8*nan",
                                    "1:2^40*1.0001",
                                    "1:2*1.0000000000000002"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct sizes sizes;
    char error[200] = "";
    CU_ASSERT_EQUAL(sizes_parse(bad[i], &sizes, error, sizeof error), -1);
    CU_ASSERT(strlen(error) > 0);
    CU_ASSERT_PTR_NULL(sizes.at);
  }
}

static void test_a_backward_range_is_said_to_be_one(void) {
  static const char *const backward[] = {"10:5", "8,2^20:1e6*2", "2:1*1.1"};
  for (size_t i = 0; i < sizeof backward / sizeof *backward; i++) {
    struct sizes sizes;
    char error[200] = "";
    CU_ASSERT_EQUAL(sizes_parse(backward[i], &sizes, error, sizeof error), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(error, ": an empty range"));
    CU_ASSERT_PTR_NULL(sizes.at);
  }
}

static const struct check_test tests[] = {
    {"sizes are read as people type them",
     test_sizes_are_read_as_people_type_them},
    {"what is no size is refused", test_what_is_no_size_is_refused},
    {"what overflows says so", test_what_overflows_says_so},
    {"ranges grow by their factor and stop at the end",
     test_ranges_grow_by_their_factor_and_stop_at_the_end},
    {"ranges grow by steps", test_ranges_grow_by_steps},
    {"lists are sorted and each size comes once",
     test_lists_are_sorted_and_each_size_comes_once},
    {"bad lists name the item", test_bad_lists_name_the_item},
    {"a backward range is said to be one",
     test_a_backward_range_is_said_to_be_one},
    {0}};

const struct check_suite suite_sizes = {.name = "sizes", .tests = tests};
