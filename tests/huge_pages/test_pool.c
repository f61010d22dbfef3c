/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On captured machines: the arithmetic, the guardian, and who may do what. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/pool_resize.h"
#include "huge_pages/region.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define MIB ((size_t)1 << 20)

static const struct hp_kind *kind_2m(void) { return hp_kind_find("2m"); }

static size_t total(void) {
  struct hp_pool pool;
  CU_ASSERT_EQUAL(hp_pool_read(2 * MIB, &pool), 0);
  return pool.total;
}

static void pause_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* True once the pool has `pages`; waits for at most ten seconds. */
static int becomes(size_t pages) {
  for (int tries = 0; tries < 1000; tries++) {
    if (total() == pages) return 1;
    pause_ms(10);
  }
  return 0;
}

static void fake_pool(size_t pages) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_pool(2048, pages, pages, 0, 0);
}

static void test_reads_all_numbers(void) {
  struct hp_pool pool;
  fake_machine_start();
  fake_machine_pool(2048, 100, 40, 10, 3);
  CU_ASSERT_EQUAL(hp_pool_read(2 * MIB, &pool), 0);
  CU_ASSERT_EQUAL(pool.page_bytes, 2 * MIB);
  CU_ASSERT_EQUAL(pool.total, 100);
  CU_ASSERT_EQUAL(pool.free, 40);
  CU_ASSERT_EQUAL(pool.reserved, 10);
  CU_ASSERT_EQUAL(pool.surplus, 3);
  CU_ASSERT_EQUAL(hp_pool_spare(&pool), 30);
  CU_ASSERT_EQUAL(hp_pool_persistent(&pool), 97);
  fake_machine_stop();
}

static void test_absent_pool_is_enoent(void) {
  struct hp_pool pool;
  fake_machine_start();
  errno = 0;
  CU_ASSERT_EQUAL(hp_pool_read(2 * MIB, &pool), -1);
  CU_ASSERT_EQUAL(errno, ENOENT);
  errno = 0;
  CU_ASSERT_PTR_NULL(hp_pool_reserve(kind_2m(), MIB));
  CU_ASSERT_EQUAL(errno, ENOENT);
  fake_machine_stop();
}

static void test_kind_without_pool_is_einval(void) {
  for (size_t k = 0; k < 2; k++) {
    errno = 0;
    CU_ASSERT_PTR_NULL(hp_pool_reserve(hp_kind_at(k), MIB));
    CU_ASSERT_EQUAL(errno, EINVAL);
  }
  CU_ASSERT_PTR_NULL(hp_pool_reserve(NULL, MIB));
}

static void test_grows_by_what_is_missing(void) {
  fake_machine_start();
  fake_machine_memory(8192);
  fake_machine_pool(2048, 100, 40, 10, 3);
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB + 1);
  CU_ASSERT_PTR_NOT_NULL(pages);
  CU_ASSERT_EQUAL(total(), 103);
  hp_pool_release(pages);
  CU_ASSERT_EQUAL(total(), 97); /* the kernel's writes count no surplus */
  fake_machine_stop();
}

static void test_large_pool_is_left_alone(void) {
  fake_pool(50);
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 100 * MIB);
  CU_ASSERT_PTR_NOT_NULL(pages);
  CU_ASSERT_EQUAL(total(), 50);
  hp_pool_release(pages);
  CU_ASSERT_EQUAL(total(), 50);
  fake_machine_stop();
}

static void test_release_of_nothing(void) { hp_pool_release(NULL); }

static void test_more_than_memory_is_enomem(void) {
  static const size_t sizes[] = {8192 * MIB, SIZE_MAX, SIZE_MAX / 2};
  fake_pool(5);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    errno = 0;
    CU_ASSERT_PTR_NULL(hp_pool_reserve(kind_2m(), sizes[i]));
    CU_ASSERT_EQUAL(errno, ENOMEM);
    CU_ASSERT_EQUAL(total(), 5);
  }
  fake_machine_stop();
}

/*
 * A kernel that grants less than asked: files may not grow beyond one byte,
 * so that of "64\n" only the "6" arrives.
 */
