/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "experiments/results/results.h"
#include "tests/check.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static struct scratch scratch;
static char error[RESULTS_ERROR_SIZE];

static struct sample sample_of(uint32_t rep) {
  struct sample s = {.algo = "permute",
                     .device = "cpu",
                     .n = 8,
                     .pages_asked = "4k",
                     .rep = rep,
                     .ns = 80,
                     .ram_ops = 8,
                     .granted_ok = true,
                     .check_ok = true};
  return s;
}

static json_t *machine(void) {
  return json_pack("{ss si}", "record", "machine", "schema", RESULTS_SCHEMA);
}

static struct results_writer *begin(const char *path) {
  struct results_writer *writer = results_writer_create(path, -1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(writer);
  CU_ASSERT_EQUAL(results_write_new(writer, machine()), 0);
  return writer;
}

static void put(struct results_writer *writer, uint32_t rep) {
  struct sample s = sample_of(rep);
  CU_ASSERT_EQUAL(results_write_new(writer, sample_to_json(&s)), 0);
}

static size_t count_in(const char *path) {
  struct results results;
  size_t count = results_read(&results, path, error) ? 9999 : results.count;
  results_fini(&results);
  return count;
}

static off_t size_of(const char *path) {
  struct stat file;
  return stat(path, &file) ? -1 : file.st_size;
}

static void test_what_is_written_is_read(void) {
  struct results results;
  scratch_init(&scratch);
  const char *path = scratch_path(&scratch, "r");
  struct results_writer *writer = begin(path);
  put(writer, 0);
  put(writer, 1);
  CU_ASSERT_EQUAL(results_writer_destroy(writer), 0);
  CU_ASSERT_EQUAL(results_read(&results, path, error), 0);
  CU_ASSERT_EQUAL(results.count, 2);
  CU_ASSERT_EQUAL(results.good_bytes, size_of(path));
  results_fini(&results);
  scratch_fini(&scratch);
}

static void test_a_file_that_exists_is_not_overwritten(void) {
  scratch_init(&scratch);
  const char *path = scratch_write(&scratch, "r", "mine\n", 5);
  CU_ASSERT_PTR_NULL(results_writer_create(path, -1));
  CU_ASSERT_EQUAL(errno, EEXIST);
  CU_ASSERT_EQUAL(size_of(path), 5);
  CU_ASSERT_PTR_NULL(
      results_writer_create(scratch_path(&scratch, "none/r"), -1));
  CU_ASSERT_EQUAL(errno, ENOENT);
  CU_ASSERT_EQUAL(results_writer_destroy(NULL), 0);
  scratch_fini(&scratch);
}

static void test_continuing_cuts_the_half_line(void) {
  struct results results;
  scratch_init(&scratch);
  const char *path = scratch_path(&scratch, "r");
  struct results_writer *writer = begin(path);
  put(writer, 0);
  results_writer_destroy(writer);
  FILE *file = fopen(path, "a");
  fputs("{\"record\":\"sample\",\"al", file);
  fclose(file);
  CU_ASSERT_EQUAL(results_read(&results, path, error), 0);
  CU_ASSERT_TRUE(results.cut);
  writer = results_writer_create(path, results.good_bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(writer);
  put(writer, 1);
  results_writer_destroy(writer);
  results_fini(&results);
  CU_ASSERT_EQUAL(count_in(path), 2);
  scratch_fini(&scratch);
}

static void test_whole_lines_are_never_cut(void) {
  scratch_init(&scratch);
  const char *path = scratch_path(&scratch, "r");
  struct results_writer *writer = begin(path);
  long before = (long)size_of(path);
  put(writer, 0);
  results_writer_destroy(writer);
  off_t size = size_of(path);
  CU_ASSERT_PTR_NULL(results_writer_create(path, before));
  CU_ASSERT_EQUAL(errno, ESTALE);
  CU_ASSERT_PTR_NULL(results_writer_create(path, (long)size + 1));
  CU_ASSERT_EQUAL(errno, ESTALE);
  CU_ASSERT_EQUAL(size_of(path), size);
  scratch_fini(&scratch);
}

static void test_a_second_writer_is_told(void) {
  scratch_init(&scratch);
  const char *path = scratch_path(&scratch, "r");
  struct results_writer *writer = begin(path);
  CU_ASSERT_PTR_NULL(results_writer_create(path, (long)size_of(path)));
  CU_ASSERT_EQUAL(errno, EWOULDBLOCK);
  results_writer_destroy(writer);
  writer = results_writer_create(path, (long)size_of(path));
  CU_ASSERT_PTR_NOT_NULL(writer);
  results_writer_destroy(writer);
  scratch_fini(&scratch);
}

/* A limit on file size stands in for a full disk: the write stops half way. */
static void test_a_line_cut_by_a_full_disk_is_taken_back(void) {
  struct rlimit old, low;
  struct sample s = sample_of(1);
  scratch_init(&scratch);
  const char *path = scratch_path(&scratch, "r");
  struct results_writer *writer = begin(path);
  put(writer, 0);
  off_t size = size_of(path);
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &old);
  low = (struct rlimit){(rlim_t)size + 50, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &low);
  CU_ASSERT_EQUAL(results_write_new(writer, sample_to_json(&s)), -1);
  int code = errno;
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  CU_ASSERT_EQUAL(code, EFBIG);
  CU_ASSERT_EQUAL(size_of(path), size);
  put(writer, 2);
  results_writer_destroy(writer);
  CU_ASSERT_EQUAL(count_in(path), 2);
  scratch_fini(&scratch);
}

static _Noreturn void write_until_killed(const char *path) {
  struct results_writer *writer = results_writer_create(path, -1);
  results_write_new(writer, machine());
  for (uint32_t rep = 0; rep < 10000000; rep++) {
    struct sample s = sample_of(rep);
    if (results_write_new(writer, sample_to_json(&s))) break;
  }
  _exit(1);
}

static void test_a_kill_leaves_a_readable_file(void) {
  for (int round = 0; round < 20; round++) {
    struct results results;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "r");
    pid_t child = fork();
    if (!child) write_until_killed(path);
    for (int k = 0; k < 300000 && size_of(path) < 1000 + 333 * round; k++)
      usleep(100);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    CU_ASSERT_EQUAL(results_read(&results, path, error), 0);
    CU_ASSERT(results.count > 0);
    struct results_writer *writer =
        results_writer_create(path, results.good_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(writer);
    put(writer, UINT32_MAX);
    results_writer_destroy(writer);
    CU_ASSERT_EQUAL(count_in(path), results.count + 1);
    results_fini(&results);
    scratch_fini(&scratch);
  }
}

static void test_only_objects_are_written(void) {
  scratch_init(&scratch);
  const char *path = scratch_path(&scratch, "r");
  struct results_writer *writer = begin(path);
  off_t size = size_of(path);
  CU_ASSERT_EQUAL(results_write_new(writer, NULL), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_EQUAL(size_of(path), size);
  results_writer_destroy(writer);
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"what is written is read", test_what_is_written_is_read},
    {"a file that exists is not overwritten",
     test_a_file_that_exists_is_not_overwritten},
    {"continuing cuts the half line", test_continuing_cuts_the_half_line},
    {"whole lines are never cut", test_whole_lines_are_never_cut},
    {"a second writer is told", test_a_second_writer_is_told},
    {"a line cut by a full disk is taken back",
     test_a_line_cut_by_a_full_disk_is_taken_back},
    {"a kill leaves a file to read and continue",
     test_a_kill_leaves_a_readable_file},
    {"only objects are written", test_only_objects_are_written},
    {NULL, NULL},
};

const struct check_suite suite_results_writer = {
    .name = "results_writer",
    .tests = tests,
};
