/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>

#include "experiments/cli/numbers.h"
#include "tests/experiments/suites.h"

static void test_numbers_are_decimal_or_hexadecimal(void) {
  static const struct {
    const char *text;
    uint64_t value;
  } cases[] = {{"0", 0},
               {"010", 10},
               {"09", 9},
               {"0x10", 16},
               {"0XfF", 255},
               {"9223372036854775808", UINT64_C(1) << 63},
               {"18446744073709551615", UINT64_MAX},
               {"0xffffffffffffffff", UINT64_MAX}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t value = 1234;
    CU_ASSERT_EQUAL(whole_number_parse(cases[i].text, &value), 0);
    CU_ASSERT_EQUAL(value, cases[i].value);
  }
}

static void test_what_is_none_is_refused(void) {
  static const char *const bad[] = {"",   "-1",   "+1", " 1",   "1 ",  "0x",
                                    "x1", "0x-1", "1x", "0x 1", "1e3", "0b1"};
  uint64_t value;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CU_ASSERT_EQUAL(whole_number_parse(bad[i], &value), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
  CU_ASSERT_EQUAL(whole_number_parse("18446744073709551616", &value), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
  CU_ASSERT_EQUAL(whole_number_parse("0x10000000000000000", &value), -1);
  CU_ASSERT_EQUAL(errno, ERANGE);
}

static const struct check_test tests[] = {
    {"numbers are decimal or hexadecimal",
     test_numbers_are_decimal_or_hexadecimal},
    {"what is none is refused", test_what_is_none_is_refused},
    {0}};

const struct check_suite suite_whole_number = {"whole_number", tests, NULL};
