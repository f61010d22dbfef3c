/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <sys/stat.h>

#include "experiments/results/results.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

#define MACHINE "{\"record\":\"machine\",\"schema\":1,\"cpu\":\"x\"}\n"
#define PLAN "{\"record\":\"plan\",\"reps\":2}\n"
#define SAMPLE(pages, rep)                                                     \
  "{\"record\":\"sample\",\"algo\":\"permute\",\"device\":\"cpu\",\"n\":8,"    \
  "\"pages_asked\":\"" pages "\",\"pages_granted\":{\"4k\":4096},\"rep\":" rep \
  ",\"ns\":80,\"ram_ops\":8,\"ns_per_op\":10,\"counters\":{},\"check\":\"ok"   \
  "\",\"seed\":1}\n"

static struct scratch scratch;
static struct results results;
static char error[RESULTS_ERROR_SIZE];

static int read_bytes(const void *bytes, size_t count) {
  scratch_init(&scratch);
  int failed =
      results_read(&results, scratch_write(&scratch, "r", bytes, count), error);
  scratch_fini(&scratch);
  return failed;
}

static int read_text(const char *text) {
  return read_bytes(text, strlen(text));
}

/* True when reading fails with EINVAL and the message has line and words. */
static bool refuses(const void *bytes, size_t count, const char *words) {
  errno = 0;
  bool refused = read_bytes(bytes, count) == -1 && errno == EINVAL &&
                 !strncmp(error, scratch.dir, strlen(scratch.dir)) &&
                 strstr(error, words);
  if (!refused) printf("\nexpected '%s', got '%s'\n", words, error);
  results_fini(&results);
  return refused;
}

static bool refuses_text(const char *text, const char *words) {
  return refuses(text, strlen(text), words);
}

static void test_a_whole_file_is_read(void) {
  const char *text = MACHINE PLAN SAMPLE("4k", "0") SAMPLE("2m", "0");
  CU_ASSERT_EQUAL_FATAL(read_text(text), 0);
  CU_ASSERT_EQUAL(results.count, 2);
  CU_ASSERT_PTR_NOT_NULL(results.machine);
  CU_ASSERT_PTR_NOT_NULL(results.plan);
  CU_ASSERT_FALSE(results.cut);
  CU_ASSERT_EQUAL(results.good_bytes, (long)strlen(text));
  CU_ASSERT_STRING_EQUAL(results.samples[1].pages_asked, "2m");
  results_fini(&results);
}

/* A kill may cut the file anywhere: what remains is the whole lines. */
static void test_every_prefix_is_whole_lines(void) {
  const char *text = MACHINE PLAN SAMPLE("4k", "0") SAMPLE("4k", "1");
  for (size_t length = 0; length <= strlen(text); length++) {
    size_t lines = 0, whole = 0;
    for (size_t i = 0; i < length; i++)
      if (text[i] == '\n') {
        lines++;
        whole = i + 1;
      }
    int failed = read_bytes(text, length);
    int code = errno;
    CU_ASSERT_EQUAL(failed, lines > 1 ? 0 : -1);
    CU_ASSERT(!failed || code == ENODATA);
    CU_ASSERT_EQUAL(results.machine != NULL, lines > 0);
    CU_ASSERT_EQUAL(results.count, lines > 2 ? lines - 2 : 0);
    CU_ASSERT_EQUAL(results.good_bytes, (long)whole);
    CU_ASSERT_EQUAL(results.cut, whole < length);
    results_fini(&results);
  }
}

static void test_what_is_no_results_file_is_said_so(void) {
  CU_ASSERT(refuses_text("dear diary", "not a results file"));
  CU_ASSERT(refuses_text("hello\n", ":1: not JSON"));
  CU_ASSERT(refuses_text("\n", ":1: not JSON"));
  CU_ASSERT(refuses_text("[]\n", ":1: not an object"));
  CU_ASSERT(refuses_text("3\n", ":1: not"));
  CU_ASSERT(refuses_text("{}\n", ":1: not an object with a \"record\""));
  CU_ASSERT(refuses_text("{\"record\":5}\n", ":1: not an object with"));
  CU_ASSERT(refuses_text(PLAN MACHINE, ":1: not a results file"));
  CU_ASSERT(refuses_text(SAMPLE("4k", "0"), ":1: not a results file"));
}

static void test_another_schema_is_refused(void) {
  CU_ASSERT(refuses_text("{\"record\":\"machine\",\"schema\":7}\n",
                         ":1: has schema 7, but this vat reads 1;"));
  CU_ASSERT(refuses_text("{\"record\":\"machine\"}\n", ":1: machine: "));
  CU_ASSERT(refuses_text("{\"record\":\"machine\",\"schema\":\"1\"}\n",
                         ":1: machine: "));
  CU_ASSERT(refuses_text("{\"record\":\"machine\",\"schema\":1.0}\n",
                         ":1: machine: "));
}

