/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>

#include "experiments/cli/memory.h"
#include "experiments/cli/out_file.h"
#include "experiments/results/results.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

#define HUGE_BYTES (SIZE_MAX / 4)

/* AddressSanitizer ends a process that asks for so much, unless this says that
 * malloc() returns NULL; it then warns before vat's own line. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}
#else
enum { SANITIZED = 0 };
#endif

static struct scratch scratch;

/* Whether `act` in a process of its own, begun as main() does, exits with 3 and
 * one line. */
static bool exhausts(void (*act)(void)) {
  char err[600];
  int status;
  snprintf(err, sizeof err, "%s", scratch_path(&scratch, "err"));
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    int fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0) _exit(99);
    memory_begin();
    act();
    _exit(98);
  }
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  char *said = scratch_read(err, NULL);
  const char *last = said && SANITIZED ? strstr(said, "vat: ") : said;
  bool one_line = last && !strcmp(last, "vat: out of memory\n");
  free(said);
  return WIFEXITED(status) && WEXITSTATUS(status) == 3 && one_line;
}

static void get(void) { memory_get(HUGE_BYTES); }
static void zeroed(void) { memory_zeroed(HUGE_BYTES, 1); }
static void overflow(void) { memory_zeroed(SIZE_MAX, SIZE_MAX); }
static void grow(void) {
  static void *volatile kept; /* or it would be a leak */
  kept = memory_get(8);
  memory_grow(kept, HUGE_BYTES, 8);
}
static void json(void) { json_stringn_nocheck("", HUGE_BYTES); }

static void need(void) {
  errno = ENOMEM;
  memory_need(NULL);
}

static void check(void) {
  errno = ENOMEM;
  memory_check(-1);
}

static void test_each_way_ends_the_command(void) {
  static void (*const ways[])(void) = {get,  zeroed, overflow, grow,
                                       json, need,   check,    NULL};
  scratch_init(&scratch);
  for (size_t i = 0; ways[i]; i++) CU_ASSERT(exhausts(ways[i]));
  scratch_fini(&scratch);
}

static void test_other_errors_come_back(void) {
  errno = EINVAL;
  CU_ASSERT_PTR_NULL(memory_need(NULL));
  CU_ASSERT_EQUAL(memory_check(-1), -1);
  errno = ENOMEM;
  CU_ASSERT_EQUAL(memory_check(0), 0);
  CU_ASSERT_PTR_EQUAL(memory_need(&scratch), &scratch);
}

static void test_what_is_had_is_memory(void) {
  char *none = memory_get(0), *zeros = memory_zeroed(0, 8), *text = NULL;
  size_t length;
  CU_ASSERT_PTR_NOT_NULL(none);
  CU_ASSERT_PTR_NOT_NULL(zeros);
  free(none);
  free(zeros);
  FILE *stream = memory_stream(&text, &length);
  fputs("abc", stream);
  memory_stream_close(stream);
  CU_ASSERT_STRING_EQUAL(text, "abc");
  free(text);
  text = memory_format("%d-%s", 7, "x");
  CU_ASSERT_STRING_EQUAL(text, "7-x");
  free(text);
}

static const char *path;

static void write_twice(void) {
  struct results_writer *writer = results_writer_create(path, -1);
  json_t *record = json_pack("{si}", "rep", 1);
  if (!writer || results_write_new(writer, json_incref(record))) _exit(97);
  json_object_set_new(record, "rep", json_integer(2));
  json_object_set_new(record, "x", json_stringn_nocheck("", HUGE_BYTES));
  results_write_new(writer, record);
}

static void test_no_record_is_written_once_memory_ran_out(void) {
  size_t count = 0;
  char file[600];
  scratch_init(&scratch);
  snprintf(file, sizeof file, "%s/r", scratch.dir);
  path = file;
  CU_ASSERT(exhausts(write_twice));
  char *whole = scratch_read(path, &count);
  CU_ASSERT_PTR_NOT_NULL_FATAL(whole);
  CU_ASSERT_STRING_EQUAL(whole, "{\"rep\":1}\n");
  free(whole);
  scratch_fini(&scratch);
}

static void remove_it(void *context) { unlink(context); }

static void leave_files(void) {
  struct out_file file;
  char other[600];
  snprintf(other, sizeof other, "%s/other", scratch.dir);
  close(open(other, O_CREAT | O_WRONLY, 0600));
  memory_clean_up(remove_it, other);
  int dir = out_dir_open(path);
  if (dir < 0 || out_file_begin(&file, dir, "whole")) _exit(97);
  memory_get(HUGE_BYTES);
}

static void test_nothing_is_left(void) {
  char made[600];
  scratch_init(&scratch);
  snprintf(made, sizeof made, "%s/a/b", scratch.dir);
  path = made;
  CU_ASSERT(exhausts(leave_files));
  CU_ASSERT(access(scratch_path(&scratch, "a"), F_OK) && errno == ENOENT);
  CU_ASSERT(access(scratch_path(&scratch, "other"), F_OK) && errno == ENOENT);
  scratch_fini(&scratch);
}

/* What main()'s process makes is not its child's to remove. */
static void fork_and_exhaust(void) {
  struct out_file file;
  int status, dir = out_dir_open(scratch.dir);
  if (dir < 0 || out_file_begin(&file, dir, "whole")) _exit(97);
  memory_clean_up(remove_it, (void *)path);
  pid_t child = fork();
  if (!child) memory_get(HUGE_BYTES);
  if (waitpid(child, &status, 0) != child) _exit(96);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 3) _exit(95);
  memory_clean_up(NULL, NULL);
  if (access(path, F_OK) || out_file_commit(&file)) _exit(94);
  _exit(3);
}

static void test_a_child_removes_nothing_of_its_parent(void) {
  char other[600];
  scratch_init(&scratch);
  snprintf(other, sizeof other, "%s/other", scratch.dir);
  path = other;
  close(open(other, O_CREAT | O_WRONLY, 0600));
  CU_ASSERT(exhausts(fork_and_exhaust));
  CU_ASSERT(!access(scratch_path(&scratch, "whole"), F_OK));
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"each way to run out of memory ends the command",
     test_each_way_ends_the_command},
    {"other errors come back", test_other_errors_come_back},
    {"what is had is memory", test_what_is_had_is_memory},
    {"no record is written once memory ran out",
     test_no_record_is_written_once_memory_ran_out},
    {"nothing is left", test_nothing_is_left},
    {"a child removes nothing of its parent",
     test_a_child_removes_nothing_of_its_parent},
    {NULL, NULL},
};

const struct check_suite suite_memory = {.name = "memory", .tests = tests};
