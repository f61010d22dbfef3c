/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is ours to give back, whose order to do so counts, and where to. */
#include <config.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/pool_resize.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define MIB ((size_t)1 << 20)

static const struct hp_kind *kind_2m(void) { return hp_kind_find("2m"); }

static size_t total(void) {
  struct hp_pool pool;
  CU_ASSERT_EQUAL(hp_pool_read(2 * MIB, &pool), 0);
  return pool.total;
}

static void fake_pool(size_t pages) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_pool(2048, pages, pages, 0, 0);
}

/* A lie of 897 persistent pages where there are 889 must not be believed. */
static void test_torn_reads_are_not_believed(void) {
  static const struct {
    size_t surplus, total, surplus_after;
    bool steady;
  } looks[] = {
      {0, 889, 0, false}, {0, 897, 8, false}, {0, 889, 0, false},
      {8, 897, 8, false}, {0, 897, 0, false}, {8, 889, 0, false},
      {8, 897, 8, false}, {0, 889, 0, false}, {4, 893, 4, true},
  };
  struct hp_pool_looks seen = {0};
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
    CU_ASSERT_EQUAL(hp_pool_steady(&seen, looks[i].surplus, looks[i].total,
                                   looks[i].surplus_after),
                    looks[i].steady);
  CU_ASSERT_EQUAL(seen.persistent, 889);
}

static void test_takes_no_more_than_asked(void) {
  CU_ASSERT_EQUAL(hp_pool_taken(881, 890, 890), 9); /* 8 of them absorbed */
  CU_ASSERT_EQUAL(hp_pool_taken(881, 890, 885), 4);
  CU_ASSERT_EQUAL(hp_pool_taken(881, 890, 900), 9); /* 10 are another's */
  CU_ASSERT_EQUAL(hp_pool_taken(881, 890, 870), 0);
  CU_ASSERT_EQUAL(hp_pool_taken(0, 0, 0), 0);
}

static void test_guardian_ignores_other_messages(void) {
  static const char *const messages[] = {"", "x", "error: no such file\n",
                                         HP_GUARDIAN_ORDER "!"};
  fake_pool(3);
  int guardian = hp_guardian_start(&hp_pool_holding, 2 * MIB, 32);
  CU_ASSERT_FATAL(guardian > STDERR_FILENO);
  struct hp_guardian_report report = {0};
  while (report.stage != HP_GUARDIAN_HOLDS)
    CU_ASSERT_EQUAL_FATAL(recv(guardian, &report, sizeof report, 0),
                          sizeof report);
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    send(guardian, messages[i], strlen(messages[i]) + (i == 3), MSG_NOSIGNAL);
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  CU_ASSERT_EQUAL(total(), 32);
  send(guardian, HP_GUARDIAN_ORDER, sizeof HP_GUARDIAN_ORDER, MSG_NOSIGNAL);
  CU_ASSERT_EQUAL(recv(guardian, &report, sizeof report, 0), sizeof report);
  CU_ASSERT_EQUAL(report.stage, HP_GUARDIAN_RETURNED);
  CU_ASSERT_EQUAL(total(), 3);
  close(guardian);
  fake_machine_stop();
}

static void test_closed_standard_files(void) {
  fake_pool(3);
  pid_t child = fork();
  if (!child) {
    for (int fd = 0; fd <= STDERR_FILENO; fd++) close(fd);
    struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
    if (!pages || write(STDERR_FILENO, "x", 1) == 1) _exit(1);
    hp_pool_release(pages);
    _exit(total() != 3);
  }
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  fake_machine_stop();
}

/* 3 where this process may not mount. */
static int reserve_on_read_only(const char *root) {
  if (unshare(CLONE_NEWNS) || mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
      mount(root, root, NULL, MS_BIND, NULL) ||
      mount("", root, NULL, MS_BIND | MS_REMOUNT | MS_RDONLY, NULL))
    return 3;
  return hp_pool_reserve(kind_2m(), 64 * MIB) || errno != EROFS;
}

static void test_read_only_is_erofs(void) {
  char root[256];
  fake_pool(3);
  CU_ASSERT_EQUAL(hp_kernel_path("", root, sizeof root), 0);
  pid_t child = fork();
  if (!child) _exit(reserve_on_read_only(root));
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 3)
    puts("SKIPPED a read-only /sys: this process may not mount");
  else
    CU_ASSERT_EQUAL(status, 0);
  fake_machine_stop();
}

static const struct check_test tests[] = {
    {"torn reads are not believed", test_torn_reads_are_not_believed},
    {"no more than asked for counts as taken", test_takes_no_more_than_asked},
    {"the guardian obeys its order only", test_guardian_ignores_other_messages},
    {"closed standard files stay closed", test_closed_standard_files},
    {"a read-only /sys is EROFS", test_read_only_is_erofs},
    {0},
};
const struct check_suite suite_pool_resize = {"pool_resize", tests, NULL};