static void test_partial_growth_is_given_back(void) {
  fake_pool(0);
  pid_t child = fork();
  if (!child) {
    struct rlimit one = {1, 1};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &one);
    void *got = hp_pool_reserve(kind_2m(), 128 * MIB);
    _exit(got || errno != ENOMEM);
  }
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_EQUAL(total(), 0);
  fake_machine_stop();
}

/* Plain files: the free pages of the first stay free; the claim protects. */
static void test_reservations_add_up(void) {
  fake_pool(0);
  struct hp_reservation *a = hp_pool_reserve(kind_2m(), 20 * MIB);
  CU_ASSERT_EQUAL(total(), 10);
  fake_machine_pool(2048, 10, 10, 0, 0);
  struct hp_reservation *b = hp_pool_reserve(kind_2m(), 14 * MIB);
  CU_ASSERT_EQUAL(total(), 17);
  fake_machine_write("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
                     "17\n");
  struct hp_reservation *c = hp_pool_reserve(kind_2m(), 2 * MIB);
  CU_ASSERT_EQUAL(total(), 18);
  hp_pool_release(b);
  CU_ASSERT_EQUAL(total(), 11);
  hp_pool_release(a);
  CU_ASSERT_EQUAL(total(), 1);
  hp_pool_release(c);
  CU_ASSERT_EQUAL(total(), 0);
  fake_machine_stop();
}

/* A child that reserves, says so, and waits for what comes. */
static pid_t reserving_child(size_t bytes, struct hp_reservation **held) {
  int ends[2];
  char byte;
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(ends[0]);
    *held = hp_pool_reserve(kind_2m(), bytes);
    if (!*held || write(ends[1], "", 1) != 1) _exit(1);
    sleep(60);
    _exit(1);
  }
  close(ends[1]);
  CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 1);
  /* A guardian that kept the child's files would keep this one from its end. */
  CU_ASSERT_EQUAL(kill(child, 0), 0);
  close(ends[0]);
  return child;
}

static void ends_by(int number) {
  struct hp_reservation *held = NULL;
  size_t before = total();
  pid_t child = reserving_child(64 * MIB, &held);
  CU_ASSERT_TRUE(total() > before);
  kill(-child, number);
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number);
  CU_ASSERT_TRUE(becomes(before));
}

static void test_signals_to_the_group_restore(void) {
  static const int numbers[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  fake_pool(3);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    ends_by(numbers[i]);
  fake_machine_stop();
}

static void test_exit_without_release_restores(void) {
  fake_pool(3);
  pid_t child = fork();
  if (!child) _exit(!hp_pool_reserve(kind_2m(), 64 * MIB));
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_TRUE(becomes(3));
  fake_machine_stop();
}

/* The grandchild holds the ward's end of the socket open. */
static void test_outliving_child_does_not_delay(void) {
  fake_pool(3);
  int ends[2];
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    if (!hp_pool_reserve(kind_2m(), 64 * MIB)) _exit(1);
    if (fork()) _exit(0);
    char byte;
    close(ends[1]);
    _exit(read(ends[0], &byte, 1) != 0);
  }
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_TRUE(becomes(3));
  close(ends[0]);
  close(ends[1]);
  fake_machine_stop();
}

/* As `vat run | head`: the reader's end of file must not wait for us. */
static void test_guardian_keeps_no_file_open(void) {
  fake_pool(3);
  int ends[2];
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pages);
  close(ends[1]);
  struct pollfd event = {.fd = ends[0], .events = POLLIN};
  CU_ASSERT_EQUAL(poll(&event, 1, 5000), 1);
  CU_ASSERT_EQUAL(event.revents, POLLHUP);
  close(ends[0]);
  hp_pool_release(pages);
  fake_machine_stop();
}

static void test_guardian_is_no_child(void) {
  fake_pool(3);
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pages);
  CU_ASSERT_TRUE(hp_guardian_pid(pages) > 0);
  errno = 0;
  CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1);
  CU_ASSERT_EQUAL(errno, ECHILD);
  CU_ASSERT_NOT_EQUAL(getsid(hp_guardian_pid(pages)), getsid(0));
  hp_pool_release(pages);
  fake_machine_stop();
}

