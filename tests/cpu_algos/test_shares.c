/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu_algos/shares.h"
#include "tests/cpu_algos/workspace.h"

enum { COUNT = 1000 };

static void mark(void *context, uint32_t first, uint32_t end) {
  unsigned char *seen = context;
  for (uint32_t i = first; i < end; i++) seen[i]++;
}

static void test_each_is_worked_on_once(void) {
  unsigned char seen[COUNT], once[COUNT];
  memset(once, 1, sizeof once);
  for (unsigned threads = 1; threads <= CPU_SHARES_MAX; threads *= 3) {
    memset(seen, 0, sizeof seen);
    cpu_shares_run(threads, COUNT, mark, seen);
    CU_ASSERT_EQUAL(memcmp(seen, once, sizeof seen), 0);
  }
}

/* Who may have no process more has no thread more; that limit is not root's. */
static bool probe_finds_none(void) {
  const struct rlimit none = {0, 0};
  if (!geteuid() && setuid(65534)) return false;
  if (setrlimit(RLIMIT_NPROC, &none)) return false;
  return cpu_shares_probe(4) < 0 && errno == EAGAIN && !cpu_shares_probe(1);
}

static void test_threads_that_cannot_be_had(void) {
  int status = -1;
  CU_ASSERT_EQUAL(cpu_shares_probe(1), 0);
  CU_ASSERT_EQUAL(cpu_shares_probe(8), 0);
  CU_ASSERT(cpu_shares_probe(CPU_SHARES_MAX + 1) < 0 && errno == EINVAL);
  pid_t child = fork();
  if (!child) _exit(!probe_finds_none());
  CU_ASSERT(child > 0 && waitpid(child, &status, 0) == child);
  CU_ASSERT_EQUAL(status, 0);
}

static const struct check_test tests[] = {
    {"each is worked on once", test_each_is_worked_on_once},
    {"threads that cannot be had are told", test_threads_that_cannot_be_had},
    {NULL, NULL},
};
extern const struct check_suite suite_shares;
const struct check_suite suite_shares = {"shares", tests, NULL};
