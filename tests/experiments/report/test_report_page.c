/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "experiments/cli/command.h"
#include "experiments/cli/out_file.h"
#include "experiments/cli/utf8.h"
#include "experiments/report/report.h"
#include "tests/check.h"
#include "tests/experiments/report/report_fixture.h"
#include "tests/experiments/suites.h"

static void test_files_appear_whole_or_not_at_all(void) {
  struct scratch scratch;
  struct out_file file;
  char path[600];
  scratch_init(&scratch);
  snprintf(path, sizeof path, "%s/a/b/c", scratch.dir);
  int dir = out_dir_open(path);
  CU_ASSERT_FATAL(dir >= 0);
  CU_ASSERT_EQUAL(out_file_begin(&file, dir, "page"), 0);
  fputs("old", file.stream);
  CU_ASSERT_EQUAL(faccessat(dir, "page", F_OK, 0), -1);
  CU_ASSERT_EQUAL(out_file_commit(&file), 0);
  CU_ASSERT_EQUAL(out_file_begin(&file, dir, "page"), 0);
  fputs("new", file.stream);
  snprintf(path, sizeof path, "%s/a/b/c/page", scratch.dir);
  char *text = scratch_read(path, NULL);
  CU_ASSERT_STRING_EQUAL(text, "old");
  free(text);
  out_file_end(&file);
  CU_ASSERT_EQUAL(faccessat(dir, file.temporary, F_OK, 0), -1);
  text = scratch_read(path, NULL);
  CU_ASSERT_STRING_EQUAL(text, "old");
  free(text);
  out_dir_close(dir);
  scratch_fini(&scratch);
}

/* Folders that were there, and what is not empty, stay. */
static void test_folders_without_a_file_are_gone(void) {
  static const char *const paths[] = {"a/b/c", "a//b/", "./a", "there/./b",
                                      "there//a/b"};
  struct scratch scratch;
  struct out_file file;
  scratch_init(&scratch);
  CU_ASSERT_EQUAL(mkdir(scratch_path(&scratch, "there"), 0700), 0);
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    for (int killed = 0; killed < 2; killed++) {
      int status = 0;
      pid_t child = fork();
      if (!child) {
        int dir = out_dir_open(scratch_path(&scratch, paths[i]));
        if (dir < 0 || access(scratch.path, W_OK)) _exit(2);
        if (killed) raise(SIGTERM);
        out_dir_close(dir);
        _exit(0);
      }
      waitpid(child, &status, 0);
      CU_ASSERT_EQUAL(status, killed ? SIGTERM : 0);
      CU_ASSERT_EQUAL(access(scratch_path(&scratch, "a"), F_OK), -1);
      CU_ASSERT_EQUAL(access(scratch_path(&scratch, "there/a"), F_OK), -1);
      CU_ASSERT_EQUAL(access(scratch_path(&scratch, "there/b"), F_OK), -1);
      CU_ASSERT_EQUAL(access(scratch_path(&scratch, "there"), F_OK), 0);
    }
  int dir = out_dir_open(scratch_path(&scratch, "a/b"));
  CU_ASSERT_EQUAL(out_file_begin(&file, dir, "page"), 0);
  CU_ASSERT_EQUAL(out_file_commit(&file), 0);
  out_dir_close(dir);
  CU_ASSERT_EQUAL(access(scratch_path(&scratch, "a/b/page"), F_OK), 0);
  dir = out_dir_open(scratch_path(&scratch, "there"));
  out_dir_close(dir);
  CU_ASSERT_EQUAL(access(scratch_path(&scratch, "there"), F_OK), 0);
  scratch_fini(&scratch);
}

static void test_a_directory_that_cannot_be_is_bad_usage(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600], dir[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  snprintf(dir, sizeof dir, "%s/evil.jsonl", scratch.dir);
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, dir, error), VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "Not a directory"));
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, "/proc/nowhere", error),
                  VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "/proc/nowhere"));
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, "", error), VAT_USAGE);
  paths[0] = "/nonexistent.jsonl";
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, scratch.dir, error),
                  VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "/nonexistent.jsonl: No such file"));
  scratch_fini(&scratch);
}

