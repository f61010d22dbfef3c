/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/utf8.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static void test_characters_have_one_to_four_bytes(void) {
  static const struct {
    const char *text;
    size_t length;
  } cases[] = {
      {"", 0},
      {"a", 1},
      {"\177", 1},
      {"\302\200", 2},
      {"\337\277b", 2},
      {"\340\240\200", 3},
      {"\355\237\277", 3},
      {"\356\200\200", 3},
      {"\360\220\200\200", 4},
      {"\364\217\277\277", 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(utf8_length(cases[i].text), cases[i].length);
}

/* What goes on from nothing, is cut, is too long or too large, or is half a
 * pair of UTF-16. */
static void test_what_is_no_character_has_none(void) {
  static const char *const cases[] = {
      "\200",         "\277",         "\303",         "\303a",
      "\342\202",     "\342\202a",    "\360\237\230", "\300\200",
      "\301\277",     "\340\237\277", "\355\240\200", "\360\217\277\277",
      "\364\220\200", "\365\200",     "\377\277\277"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_EQUAL(utf8_length(cases[i]), 0);
}

static void expect_printed(const char *text, const char *expected) {
  char *out;
  size_t size;
  FILE *stream = open_memstream(&out, &size);
  while (*text) text += utf8_print(stream, text);
  fclose(stream);
  CU_ASSERT_STRING_EQUAL(out, expected);
  free(out);
}

#define BAD "\357\277\275"

static void test_it_is_replaced(void) {
  expect_printed("a\303\251\342\202\254b", "a\303\251\342\202\254b");
  expect_printed("\303\251\303", "\303\251" BAD);
  expect_printed("\342\202, a", BAD ", a");
  expect_printed("\351\351.jsonl", BAD BAD ".jsonl");
  expect_printed("\357\277\276 \357\277\277", BAD " " BAD);
}

static void test_half_a_character_is_cut_off(void) {
  static const char *const cases[][2] = {{"", ""},
                                         {"a\303\251", "a\303\251"},
                                         {"a\303", "a"},
                                         {"\342\202", ""},
                                         {"a\360\237\230", "a"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[8];
    strcpy(text, cases[i][0]);
    utf8_trim(text);
    CU_ASSERT_STRING_EQUAL(text, cases[i][1]);
  }
}

static const struct check_test tests[] = {
    {"characters have one to four bytes",
     test_characters_have_one_to_four_bytes},
    {"what is no character has none", test_what_is_no_character_has_none},
    {"it is replaced", test_it_is_replaced},
    {"half a character is cut off", test_half_a_character_is_cut_off},
    {NULL, NULL},
};

const struct check_suite suite_utf8 = {.name = "utf8", .tests = tests};
