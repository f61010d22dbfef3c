/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <unistd.h>

#include "experiments/cli/progress.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static char text[400];

/* What work of so many seconds prints where stderr is no terminal. */
static const char *printed(double seconds, double left_s, int draws) {
  struct progress progress;
  FILE *file = tmpfile();
  fflush(stderr);
  int saved = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  progress_init(&progress);
  progress.start_s -= seconds;
  while (draws--) progress_draw(&progress, 0.25, left_s, "sorting");
  progress_clear(&progress);
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  rewind(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  return text;
}

static void test_a_log_has_a_line_each_30_s(void) {
  CU_ASSERT_STRING_EQUAL(printed(10, 30, 2), "");
  CU_ASSERT_STRING_EQUAL(printed(40, 95, 2),
                         "vat: 25 % done, 1:35 left: sorting\n");
  CU_ASSERT_STRING_EQUAL(printed(40, NAN, 2),
                         "vat: running for 40 s: sorting\n");
}

static const struct check_test tests[] = {
    {"a log has a line each 30 s", test_a_log_has_a_line_each_30_s},
    {NULL, NULL},
};

const struct check_suite suite_progress = {.name = "progress", .tests = tests};