static void test_a_hostile_file_makes_a_harmless_page(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE] = "", evil[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, scratch.dir, error), VAT_OK);
  if (*error) printf("\n%s\n", error);
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(page);
  CU_ASSERT_PTR_NULL(strstr(page, "<script"));
  CU_ASSERT_PTR_NULL(strstr(page, "<i>'"));
  CU_ASSERT_PTR_NULL(strstr(page, "uid="));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "&lt;script&gt;"));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "</html>"));
  free(page);
  scratch_fini(&scratch);
}

static void test_the_page_needs_nothing_else(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600];
  const char *paths[] = {evil, evil};
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  CU_ASSERT_EQUAL(report_fixture_write(paths, 2, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-2.1.svg"));
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-2.1.png"));
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-2.5.csv"));
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-2.5-2.svg"));
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "table-2.txt"));
  /* Two parts of 7 files, two figures over them, the page and the results: no
   * temporary is left. */
  CU_ASSERT_EQUAL(report_fixture_files(&scratch), 2 * 7 + 2 * 3 + 2);
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_PTR_NULL(strstr(page, "<link"));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<ol>\n<li>"));
  /* Each section begins with the file it is of, beside the machine. */
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "</h2>\n<p class=\"kicker\"><code>"));
  CU_ASSERT_PTR_NULL(strstr(page, "<img"));
  /* Each figure's data, too, and its machine. */
  CU_ASSERT_PTR_NOT_NULL(strstr(
      page, "<a download=\"fig-2.5-2.csv\" href=\"data:text/csv,algo,device,"));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "%0A%22%27%3Cscript%3E%60id"));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, " Machine: &#39;&lt;script&gt;"));
  CU_ASSERT_PTR_NULL(strstr(page, "src="));
  CU_ASSERT_PTR_NULL(strstr(page, "url("));
  CU_ASSERT_PTR_NULL(strstr(page, "href=\"http"));
  free(page);
  scratch_fini(&scratch);
}

static void test_leftovers_of_earlier_reports_are_gone(void) {
  static const char *const gone[] = {".fig-2.1.png.0123456789abcdef",
                                     ".index.html.0123456789abcdef",
                                     ".table-3.txt.0123456789abcdef",
                                     "fig-2.1-2.svg",
                                     "fig-2.5-12.csv",
                                     "table-3.txt"};
  static const char *const kept[] = {".fig-2.1.png.0123456789abcdeg",
                                     ".other.png.0123456789abcdef",
                                     "fig-2.1-0.svg",
                                     "fig-2.1-2.svg.old",
                                     "fig-2.4-2.svg",
                                     "table-x.txt",
                                     "table-3.csv",
                                     "fig-2.1-02.svg"};
  enum { GONE = sizeof gone / sizeof *gone, KEPT = sizeof kept / sizeof *kept };
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  for (size_t i = 0; i < GONE; i++) scratch_write(&scratch, gone[i], "x", 1);
  for (size_t i = 0; i < KEPT; i++) scratch_write(&scratch, kept[i], "x", 1);
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, scratch.dir, error), VAT_OK);
  for (size_t i = 0; i < GONE; i++)
    CU_ASSERT_FALSE(report_fixture_has(&scratch, gone[i]));
  for (size_t i = 0; i < KEPT; i++)
    CU_ASSERT_TRUE(report_fixture_has(&scratch, kept[i]));
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "table.txt"));
  scratch_fini(&scratch);
}

static void limited(const char *const *paths, const char *dir, rlim_t bytes) {
  char error[RESULTS_ERROR_SIZE];
  struct rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  if (report_fixture_write(paths, 1, dir, error) != VAT_USAGE) _exit(1);
  signal(SIGXFSZ, SIG_IGN); /* counts of lines are written behind it */
  _exit(strncmp(error, dir, strlen(dir)) || !strstr(error, "File too large"));
}

static void test_what_cannot_be_written_is_not_gnuplot_s_fault(void) {
  struct scratch scratch;
  char evil[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  for (rlim_t bytes = 4096; bytes <= 16384; bytes *= 2) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (!child) limited(paths, scratch.dir, bytes);
    waitpid(child, &status, 0);
    CU_ASSERT_EQUAL(status, 0);
  }
  scratch_fini(&scratch);
}