static void test_errors_name_the_line(void) {
  CU_ASSERT(refuses_text(MACHINE PLAN SAMPLE("4k", "-1"), ":3: sample: \"rep"));
  CU_ASSERT(refuses_text(MACHINE SAMPLE("4k", "0") "{\n", ":3: not JSON"));
  CU_ASSERT(refuses_text(MACHINE "\n" SAMPLE("4k", "0"), ":2: not JSON"));
  CU_ASSERT(refuses_text(MACHINE "{\"a\":1,\"a\":2}\n", ":2: not JSON"));
  CU_ASSERT(refuses_text(MACHINE "{\"record\":\"machine\",\"schema\":1}\n",
                         ":2: results of a second machine"));
}

static void test_duplicates_name_both_lines(void) {
  CU_ASSERT(refuses_text(MACHINE PLAN SAMPLE("4k", "0") SAMPLE("2m", "0")
                             SAMPLE("4k", "1") SAMPLE("4k", "0"),
                         ":6: repeats the sample of line 3"));
}

/* One that says nothing of allocators is another than one that does. */
static void test_other_allocators_are_no_duplicates(void) {
#define ALLOC(name) "{\"alloc\":\"" name "\","
  const char *text = MACHINE PLAN SAMPLE("4k", "0");
  char with[2048], twice[4096];
  snprintf(with, sizeof with, "%s%s%s%s%s", text, ALLOC("arena"),
           &SAMPLE("4k", "0")[1], ALLOC("glibc"), &SAMPLE("4k", "0")[1]);
  CU_ASSERT_EQUAL_FATAL(read_text(with), 0);
  CU_ASSERT_EQUAL(results.count, 3);
  CU_ASSERT_STRING_EQUAL(results.samples[0].variant.alloc, "");
  CU_ASSERT_STRING_EQUAL(results.samples[2].variant.alloc, "glibc");
  results_fini(&results);
  snprintf(twice, sizeof twice, "%s%s%s", with, ALLOC("arena"),
           &SAMPLE("4k", "0")[1]);
  CU_ASSERT(refuses_text(twice, ":6: repeats the sample of line 4"));
}

static void test_unknown_records_and_keys_are_skipped(void) {
  CU_ASSERT_EQUAL(
      read_text(MACHINE
                "{\"record\":\"weather\",\"n\":-1}\n" PLAN SAMPLE("4k", "0")),
      0);
  CU_ASSERT_EQUAL(results.count, 1);
  CU_ASSERT_PTR_NOT_NULL(results.plan);
  results_fini(&results);
}

#define CANARY(rest) "{\"record\":\"canary\",\"pass\":0" rest "}\n"

static void test_canaries_are_read(void) {
  const char *text =
      MACHINE PLAN CANARY(",\"ns_per_op\":0.5") SAMPLE("4k", "0") CANARY(
          ",\"ns_per_op\":0.25,\"chase_pages\":\"4k\","
          "\"chase_bytes\":8388608,\"chase_ns\":60.5,"
          "\"line_chase_bytes\":33554432,\"line_chase_ns\":57.5");
  CU_ASSERT_EQUAL_FATAL(read_text(text), 0);
  CU_ASSERT_EQUAL_FATAL(results.canary_count, 2);
  CU_ASSERT_EQUAL(results.canary[0].ns_per_op, 0.5);
  CU_ASSERT_STRING_EQUAL(results.canary[0].pages, "");
  CU_ASSERT_STRING_EQUAL(results.canary[1].pages, "4k");
  CU_ASSERT_EQUAL(results.canary[1].bytes, 8388608);
  CU_ASSERT_EQUAL(results.canary[1].ns, 60.5);
  CU_ASSERT_EQUAL(results.canary[0].line_ns, 0);
  CU_ASSERT_EQUAL(results.canary[1].line_bytes, 33554432);
  CU_ASSERT_EQUAL(results.canary[1].line_ns, 57.5);
  results_fini(&results);
  CU_ASSERT(refuses_text(MACHINE PLAN CANARY(""), ":3: canary: \"ns_per_op\""));
  CU_ASSERT(refuses_text(MACHINE PLAN CANARY(",\"ns_per_op\":-1"), ":3: "));
  CU_ASSERT(refuses_text(
      MACHINE PLAN CANARY(",\"ns_per_op\":1,\"line_chase_bytes\":64"),
      "\"line_chase_ns\""));
  CU_ASSERT(refuses_text(
      MACHINE PLAN CANARY(",\"ns_per_op\":1,\"chase_pages\":\"4k\""),
      "\"chase_bytes\""));
}

static void test_control_characters_do_not_reach_the_terminal(void) {
  CU_ASSERT(refuses_text(MACHINE "\033[31m\a\n", ":2: not JSON"));
  CU_ASSERT_PTR_NULL(strchr(error, '\033'));
  CU_ASSERT_PTR_NULL(strchr(error, '\a'));
  CU_ASSERT_PTR_NULL(strchr(error, '\n'));
}

