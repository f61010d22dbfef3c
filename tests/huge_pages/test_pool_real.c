/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On this machine's own pool of 2 MiB pages, as root. */
#include <config.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/pool_resize.h"
#include "huge_pages/region.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define MIB ((size_t)1 << 20)

static const struct hp_kind *kind_2m(void) { return hp_kind_find("2m"); }

static struct hp_pool read_pool(void) {
  struct hp_pool pool;
  return hp_pool_read(2 * MIB, &pool) ? (struct hp_pool){0} : pool;
}

/* True once the pool is as `found`; waits for at most ten seconds. */
static int restored(struct hp_pool found) {
  struct timespec time = {0, 10000000};
  for (int tries = 0; tries < 1000; tries++) {
    struct hp_pool now = read_pool();
    if (!memcmp(&now, &found, sizeof now)) return 1;
    nanosleep(&time, NULL);
  }
  return 0;
}

/* A child that reserves, maps all of it, says so on the pipe, and waits. */
static pid_t mapping_child(int tell) {
  pid_t child = fork();
  if (child) return child;
  struct hp_region region;
  struct hp_granted granted;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  size_t bytes = 64 * MIB;
  int good = hp_pool_reserve(kind_2m(), bytes) &&
             !hp_region_map(&region, kind_2m(), bytes, NULL, NULL) &&
             !hp_region_verify(&region, bytes, &granted) &&
             hp_granted_is(&granted, kind_2m());
  if (!good || write(tell, "", 1) != 1) _exit(1);
  sleep(60);
  _exit(1);
}

/* True once a child has spoken; waits for at most ten seconds. */
static int heard(int pipe_end) {
  struct pollfd event = {.fd = pipe_end, .events = POLLIN};
  char byte;
  return poll(&event, 1, 10000) == 1 && read(pipe_end, &byte, 1) == 1;
}

/*
 * An attempt says what went wrong, or NULL.  Others may resize the pool
 * meanwhile, and then it is not as found; but hardly each time, so that what
 * fails for good is our fault.
 */
static void attempt(const char *(*attempted)(void)) {
  const char *wrong = attempted();
  for (int again = 0; again < 2 && wrong; again++) {
    printf("\n(%s; again, as others may use the pool) ", wrong);
    wrong = attempted();
  }
  if (wrong) printf("\n%s\n", wrong);
  CU_ASSERT_PTR_NULL(wrong);
}

#define NEED(claim) \
  if (!(claim)) return "not so: " #claim

static bool is_killed(pid_t child) {
  int status;
  return waitpid(child, &status, 0) == child && WIFSIGNALED(status);
}

static const char *end_by(int number) {
  struct hp_pool found = read_pool();
  int ends[2];
  NEED(!pipe(ends));
  pid_t child = mapping_child(ends[1]);
  close(ends[1]);
  bool told = heard(ends[0]);
  bool grown = read_pool().total > found.total || found.free >= 32;
  close(ends[0]);
  kill(-child, number);
  bool killed = is_killed(child);
  NEED(told && grown && killed);
  NEED(restored(found));
  return NULL;
}

static const char *end_by_kill(void) { return end_by(SIGKILL); }
static const char *end_by_term(void) { return end_by(SIGTERM); }
static const char *end_by_int(void) { return end_by(SIGINT); }

static void test_ends_restore_the_pool(void) {
  attempt(end_by_kill);
  attempt(end_by_term);
  attempt(end_by_int);
}

static const char *reserve_at_once(void) {
  enum { CHILDREN = 4 };
  struct hp_pool found = read_pool();
  pid_t children[CHILDREN];
  int ends[2], told = 0, killed = 0;
  NEED(!pipe(ends));
  for (int i = 0; i < CHILDREN; i++) children[i] = mapping_child(ends[1]);
  close(ends[1]);
  for (int i = 0; i < CHILDREN; i++) told += heard(ends[0]);
  for (int i = 0; i < CHILDREN; i++) {
    kill(children[i], i % 2 ? SIGKILL : SIGTERM);
    killed += is_killed(children[i]);
  }
  close(ends[0]);
  NEED(told == CHILDREN && killed == CHILDREN);
  NEED(restored(found));
  return NULL;
}