static void test_a_kill_leaves_no_temporary_file(void) {
  static const int kills[] = {SIGTERM, SIGINT,    SIGHUP,  SIGQUIT, SIGPIPE,
                              SIGALRM, SIGUSR1,   SIGUSR2, SIGXCPU, SIGPROF,
                              SIGIO,   SIGVTALRM, SIGABRT, SIGPWR,  SIGSTKFLT};
  struct scratch scratch;
  struct out_file file;
  for (size_t i = 0; i < sizeof kills / sizeof *kills; i++) {
    int status = 0;
    scratch_init(&scratch);
    fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (!child) {
      setrlimit(RLIMIT_CORE, &(struct rlimit){0});
      signal(kills[i], SIG_DFL);
      if (out_file_begin(&file, out_dir_open(scratch.dir), "page")) _exit(1);
      raise(kills[i]);
      _exit(2);
    }
    waitpid(child, &status, 0);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == kills[i]);
    CU_ASSERT_EQUAL(report_fixture_files(&scratch), 0);
    scratch_fini(&scratch);
  }
}

static void test_a_figure_without_data_is_gone(void) {
  static const char only[] =
      "{\"record\":\"machine\",\"schema\":1}\n"
      "{\"record\":\"sample\",\"algo\":\"a\",\"device\":\"cpu\",\"n\":1,"
      "\"pages_asked\":\"2m\",\"pages_granted\":{\"2m\":1},\"rep\":0,\"ns\":5,"
      "\"ram_ops\":1,\"ns_per_op\":5,\"counters\":{},\"check\":\"ok\","
      "\"seed\":1}\n{\"half";
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE];
  scratch_init(&scratch);
  scratch_write(&scratch, "fig-2.5.svg", "old", 3);
  const char *paths[] = {
      scratch_write(&scratch, "r.jsonl", only, sizeof only - 1)};
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-2.1.svg"));
  CU_ASSERT_FALSE(report_fixture_has(&scratch, "fig-2.5.svg"));
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li>Figure 2.5. Time on larger pages"));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "Not drawn."));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "half line"));
  free(page);
  scratch_fini(&scratch);
}

static bool is_utf8(struct scratch *scratch, const char *name) {
  char *text = scratch_read(scratch_path(scratch, name), NULL);
  const char *at = text;
  for (size_t length; at && (length = utf8_length(at));) at += length;
  bool is = at && !*at;
  free(text);
  return is;
}

/* A file's name is any bytes, and a machine's is cut within a character. */
static void test_names_are_made_utf8(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], text[1024], name[128] = "x";
  scratch_init(&scratch);
  while (strlen(name) < 120) strcat(name, "\303\251");
  snprintf(text, sizeof text,
           "{\"record\":\"machine\",\"schema\":1,\"host_cpu\":\"%s\"}\n"
           "{\"record\":\"sample\",\"algo\":\"permute\",\"device\":\"cpu\","
           "\"n\":64,\"pages_asked\":\"4k\",\"pages_granted\":{\"4k\":4096},"
           "\"granted_ok\":true,\"rep\":0,\"ns\":640,\"ram_ops\":64,"
           "\"ns_per_op\":10,\"counters\":{},\"check\":\"ok\",\"seed\":1}\n",
           name);
  const char *path = scratch_write(&scratch, "\351.jsonl", text, strlen(text));
  const char *paths[] = {path, path};
  CU_ASSERT_EQUAL(report_fixture_write(paths, 2, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(is_utf8(&scratch, "index.html"));
  CU_ASSERT_TRUE(is_utf8(&scratch, "fig-2.1.svg"));
  CU_ASSERT_TRUE(is_utf8(&scratch, "fig-machines-time.csv"));
  scratch_fini(&scratch);
}

/* What the emulator takes is no time of a machine. */
static void test_emulated_times_are_not_shown_as_times(void) {
  static const char emulated[] =
      "{\"record\":\"machine\",\"schema\":1}\n"
      "{\"record\":\"sample\",\"algo\":\"scan\",\"device\":\"emu\","
      "\"n\":64,\"pages_asked\":\"4k\",\"pages_granted\":{\"4k\":4096},"
      "\"granted_ok\":true,\"rep\":0,\"ns\":640,\"ram_ops\":64,"
      "\"ns_per_op\":10,\"counters\":{\"accesses\":5},\"check\":\"ok\","
      "\"seed\":1}\n";
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE];
  scratch_init(&scratch);
  const char *paths[] = {
      scratch_write(&scratch, "r.jsonl", emulated, sizeof emulated - 1)};
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, scratch.dir, error), VAT_OK);
  CU_ASSERT_FALSE(report_fixture_has(&scratch, "fig-2.1.svg"));
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<p>1 program ran in the emulator, "));
  CU_ASSERT_PTR_NULL(strstr(page, "class=\"findings\""));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<h3>scan on emu</h3>"));
  free(page);
  scratch_fini(&scratch);
}

