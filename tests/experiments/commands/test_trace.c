/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"
#include "vat/trace.h"

static struct command_result result;
static struct scratch scratch;

static const char lackey[] =
    "==1== Lackey\n"
    "I  04001000,3\n"
    " L 1ffeffe7e0,8\n"
    " M 0421b2a8,4\n"
    " S 1ffeffe7d8,8\n";
static const char lackey_again[] =
    "I  04001000,3\n"
    " L 1ffeffe7e0,8\n"
    " L 0421b2a8,4\n"
    " S 0421b2a8,4\n"
    " S 1ffeffe7d8,8\n";
static const char text_without_fetches[] =
    "0x1ffeffe7e0\n0x421b2a8\n0x421b2a8\n0x1ffeffe7d8\n";

static char *path_of(const char *name) {
  return strdup(scratch_path(&scratch, name));
}

static void trace(const char *from, const char *format, const char *output,
                  const char *option) {
  const char *arguments[8] = {"--from", from, "--format", format};
  size_t count = 4;
  if (output) {
    arguments[count++] = "-o";
    arguments[count++] = output;
  }
  arguments[count] = option;
  run_command(&result, cmd_trace, arguments, false);
}

static size_t files(void) {
  size_t count = 0;
  DIR *stream = opendir(scratch.dir);
  while (stream && readdir(stream)) count++;
  closedir(stream);
  return count - 2;
}

