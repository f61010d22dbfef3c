/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/report/gnuplot.h"
#include "experiments/report/report.h"
#include "tests/check.h"
#include "tests/experiments/report/report_fixture.h"
#include "tests/experiments/suites.h"

static void test_gnuplot_strings_cannot_be_left(void) {
  char *out;
  size_t size;
  FILE *script = open_memstream(&out, &size);
  gnuplot_quote(script, "'it's `id` \"@x\"\n\\", false);
  fclose(script);
  CU_ASSERT_STRING_EQUAL(out, "'\342\200\231it\342\200\231s `id` \"@x\" \\'");
  free(out);
}

/* Its SVG has them as they are. */
static void test_strings_have_what_xml_takes(void) {
  char *out;
  size_t size;
  FILE *script = open_memstream(&out, &size);
  gnuplot_quote(script, "]]]> ]> \357\277\276 \303\251 \303", false);
  fclose(script);
  CU_ASSERT_STRING_EQUAL(out, "']] ]> ]> \357\277\275 \303\251 \357\277\275'");
  free(out);
}

static void test_without_gnuplot_the_fix_is_named(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600], index[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  char *path = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent", 1);
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, scratch.dir, error),
                  VAT_ABSENT);
  setenv("PATH", path, 1);
  free(path);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "./bootstrap --install-deps"));
  snprintf(index, sizeof index, "%s/index.html", scratch.dir);
  CU_ASSERT_EQUAL(access(index, F_OK), -1);
  scratch_fini(&scratch);
}

static void test_gnuplot_s_complaint_is_passed_on(void) {
  char why[GNUPLOT_WHY_SIZE];
  FILE *script = tmpfile(), *picture = tmpfile();
  fputs("set terminal svg\nplot nonsense(x)\n", script);
  CU_ASSERT_EQUAL(gnuplot_run(script, picture, why), -1);
  CU_ASSERT_EQUAL(errno, EPROTO);
  CU_ASSERT_PTR_NOT_NULL(strstr(why, "nonsense"));
  fclose(script);
  fclose(picture);
}

static void test_any_text_is_one_gnuplot_string(void) {
  static const char *const texts[] = {"",         "'",  "''", "'\\",   "\\",
                                      "`exit 1`", "@x", "#",  "\"';#", "'a'"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char why[GNUPLOT_WHY_SIZE];
    FILE *script = tmpfile(), *picture = tmpfile();
    fputs("set terminal svg\nset label ", script);
    gnuplot_quote(script, texts[i], false);
    fputs(" at graph 0.5, graph 0.5 left\nplot x\n", script);
    CU_ASSERT_EQUAL(gnuplot_run(script, picture, why), 0);
    if (*why) printf("\n%s: %s\n", texts[i], why);
    fclose(script);
    fclose(picture);
  }
}

/* Tics are formats, in which 100 % ends too early and %s has nothing to show.
 */
static void test_any_text_names_a_tic(void) {
  char why[GNUPLOT_WHY_SIZE], drawn[1 << 14];
  FILE *script = tmpfile(), *picture = tmpfile();
  fputs("set terminal svg noenhanced\nset ytics (", script);
  gnuplot_quote(script, "100 %", true);
  fputs(" 1, ", script);
  gnuplot_quote(script, "%s %d'%%", true);
  fputs(" 2)\nplot x\n", script);
  CU_ASSERT_EQUAL(gnuplot_run(script, picture, why), 0);
  CU_ASSERT_STRING_EQUAL(why, "");
  rewind(picture);
  drawn[fread(drawn, 1, sizeof drawn - 1, picture)] = '\0';
  CU_ASSERT_PTR_NOT_NULL(strstr(drawn, ">100 %<"));
  CU_ASSERT_PTR_NOT_NULL(strstr(drawn, ">%s %d\342\200\231%%<"));
  fclose(script);
  fclose(picture);
}

/* Each would make this gnuplot complain, or look for a display. */
static void test_the_caller_s_terminal_is_none_of_ours(void) {
  static const char *const variables[] = {"GNUTERM", "GNUPLOT_LIB",
                                          "GNUPLOT_FONTPATH"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    char why[GNUPLOT_WHY_SIZE];
    FILE *script = tmpfile(), *picture = tmpfile();
    setenv(variables[i], "qt", 1);
    fprintf(script, "if (strlen(system('echo $%s'))) exit status 9\n",
            variables[i]);
    fputs("set terminal svg\nplot x\n", script);
    CU_ASSERT_EQUAL(gnuplot_run(script, picture, why), 0);
    CU_ASSERT_STRING_EQUAL(why, "");
    CU_ASSERT_STRING_EQUAL(getenv(variables[i]), "qt");
    unsetenv(variables[i]);
    fclose(script);
    fclose(picture);
  }
}

/* A gnuplot of our own, first in the PATH, that runs `command`. */
static void expect_of_gnuplot(const char *command, int code, const char *says) {
  struct scratch scratch, out;
  char error[RESULTS_ERROR_SIZE], evil[600], dir[300];
  const char *paths[] = {evil};
  char *path = strdup(getenv("PATH"));
  scratch_init(&scratch);
  scratch_init(&out);
  report_fixture_evil(&scratch, evil, sizeof evil);
  scratch_write(&scratch, "gnuplot", command, strlen(command));
  chmod(scratch_path(&scratch, "gnuplot"), 0755);
  setenv("PATH", scratch.dir, 1);
  snprintf(dir, sizeof dir, "%s/new", out.dir);
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, dir, error), code);
  setenv("PATH", path, 1);
  free(path);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, says));
  if (!strstr(error, says)) printf("\n%s\n", error);
  CU_ASSERT_EQUAL(access(dir, F_OK), -1);
  scratch_fini(&out);
  scratch_fini(&scratch);
}

static void test_how_gnuplot_ended_is_said(void) {
  expect_of_gnuplot("#!/bin/sh\nexit 5\n", VAT_ABSENT, "exited with status 5");
  expect_of_gnuplot("#!/bin/sh\nexit 127\n", VAT_ABSENT, "with status 127");
  expect_of_gnuplot("#!/bin/sh\nkill -9 $$\n", VAT_ABSENT, "by signal 9 (");
  expect_of_gnuplot("#!/bin/sh\n", VAT_ABSENT, "it drew nothing");
  expect_of_gnuplot("#!/\n", VAT_FAILED, "gnuplot cannot be started: ");
}

static const struct check_test string_tests[] = {
    {"gnuplot strings cannot be left", test_gnuplot_strings_cannot_be_left},
    {"strings have what XML takes", test_strings_have_what_xml_takes},
    {"without gnuplot the fix is named", test_without_gnuplot_the_fix_is_named},
    {NULL, NULL},
};

static const struct check_test tests[] = {
    {"gnuplot's complaint is passed on", test_gnuplot_s_complaint_is_passed_on},
    {"any text is one gnuplot string", test_any_text_is_one_gnuplot_string},
    {"any text names a tic", test_any_text_names_a_tic},
    {"the caller's terminal is none of ours",
     test_the_caller_s_terminal_is_none_of_ours},
    {"how gnuplot ended is said", test_how_gnuplot_ended_is_said},
    {NULL, NULL},
};

const struct check_suite suite_gnuplot_absent = {
    .name = "gnuplot: without it",
    .tests = string_tests,
};
const struct check_suite suite_gnuplot = {
    .name = "gnuplot",
    .tests = tests,
    .skip = report_fixture_no_gnuplot,
};
