/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments/compare/supervisor.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

/* errno of what could not be executed, or 0, once the child has ended or before
 * it was told to go. */
static int executed(const char *path, const char *input, bool wait_before) {
  char *argv[] = {"program", NULL};
  struct launch launch = {
      .path = path, .argv = argv, .environment = argv + 1, .pin = -1};
  struct child child = {.out = open("/dev/null", O_WRONLY)};
  siginfo_t info;
  launch.input = input;
  child.err = child.out;
  sigprocmask(SIG_SETMASK, NULL, &launch.mask);
  void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* the supervisor blocks it */
  CU_ASSERT_EQUAL_FATAL(child_fork(&child, &launch), 0);
  if (wait_before)
    CU_ASSERT_EQUAL(waitid(P_PID, (id_t)child.pid, &info, WEXITED | WNOWAIT),
                    0);
  int error = child_exec(&child) ? errno : 0;
  waitpid(child.pid, NULL, 0);
  signal(SIGPIPE, before);
  close(child.out);
  return error;
}

static void test_a_program_is_executed(void) {
  CU_ASSERT_EQUAL(executed("/bin/true", NULL, false), 0);
}

static void test_why_it_is_not_is_told(void) {
  CU_ASSERT_EQUAL(executed("/no/such/program", NULL, false), ENOENT);
  CU_ASSERT_EQUAL(executed("/bin/true", "/bin/true/input", false), ENOTDIR);
}

/* It need not wait to be told to go. */
static void test_nor_is_it_lost_where_the_child_was_faster(void) {
  CU_ASSERT_EQUAL(executed("/bin/true", "/bin/true/input", true), ENOTDIR);
}

static const struct check_test tests[] = {
    {"a program is executed", test_a_program_is_executed},
    {"why it is not is told", test_why_it_is_not_is_told},
    {"nor is it lost where the child was faster",
     test_nor_is_it_lost_where_the_child_was_faster},
    {NULL, NULL},
};

const struct check_suite suite_compare_child = {
    .name = "compare: child",
    .tests = tests,
};
