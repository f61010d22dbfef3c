/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "experiments/command.h"
#include "experiments/report/gnuplot.h"
#include "experiments/report/html.h"
#include "experiments/report/kill_guard.h"
#include "experiments/report/out_dir.h"
#include "experiments/report/report.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

/* A file in which every string is hostile to HTML, gnuplot and CSV. */
#define EVIL "'<script>`id`\\\"&"
static const char evil_head[] =
    "{\"record\":\"machine\",\"schema\":1,\"cpu\":\"" EVIL "\",\"" EVIL
    "\":\"" EVIL
    "\",\"caches\":[1,{\"level\":\"x\"}],"
    "\"versions\":{\"" EVIL "\":\"" EVIL "\"},\"counters\":[7,{\"name\":\"" EVIL
    "\",\"present\":false,\"why\":\"" EVIL "\",\"mend\":\"" EVIL
    "\"}],"
    "\"page_kinds\":{\"a\":[]}}\n";

static void write_evil(struct scratch *scratch, char *path, size_t size) {
  FILE *file = fopen(scratch_path(scratch, "evil.jsonl"), "w");
  fputs(evil_head, file);
  for (int rep = 0; rep < 4; rep++)
    for (int huge = 0; huge < 2; huge++)
      fprintf(file,
              "{\"record\":\"sample\",\"algo\":\"" EVIL "\",\"device\":\"" EVIL
              "\",\"n\":64,\"pages_asked\":\"%s\",\"pages_granted\":{\"%s\":"
              "4096},\"granted_ok\":true,\"rep\":%d,\"ns\":%d,\"ram_ops\":64,"
              "\"ns_per_op\":%g,\"counters\":{\"" EVIL
              "\":5},\"check\":\"ok\","
              "\"seed\":1}\n",
              huge ? "'<i>'`id`" : "4k", huge ? "2m" : "4k", rep,
              huge ? 320 : 640, huge ? 5.0 : 10.0);
  fclose(file);
  snprintf(path, size, "%s", scratch->path);
}

static char *escaped(const char *text) {
  char *out;
  size_t size;
  FILE *page = open_memstream(&out, &size);
  html_text(page, text);
  fclose(page);
  return out;
}

static void test_text_stays_text(void) {
  char *out = escaped("<a href=\"x\" b='y'>&amp;\a\n 1 -> 2");
  CU_ASSERT_STRING_EQUAL(out,
                         "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;"
                         "   1 &rarr; 2");
  free(out);
}

static void test_gnuplot_strings_cannot_be_left(void) {
  char *out;
  size_t size;
  FILE *script = open_memstream(&out, &size);
  gnuplot_quote(script, "'it's `id` \"@x\"\n\\");
  fclose(script);
  CU_ASSERT_STRING_EQUAL(out, "'\342\200\231it\342\200\231s `id` \"@x\" \\'");
  free(out);
}

static void test_ids_of_pictures_do_not_clash(void) {
  char *out;
  size_t size;
  FILE *page = open_memstream(&out, &size);
  html_svg(page,
           "<?xml version=\"1.0\"?><svg viewBox=\"0 0 800 600\"><g id=\"c\">"
           "<rect fill=\"#ffffff\"/><defs><path id='p'/></defs>"
           "<use xlink:href='#p'/></g></svg>\n",
           "f1-", "a \"label\"");
  fclose(page);
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "<path id='f1-p'/>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "xlink:href='#f1-p'"));
  CU_ASSERT_PTR_NOT_NULL(strstr(out, "a &quot;label&quot;"));
  CU_ASSERT_PTR_NULL(strstr(out, "<?xml"));
  CU_ASSERT_PTR_NULL(strstr(out, "#ffffff"));
  free(out);
}

static void test_what_is_no_picture_gives_none(void) {
  char *out;
  size_t size;
  FILE *page = open_memstream(&out, &size);
  html_svg(page, "", "f", "l");
  html_svg(page, "<svg viewBox=\"0 0 a b\"><defs>", "f", "l");
  fclose(page);
  CU_ASSERT_EQUAL(size, 0);
  free(out);
}

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
  out_file_abandon(&file);
  CU_ASSERT_EQUAL(faccessat(dir, file.temporary, F_OK, 0), -1);
  text = scratch_read(path, NULL);
  CU_ASSERT_STRING_EQUAL(text, "old");
  free(text);
  close(dir);
  scratch_fini(&scratch);
}