static void check_file(const char *path, const char *expected) {
  char *text = scratch_read(path, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_STRING_EQUAL(text, expected);
  free(text);
}

static void test_a_trace_comes_back_from_each_format(void) {
  scratch_init(&scratch);
  char *from = path_of("from"), *vat = path_of("vat"), *to = path_of("to");
  scratch_write(&scratch, "from", lackey, sizeof lackey - 1);
  trace(from, "vat", vat, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_STRING_EQUAL(result.err, "");
  CU_ASSERT_STRING_EQUAL(result.out, "");
  trace(vat, "lackey", to, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  check_file(to, lackey_again);
  trace(vat, "lackey", NULL, NULL); /* standard output */
  CU_ASSERT_STRING_EQUAL(result.out, lackey_again);
  CU_ASSERT_EQUAL(files(), 3);
  scratch_fini(&scratch);
  free(from), free(vat), free(to);
}

static void test_text_leaves_out_fetches_and_says_so(void) {
  scratch_init(&scratch);
  char *from = path_of("from");
  scratch_write(&scratch, "from", lackey, sizeof lackey - 1);
  trace(from, "text", NULL, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT_STRING_EQUAL(result.out, text_without_fetches);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(result.err, "vat: 1 instruction fetches left out"));
  trace(from, "text", NULL, "--instr");
  CU_ASSERT_STRING_EQUAL(result.err, "");
  CU_ASSERT_EQUAL(strncmp(result.out, "0x4001000\n", 10), 0);
  scratch_write(&scratch, "from", "I  04001000,3\n", 14);
  trace(from, "text", NULL, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "only instruction fetches"));
  scratch_fini(&scratch);
  free(from);
}

static void test_a_bad_trace_leaves_what_was_there(void) {
  scratch_init(&scratch);
  char *from = path_of("from"), *to = path_of("to");
  scratch_write(&scratch, "to", "old", 3);
  scratch_write(&scratch, "from", "1\n2\nfoo\n", 8);
  trace(from, "vat", to, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_EQUAL(strncmp(result.err, "vat: ", 5), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, ":3: \"foo\" is no line of"));
  CU_ASSERT_EQUAL(strchr(result.err, '\n') - result.err,
                  (ptrdiff_t)strlen(result.err) - 1);
  check_file(to, "old");
  CU_ASSERT_EQUAL(files(), 2);
  scratch_write(&scratch, "from", "1\n2\n", 4);
  trace(from, "text", to, NULL); /* and now it is replaced */
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  check_file(to, "0x1\n0x2\n");
  trace(to, "lackey", to, NULL); /* even by itself */
  check_file(to, " L 00000001,1\n L 00000002,1\n");
  CU_ASSERT_EQUAL(files(), 2);
  scratch_fini(&scratch);
  free(from), free(to);
}

static void test_links_and_devices_stay_what_they_are(void) {
  struct stat status;
  scratch_init(&scratch);
  char *from = path_of("from"), *to = path_of("to"), *link = path_of("link");
  scratch_write(&scratch, "from", "1\n", 2);
  scratch_write(&scratch, "to", "old", 3);
  CU_ASSERT_EQUAL(symlink(to, link), 0);
  trace(from, "text", link, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  check_file(to, "0x1\n");
  CU_ASSERT(!lstat(link, &status) && S_ISLNK(status.st_mode));
  CU_ASSERT(!chmod(to, 0600)); /* as private as what it replaces */
  trace(from, "text", to, NULL);
  CU_ASSERT(!stat(to, &status) && (status.st_mode & 0777) == 0600);
  trace(from, "vat", "/dev/null", NULL);
  CU_ASSERT_EQUAL(result.code, VAT_OK);
  CU_ASSERT(!stat("/dev/null", &status) && S_ISCHR(status.st_mode));
  trace(from, "vat", "/dev/full", NULL);
  CU_ASSERT_EQUAL(result.code, VAT_ABSENT);
  CU_ASSERT_STRING_EQUAL(result.err,
                         "vat: /dev/full: cannot be written: No space left on "
                         "device; fix: free space, or name a file elsewhere\n");
  CU_ASSERT_EQUAL(files(), 3);
  scratch_fini(&scratch);
  free(from), free(to), free(link);
}

static void test_bad_usage_is_one_line(void) {
  static const char *const bad[][5] = {
      {NULL},
      {"--from"},
      {"trace"},
      {"--from", "/nonexistent/trace"},
      {"--from", "/dev/null"},
      {"--from", "-", "--format", "perf"},
      {"--from", "-", "--format", "nonsense"},
      {"--from", "/etc/passwd", "--from-format", "nonsense"},
      {"--from", "/etc/passwd"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    run_command(&result, cmd_trace, bad[i], false);
    CU_ASSERT_EQUAL(result.code, VAT_USAGE);
    CU_ASSERT_STRING_EQUAL(result.out, "");
    CU_ASSERT_EQUAL(strncmp(result.err, "vat", 3), 0);
  }
  scratch_init(&scratch);
  char *from = path_of("from"), *to = path_of("no/to");
  scratch_write(&scratch, "from", "1\n", 2);
  trace(from, "vat", to, NULL);
  CU_ASSERT_EQUAL(result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "No such file or directory"));
  scratch_fini(&scratch);
  free(from), free(to);
}

/* The child waits for a trace that nobody ends. */
static void test_a_signal_takes_away_the_unfinished_file(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    int status;
    scratch_init(&scratch);
    char *fifo = path_of("fifo"), *to = path_of("to");
    CU_ASSERT_EQUAL(mkfifo(fifo, 0600), 0);
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
      char *argv[] = {"vat trace", "--from", fifo, "-o", to, NULL};
      signal(numbers[i], SIG_DFL);
      _exit(cmd_trace(5, argv));
    }
    int fd = open(fifo, O_WRONLY);
    char lines[5000];
    for (size_t k = 0; k < sizeof lines; k += 5) memcpy(lines + k, "0x10\n", 5);
    for (int k = 0; k < 500; k++) /* more than it reads at a time */
      if (write(fd, lines, sizeof lines) != sizeof lines) break;
    for (int k = 0; k < 500 && files() < 2; k++) usleep(10000);
    CU_ASSERT_EQUAL(files(), 2); /* the fifo and the unfinished one */
    kill(child, numbers[i]);
    waitpid(child, &status, 0);
    CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
    CU_ASSERT_EQUAL(files(), 1);
    close(fd);
    scratch_fini(&scratch);
    free(fifo), free(to);
  }
}

static const struct check_test tests[] = {
    {"a trace comes back from each format",
     test_a_trace_comes_back_from_each_format},
    {"text leaves out fetches and says so",
     test_text_leaves_out_fetches_and_says_so},
    {"a bad trace leaves what was there",
     test_a_bad_trace_leaves_what_was_there},
    {"links and devices stay what they are",
     test_links_and_devices_stay_what_they_are},
    {"bad usage is one line", test_bad_usage_is_one_line},
    {"a signal takes away the unfinished file",
     test_a_signal_takes_away_the_unfinished_file},
    {0}};

const struct check_suite suite_trace = {"trace", tests, NULL};