/* Each must be able to map what it reserved, whoever came first. */
static void test_concurrent_reservations_both_hold(void) {
  attempt(reserve_at_once);
}

static const char *map_the_later_first(void) {
  struct hp_region a, b;
  struct hp_pool found = read_pool();
  struct hp_reservation *first = hp_pool_reserve(kind_2m(), 32 * MIB);
  struct hp_reservation *second = hp_pool_reserve(kind_2m(), 32 * MIB);
  bool reserved = first && second;
  bool b_mapped = !hp_region_map(&b, kind_2m(), 32 * MIB, NULL, NULL);
  bool a_mapped = !hp_region_map(&a, kind_2m(), 32 * MIB, NULL, NULL);
  if (a_mapped) hp_region_unmap(&a);
  if (b_mapped) hp_region_unmap(&b);
  hp_pool_release(first);
  hp_pool_release(second);
  NEED(reserved && b_mapped && a_mapped);
  NEED(restored(found));
  return NULL;
}

/* The second must not count the pages that the first has yet to map. */
static void test_unmapped_reservation_is_not_robbed(void) {
  attempt(map_the_later_first);
}

static const char *release_and_look(void) {
  struct hp_pool found = read_pool();
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
  NEED(pages);
  hp_pool_release(pages);
  struct hp_pool now = read_pool();
  NEED(!memcmp(&now, &found, sizeof now));
  return NULL;
}

static void test_release_waits_until_done(void) { attempt(release_and_look); }

static const char *kill_guardian(void) {
  struct hp_pool found = read_pool();
  struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
  NEED(pages);
  bool killed = !kill(hp_guardian_pid(pages), SIGKILL);
  hp_pool_release(pages);
  NEED(killed);
  NEED(restored(found));
  return NULL;
}

static void test_release_fixes_without_guardian(void) {
  attempt(kill_guardian);
}

static const char *release_while_mapped(void) {
  struct hp_region region;
  struct hp_pool found = read_pool();
  pid_t child = fork();
  if (!child) {
    struct hp_reservation *pages = hp_pool_reserve(kind_2m(), 64 * MIB);
    if (!pages || hp_region_map(&region, kind_2m(), 64 * MIB, NULL, NULL))
      _exit(1);
    hp_pool_release(pages);
    _exit(0);
  }
  int status;
  NEED(waitpid(child, &status, 0) == child && !status);
  NEED(restored(found));
  return NULL;
}

/* Pages still mapped at release go as soon as they are unmapped. */
static void test_release_before_unmap_leaves_nothing(void) {
  attempt(release_while_mapped);
}

static void test_not_root_is_eacces(void) {
  struct hp_pool found = read_pool();
  pid_t child = fork();
  if (!child) {
    if (setuid(65534)) _exit(2);
    void *pages = hp_pool_reserve(kind_2m(), (found.free + 1) * 2 * MIB);
    _exit(pages || errno != EACCES);
  }
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
}

/* Somebody who resizes the pool all the time would spoil each attempt. */
static bool is_restless(void) {
  struct timespec time = {0, 10000000};
  struct hp_pool first = read_pool();
  for (int i = 0; i < 30; i++) {
    struct hp_pool now = read_pool();
    if (memcmp(&now, &first, sizeof now)) return true;
    nanosleep(&time, NULL);
  }
  return false;
}

static const char *skip(void) {
  if (getuid()) return "not root";
  const char *why = skip_kind("2m", 512 * MIB);
  return why || !is_restless() ? why : "others are resizing the pool";
}

static const struct check_test tests[] = {
    {"SIGKILL, SIGTERM, SIGINT leave the pool as found",
     test_ends_restore_the_pool},
    {"reservations at once all get their pages",
     test_concurrent_reservations_both_hold},
    {"pages not yet mapped are not robbed",
     test_unmapped_reservation_is_not_robbed},
    {"release returns when all is done", test_release_waits_until_done},
    {"release fixes when the guardian was killed",
     test_release_fixes_without_guardian},
    {"release before unmap leaves nothing behind",
     test_release_before_unmap_leaves_nothing},
    {"not root is EACCES", test_not_root_is_eacces},
    {0},
};
const struct check_suite suite_pool_real = {"pool: this machine's", tests,
                                            skip};