static void test_a_directory_that_cannot_be_is_bad_usage(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600], dir[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  write_evil(&scratch, evil, sizeof evil);
  snprintf(dir, sizeof dir, "%s/evil.jsonl", scratch.dir);
  CU_ASSERT_EQUAL(report_write(paths, 1, dir, error), VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "Not a directory"));
  CU_ASSERT_EQUAL(report_write(paths, 1, "/proc/nowhere", error), VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "/proc/nowhere"));
  CU_ASSERT_EQUAL(report_write(paths, 1, "", error), VAT_USAGE);
  paths[0] = "/nonexistent.jsonl";
  CU_ASSERT_EQUAL(report_write(paths, 1, scratch.dir, error), VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "/nonexistent.jsonl: No such file"));
  scratch_fini(&scratch);
}

static void test_without_gnuplot_the_mend_is_named(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600], index[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  write_evil(&scratch, evil, sizeof evil);
  char *path = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent", 1);
  CU_ASSERT_EQUAL(report_write(paths, 1, scratch.dir, error), VAT_ABSENT);
  setenv("PATH", path, 1);
  free(path);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "./bootstrap --install-deps"));
  snprintf(index, sizeof index, "%s/index.html", scratch.dir);
  CU_ASSERT_EQUAL(access(index, F_OK), -1);
  scratch_fini(&scratch);
}

static const char *no_gnuplot(void) {
  char why[GNUPLOT_WHY_SIZE];
  FILE *script = tmpfile(), *picture = tmpfile();
  fputs("set terminal svg\nplot x\n", script);
  int failed = gnuplot_run(script, picture, why);
  fclose(script);
  fclose(picture);
  return failed ? "no gnuplot that draws SVG" : NULL;
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
    gnuplot_quote(script, texts[i]);
    fputs(" at graph 0.5, graph 0.5 left\nplot x\n", script);
    CU_ASSERT_EQUAL(gnuplot_run(script, picture, why), 0);
    if (*why) printf("\n%s: %s\n", texts[i], why);
    fclose(script);
    fclose(picture);
  }
}

static bool has_file(const struct scratch *scratch, const char *name) {
  char path[600];
  snprintf(path, sizeof path, "%s/%s", scratch->dir, name);
  return !access(path, F_OK);
}

static size_t files_in(const struct scratch *scratch) {
  size_t count = 0;
  DIR *stream = opendir(scratch->dir);
  while (readdir(stream)) count++;
  closedir(stream);
  return count - 2;
}

