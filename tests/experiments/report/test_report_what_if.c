/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/report_what_if.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static const struct what_if_pair pair = {
    .user_s = 2, .predicted = .9, .lo = .8, .hi = 1, .measured = .95};

static struct what_if_pair pair_of(const char *program) {
  struct what_if_pair of = pair;
  snprintf(of.program, sizeof of.program, "%s", program);
  return of;
}

/* As it would be of one that memory is short for. */
static void test_an_object_that_cannot_be_is_no_empty_line(void) {
  const struct what_if_pair pairs[] = {pair_of("a"), pair_of("b\303")};
  char *out;
  size_t size;
  FILE *to = open_memstream(&out, &size);
  CU_ASSERT_EQUAL(report_what_if_json(to, pairs, 1), 0);
  CU_ASSERT_EQUAL(report_what_if_json(to, pairs + 1, 1), -1);
  fclose(to);
  CU_ASSERT_EQUAL(strncmp(out, "{\"program\":\"a\",", 15), 0);
  CU_ASSERT_PTR_EQUAL(strchr(out, '\n'), out + size - 1);
  free(out);
}

/* Nor do half characters: the column is of 32 bytes. */
static void test_a_name_does_not_steer_the_terminal(void) {
  const struct what_if_pair pairs[] = {
      pair_of("a \033[31m\r\177"),
      pair_of("0123456789012345678901234567890\303\251")};
  char *out;
  size_t size;
  FILE *to = open_memstream(&out, &size);
  report_what_if_text(to, pairs, 2);
  fclose(to);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\na ?[31m??   "));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "\n0123456789012345678901234567890  "));
  free(out);
}

static const struct check_test tests[] = {
    {"an object that cannot be is no empty line",
     test_an_object_that_cannot_be_is_no_empty_line},
    {"a name does not steer the terminal",
     test_a_name_does_not_steer_the_terminal},
    {NULL, NULL},
};

const struct check_suite suite_report_what_if = {
    .name = "report_what_if",
    .tests = tests,
};