static size_t occurrences(const char *text, const char *of) {
  size_t count = 0;
  while ((text = strstr(text, of))) count++, text++;
  return count;
}

/* Of several files each figure is missed once, and where one has it not. */
static void test_what_no_file_draws_is_said_once(void) {
  static const char alone[] =
      "{\"record\":\"machine\",\"schema\":1}\n"
      "{\"record\":\"sample\",\"algo\":\"heapsort\",\"device\":\"cpu\","
      "\"n\":64,\"pages_asked\":\"4k\",\"pages_granted\":{\"4k\":4096},"
      "\"granted_ok\":true,\"rep\":0,\"ns\":640,\"ram_ops\":64,"
      "\"ns_per_op\":10,\"counters\":{},\"check\":\"ok\",\"seed\":1}\n";
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600], one[600];
  const char *paths[] = {one, evil, one};
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  snprintf(one, sizeof one, "%s",
           scratch_write(&scratch, "r.jsonl", alone, sizeof alone - 1));
  CU_ASSERT_EQUAL(report_fixture_write(paths, 3, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-2.5-2.svg"));
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_EQUAL(occurrences(page, "<li>Figure 2.5."), 0);
  CU_ASSERT_EQUAL(occurrences(page, "<li>Figure 2.6."), 1);
  free(page);
  scratch_fini(&scratch);
}

static void test_no_samples_still_make_a_page(void) {
  static const char none[] =
      "{\"record\":\"machine\",\"schema\":1}\n"
      "{\"record\":\"plan\"}\n";
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE];
  scratch_init(&scratch);
  const char *paths[] = {
      scratch_write(&scratch, "r.jsonl", none, sizeof none - 1)};
  CU_ASSERT_EQUAL(report_fixture_write(paths, 1, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "index.html"));
  scratch_fini(&scratch);
}

static const struct check_test page_tests[] = {
    {"files appear whole or not at all", test_files_appear_whole_or_not_at_all},
    {"a directory that cannot be is bad usage",
     test_a_directory_that_cannot_be_is_bad_usage},
    {"folders without a file are gone", test_folders_without_a_file_are_gone},
    {"a kill leaves no temporary file", test_a_kill_leaves_no_temporary_file},
    {NULL, NULL},
};

static const struct check_test drawing_tests[] = {
    {"a hostile file makes a harmless page",
     test_a_hostile_file_makes_a_harmless_page},
    {"the page needs nothing else", test_the_page_needs_nothing_else},
    {"leftovers of earlier reports are gone",
     test_leftovers_of_earlier_reports_are_gone},
    {"what cannot be written is not gnuplot's fault",
     test_what_cannot_be_written_is_not_gnuplot_s_fault},
    {"a figure without data is gone", test_a_figure_without_data_is_gone},
    {"names are made UTF-8", test_names_are_made_utf8},
    {"emulated times are not shown as times",
     test_emulated_times_are_not_shown_as_times},
    {"what no file draws is said once", test_what_no_file_draws_is_said_once},
    {"no samples still make a page", test_no_samples_still_make_a_page},
    {NULL, NULL},
};

const struct check_suite suite_report_page = {
    .name = "report_page",
    .tests = page_tests,
};
const struct check_suite suite_report_drawing = {
    .name = "report_drawing",
    .tests = drawing_tests,
    .skip = report_fixture_no_gnuplot,
};