static void test_a_hostile_file_makes_a_harmless_page(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE] = "", evil[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  write_evil(&scratch, evil, sizeof evil);
  CU_ASSERT_EQUAL(report_write(paths, 1, scratch.dir, error), VAT_OK);
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
  write_evil(&scratch, evil, sizeof evil);
  CU_ASSERT_EQUAL(report_write(paths, 2, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(has_file(&scratch, "fig-2.1.svg"));
  CU_ASSERT_TRUE(has_file(&scratch, "fig-2.1.png"));
  CU_ASSERT_TRUE(has_file(&scratch, "fig-2.5.csv"));
  CU_ASSERT_TRUE(has_file(&scratch, "fig-2.5-2.svg"));
  CU_ASSERT_TRUE(has_file(&scratch, "table-2.txt"));
  /* Two parts of 7 files, the page and the results: no temporary is left. */
  CU_ASSERT_EQUAL(files_in(&scratch), 2 * 7 + 2);
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_PTR_NULL(strstr(page, "<link"));
  CU_ASSERT_PTR_NULL(strstr(page, "<img"));
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
                                     "fig-2.2-2.svg",
                                     "table-x.txt",
                                     "table-3.csv",
                                     "fig-2.1-02.svg"};
  enum { GONE = sizeof gone / sizeof *gone, KEPT = sizeof kept / sizeof *kept };
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE], evil[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  write_evil(&scratch, evil, sizeof evil);
  for (size_t i = 0; i < GONE; i++) scratch_write(&scratch, gone[i], "x", 1);
  for (size_t i = 0; i < KEPT; i++) scratch_write(&scratch, kept[i], "x", 1);
  CU_ASSERT_EQUAL(report_write(paths, 1, scratch.dir, error), VAT_OK);
  for (size_t i = 0; i < GONE; i++)
    CU_ASSERT_FALSE(has_file(&scratch, gone[i]));
  for (size_t i = 0; i < KEPT; i++) CU_ASSERT_TRUE(has_file(&scratch, kept[i]));
  CU_ASSERT_TRUE(has_file(&scratch, "table.txt"));
  scratch_fini(&scratch);
}

static void limited(const char *const *paths, const char *dir, rlim_t bytes) {
  char error[RESULTS_ERROR_SIZE];
  struct rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  if (report_write(paths, 1, dir, error) != VAT_USAGE) _exit(1);
  _exit(strncmp(error, dir, strlen(dir)) || !strstr(error, "File too large"));
}

static void test_what_cannot_be_written_is_not_gnuplot_s_fault(void) {
  struct scratch scratch;
  char evil[600];
  const char *paths[] = {evil};
  scratch_init(&scratch);
  write_evil(&scratch, evil, sizeof evil);
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

/* A gnuplot of our own, first in the PATH, that runs `command`. */
static void expect_of_gnuplot(const char *command, int code, const char *says) {
  struct scratch scratch, out;
  char error[RESULTS_ERROR_SIZE], evil[600], dir[100];
  const char *paths[] = {evil};
  char *path = strdup(getenv("PATH"));
  scratch_init(&scratch);
  scratch_init(&out);
  write_evil(&scratch, evil, sizeof evil);
  scratch_write(&scratch, "gnuplot", command, strlen(command));
  chmod(scratch_path(&scratch, "gnuplot"), 0755);
  setenv("PATH", scratch.dir, 1);
  snprintf(dir, sizeof dir, "%s/new", out.dir);
  CU_ASSERT_EQUAL(report_write(paths, 1, dir, error), code);
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

static void test_a_kill_leaves_no_temporary_file(void) {
  static const int kills[] = {SIGTERM, SIGINT, SIGHUP};
  struct scratch scratch;
  struct out_file file;
  for (size_t i = 0; i < 3; i++) {
    int status = 0;
    scratch_init(&scratch);
    fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (!child) {
      kill_guard_arm();
      if (out_file_begin(&file, out_dir_open(scratch.dir), "page")) _exit(1);
      raise(kills[i]);
      _exit(2);
    }
    waitpid(child, &status, 0);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == kills[i]);
    CU_ASSERT_EQUAL(files_in(&scratch), 0);
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
  CU_ASSERT_EQUAL(report_write(paths, 1, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(has_file(&scratch, "fig-2.1.svg"));
  CU_ASSERT_FALSE(has_file(&scratch, "fig-2.5.svg"));
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "Not drawn."));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "half line"));
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
  CU_ASSERT_EQUAL(report_write(paths, 1, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(has_file(&scratch, "index.html"));
  scratch_fini(&scratch);
}

static const struct check_test page_tests[] = {
    {"text stays text", test_text_stays_text},
    {"gnuplot strings cannot be left", test_gnuplot_strings_cannot_be_left},
    {"ids of pictures do not clash", test_ids_of_pictures_do_not_clash},
    {"what is no picture gives none", test_what_is_no_picture_gives_none},
    {"files appear whole or not at all", test_files_appear_whole_or_not_at_all},
    {"a directory that cannot be is bad usage",
     test_a_directory_that_cannot_be_is_bad_usage},
    {"without gnuplot the mend is named",
     test_without_gnuplot_the_mend_is_named},
    {NULL, NULL},
};

static const struct check_test drawing_tests[] = {
    {"gnuplot's complaint is passed on", test_gnuplot_s_complaint_is_passed_on},
    {"any text is one gnuplot string", test_any_text_is_one_gnuplot_string},
    {"a hostile file makes a harmless page",
     test_a_hostile_file_makes_a_harmless_page},
    {"the page needs nothing else", test_the_page_needs_nothing_else},
    {"leftovers of earlier reports are gone",
     test_leftovers_of_earlier_reports_are_gone},
    {"what cannot be written is not gnuplot's fault",
     test_what_cannot_be_written_is_not_gnuplot_s_fault},
    {"how gnuplot ended is said", test_how_gnuplot_ended_is_said},
    {"a kill leaves no temporary file", test_a_kill_leaves_no_temporary_file},
    {"a figure without data is gone", test_a_figure_without_data_is_gone},
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
    .skip = no_gnuplot,
};