static void test_deaf_to_signals(void) {
  fake_pool(3);
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pages);
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    CU_ASSERT_EQUAL(kill(hp_guardian_pid(pages), numbers[i]), 0);
  pause_ms(50);
  /* Alive and asleep; dead it might still be a zombie. */
  char path[64], text[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)hp_guardian_pid(pages));
  FILE *stat = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(stat);
  CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof text, stat));
  fclose(stat);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "(hp_guardian) S"));
  CU_ASSERT_EQUAL(total(), 32);
  hp_pool_release(pages);
  CU_ASSERT_EQUAL(total(), 3);
  fake_machine_stop();
}

static void test_release_fixes_without_guardian(void) {
  fake_pool(3);
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pages);
  CU_ASSERT_EQUAL(kill(hp_guardian_pid(pages), SIGKILL), 0);
  hp_pool_release(pages);
  CU_ASSERT_EQUAL(total(), 3);
  fake_machine_stop();
}

static void as_nobody(size_t bytes, int error) {
  pid_t child = fork();
  if (!child) {
    if (getuid() == 0 && setuid(65534)) _exit(2);
    void *pages = hp_pool_reserve(kind_2m(), bytes);
    _exit(error ? pages || errno != error : !pages);
  }
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
}

static void test_not_root(void) {
  char path[256];
  fake_pool(10);
  CU_ASSERT_EQUAL(hp_kernel_path("", path, sizeof path), 0);
  CU_ASSERT_EQUAL(chmod(path, 0755), 0);
  CU_ASSERT_EQUAL(
      hp_kernel_path("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
                     path, sizeof path),
      0);
  CU_ASSERT_EQUAL(chmod(path, 0444), 0);
  as_nobody(22 * MIB, EACCES);
  as_nobody(20 * MIB, 0);
  CU_ASSERT_EQUAL(total(), 10);
  fake_machine_stop();
}

static void test_waits_for_the_lock(void) {
  fake_pool(0);
  int fd = hp_pool_open(2 * MIB);
  CU_ASSERT_FATAL(fd >= 0);
  CU_ASSERT_EQUAL(hp_pool_lock(fd), 0);
  pid_t child = fork();
  if (!child) {
    close(fd);
    _exit(!hp_pool_reserve(kind_2m(), 4 * MIB));
  }
  pause_ms(100);
  CU_ASSERT_EQUAL(total(), 0);
  CU_ASSERT_EQUAL(waitpid(child, NULL, WNOHANG), 0);
  hp_pool_unlock(fd);
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_TRUE(becomes(0));
  close(fd);
  fake_machine_stop();
}

static const struct check_test tests[] = {
    {"all four numbers are read", test_reads_all_numbers},
    {"an absent pool is ENOENT", test_absent_pool_is_enoent},
    {"a kind without pool is EINVAL", test_kind_without_pool_is_einval},
    {"a pool grows by what is missing", test_grows_by_what_is_missing},
    {"a pool large enough is left alone", test_large_pool_is_left_alone},
    {"release of NULL is fine", test_release_of_nothing},
    {"more than memory is ENOMEM", test_more_than_memory_is_enomem},
    {"partial growth is ENOMEM and given back",
     test_partial_growth_is_given_back},
    {"reservations add up and come off in any order", test_reservations_add_up},
    {"a signal to the group restores the pool",
     test_signals_to_the_group_restore},
    {"exit without release restores", test_exit_without_release_restores},
    {"a child that outlives the ward delays nothing",
     test_outliving_child_does_not_delay},
    {"the guardian keeps no file open", test_guardian_keeps_no_file_open},
    {"the guardian is nobody's child", test_guardian_is_no_child},
    {"the guardian is deaf to signals", test_deaf_to_signals},
    {"release fixes when the guardian was killed",
     test_release_fixes_without_guardian},
    {"not root: EACCES, or the pool as it is", test_not_root},
    {"growth waits for the lock", test_waits_for_the_lock},
    {0},
};
const struct check_suite suite_pool = {"pool", tests, NULL};