static void test_nul_bytes_are_refused(void) {
  static const char nul[] = MACHINE "{\"record\":\"pl\0an\"}\n";
  static const char tail[] = MACHINE PLAN "\0\0\0\0\0\0\0\0";
  static const char number[] =
      "{\"record\":\"machine\",\"schema\":1\0,\"cpu\":\"x\"}\n";
  static const char literal[] = MACHINE "{\"record\":\"a\",\"b\":true\0}\n";
  static const char behind[] = MACHINE "{\"record\":\"a\"}\0\n";
  CU_ASSERT(refuses(nul, sizeof nul - 1, ":2: not JSON"));
  CU_ASSERT(refuses(number, sizeof number - 1, ":1: not JSON"));
  CU_ASSERT(refuses(literal, sizeof literal - 1, ":2: not JSON"));
  CU_ASSERT(refuses(behind, sizeof behind - 1, ":2: not JSON"));
  CU_ASSERT_EQUAL(read_bytes(tail, sizeof tail - 1), 0);
  CU_ASSERT_TRUE(results.cut);
  results_fini(&results);
}

static void test_endless_lines_are_refused(void) {
  size_t size = 10 << 20;
  char *line = malloc(size);
  memset(line, 'a', size);
  CU_ASSERT(refuses(line, size, ":1: line longer than"));
  line[size - 1] = '\n';
  CU_ASSERT(refuses(line, size, ":1: line longer than"));
  memset(line, '[', size);
  memcpy(line, MACHINE, strlen(MACHINE));
  line[strlen(MACHINE) + 1000000] = '\n';
  CU_ASSERT(refuses(line, size, ":2: not JSON"));
  free(line);
}

static void test_garbage_is_refused(void) {
  unsigned char bytes[4096];
  unsigned state = 1;
  for (int round = 0; round < 200; round++) {
    for (size_t i = 0; i < sizeof bytes; i++) {
      state = state * 1103515245u + 12345u;
      bytes[i] = (unsigned char)(state >> 16);
    }
    CU_ASSERT_EQUAL(read_bytes(bytes, sizeof bytes), -1);
    CU_ASSERT_EQUAL(results.count, 0);
    results_fini(&results);
  }
}

/* Any one changed byte gives the samples, an error, or another sample: never
 * a crash, and never a sample the format forbids. */
static void test_one_changed_byte_is_survived(void) {
  char text[] = MACHINE PLAN SAMPLE("4k", "0");
  for (size_t at = 0; at + 1 < sizeof text; at++) {
    for (int flip = 1; flip < 256; flip *= 2) {
      char kept = text[at];
      text[at] = (char)(kept ^ flip);
      if (!read_bytes(text, sizeof text - 1) && results.count)
        CU_ASSERT(results.samples[0].n <= INT64_MAX &&
                  results.samples[0].ram_ops >= 1);
      results_fini(&results);
      text[at] = kept;
    }
  }
}

static void test_absent_files_and_directories_are_named(void) {
  CU_ASSERT_EQUAL(results_read(&results, "/proc/nonexistent/r", error), -1);
  CU_ASSERT_EQUAL(errno, ENOENT);
  CU_ASSERT_STRING_EQUAL(error,
                         "/proc/nonexistent/r: No such file or directory; vat "
                         "run -o FILE writes a results file");
  results_fini(&results);
  CU_ASSERT_EQUAL(results_read(&results, "/tmp", error), -1);
  CU_ASSERT_EQUAL(errno, EISDIR);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "/tmp: is a folder"));
  results_fini(&results);
  CU_ASSERT_EQUAL(results_read(&results, "/dev/zero", error), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "/dev/zero: not a regular file"));
  CU_ASSERT_EQUAL(results_read(&results, "", error), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_STRING_EQUAL(
      error, "\"\": the name of a results file is empty; name a file");
}

static void test_a_fifo_is_not_waited_for(void) {
  scratch_init(&scratch);
  CU_ASSERT_EQUAL_FATAL(mkfifo(scratch_path(&scratch, "fifo"), 0600), 0);
  CU_ASSERT_EQUAL(results_read(&results, scratch.path, error), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "not a regular file"));
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"a whole file is read", test_a_whole_file_is_read},
    {"every prefix of a file reads as its whole lines",
     test_every_prefix_is_whole_lines},
    {"what is no results file is refused, and why",
     test_what_is_no_results_file_is_said_so},
    {"another schema is refused", test_another_schema_is_refused},
    {"errors name the line", test_errors_name_the_line},
    {"duplicates name both lines", test_duplicates_name_both_lines},
    {"samples of other allocators are no duplicates",
     test_other_allocators_are_no_duplicates},
    {"unknown records are skipped", test_unknown_records_and_keys_are_skipped},
    {"canaries are read", test_canaries_are_read},
    {"control characters do not reach the terminal",
     test_control_characters_do_not_reach_the_terminal},
    {"NUL bytes are refused in a line, dropped after the last",
     test_nul_bytes_are_refused},
    {"endless lines are refused", test_endless_lines_are_refused},
    {"random bytes are refused", test_garbage_is_refused},
    {"any one changed bit is survived", test_one_changed_byte_is_survived},
    {"absent files and directories are named",
     test_absent_files_and_directories_are_named},
    {"a FIFO is not waited for", test_a_fifo_is_not_waited_for},
    {NULL, NULL},
};

const struct check_suite suite_results_reader = {
    .name = "results_reader",
    .tests = tests,
};
