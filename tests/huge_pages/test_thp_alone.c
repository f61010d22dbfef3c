/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One size of transparent huge pages for programs: all switches at once, and
 * what page faults count. */
#include <config.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/thp_alone.h"
#include "huge_pages/thp_choice.h"
#include "huge_pages/thp_faults.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"
#include "tests/huge_pages/thp_switches.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static void fake_switch(size_t bytes, const char *text) {
  char path[96];
  fake_machine_write(thp_switch_path(bytes, path), text);
}

static void is_explained(size_t bytes, enum hp_thp_asks asks, const char *why,
                         const char *fix) {
  const struct hp_kind kind = {.bytes = bytes};
  struct hp_missing missing;
  CU_ASSERT_EQUAL(hp_thp_alone_explain(&kind, asks, &missing), *why ? -1 : 0);
  CU_ASSERT_STRING_EQUAL(missing.why, why);
  CU_ASSERT_STRING_EQUAL(missing.fix, fix);
}

#define OFF "always inherit madvise [never]\n"
#define MADVISE "always inherit [madvise] never\n"

static void test_what_is_in_the_way_is_explained(void) {
  if (hp_base_page_bytes() != 4 * KIB) return;
  thp_switches_fake();
  is_explained(16 * KIB, HP_THP_ASKS_MALLOC,
               "the switch of 16 KiB pages is not at madvise, so that programs "
               "get none",
               "echo madvise | sudo tee " THP_SWITCHES
               "/hugepages-16kB/enabled");
  fake_switch(16 * KIB, MADVISE); /* 64 KiB inherit madvise */
  is_explained(16 * KIB, HP_THP_ASKS_MALLOC,
               "the switch of 64 KiB pages is on, so that programs get those "
               "instead",
               "echo never | sudo tee " THP_SWITCHES "/hugepages-64kB/enabled");
  is_explained(64 * KIB, HP_THP_ASKS_MALLOC,
               "the switch of 16 KiB pages is on, so that programs get those "
               "instead",
               "echo never | sudo tee " THP_SWITCHES "/hugepages-16kB/enabled");
  fake_switch(64 * KIB, OFF);
  is_explained(16 * KIB, HP_THP_ASKS_MALLOC, "", "");
  is_explained(16 * KIB, HP_THP_ASKS_NOT,
               "the switch of 16 KiB pages is not at always, so that programs "
               "get none",
               "echo always | sudo tee " THP_SWITCHES
               "/hugepages-16kB/enabled");
  fake_switch(16 * KIB, "[always] inherit madvise never\n");
  is_explained(16 * KIB, HP_THP_ASKS_NOT, "", "");
  is_explained(16 * KIB, HP_THP_ASKS_MALLOC, "", "");
  fake_machine_stop();
}

/* glibc's malloc() asks for nothing where all memory is huge, or none is. */
static void test_asking_is_enough_where_the_kernel_wants_it(void) {
  thp_switches_fake();
  CU_ASSERT_EQUAL(hp_thp_alone_choice(HP_THP_ASKS_MALLOC), HP_THP_MADVISE);
  CU_ASSERT_EQUAL(hp_thp_alone_choice(HP_THP_ASKS_NOT), HP_THP_ALWAYS);
  CU_ASSERT_EQUAL(hp_thp_alone_choice(HP_THP_ASKS_ALWAYS), HP_THP_MADVISE);
  fake_machine_write(THP_SWITCHES "/enabled", "[always] madvise never\n");
  CU_ASSERT_EQUAL(hp_thp_alone_choice(HP_THP_ASKS_MALLOC), HP_THP_ALWAYS);
  fake_machine_write(THP_SWITCHES "/enabled", "always madvise [never]\n");
  CU_ASSERT_EQUAL(hp_thp_alone_choice(HP_THP_ASKS_MALLOC), HP_THP_ALWAYS);
  CU_ASSERT_EQUAL(hp_thp_alone_choice(HP_THP_ASKS_ALWAYS), HP_THP_MADVISE);
  fake_machine_stop();
}

static void test_faults_of_others_prove_nothing(void) {
  static const struct {
    size_t given, missed, pages, proved;
  } cases[] = {{100, 0, 100, 100}, {99, 0, 100, 99},   {150, 0, 100, 100},
               {150, 1, 100, 99},  {0, 5, 100, 0},     {100, 200, 100, 0},
               {90, 10, 100, 90},  {100, 10, 100, 90}, {5, 0, 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hp_thp_faults before = {7, 3};
    const struct hp_thp_faults after = {7 + cases[i].given,
                                        3 + cases[i].missed};
    CU_ASSERT_EQUAL(hp_thp_faults_given(&before, &after, cases[i].pages),
                    cases[i].proved);
  }
  thp_switches_fake();
  struct hp_thp_faults faults;
  CU_ASSERT_EQUAL(hp_thp_faults_read(64 * KIB, &faults), -1);
  fake_machine_write(THP_SWITCHES "/hugepages-64kB/stats/anon_fault_alloc",
                     "12\n");
  CU_ASSERT_EQUAL(hp_thp_faults_read(64 * KIB, &faults), -1);
  fake_machine_write(THP_SWITCHES "/hugepages-64kB/stats/anon_fault_fallback",
                     "3\n");
  CU_ASSERT_EQUAL(hp_thp_faults_read(64 * KIB, &faults), 0);
  CU_ASSERT_EQUAL(faults.given, 12);
  CU_ASSERT_EQUAL(faults.missed, 3);
  fake_machine_stop();
}

static const struct check_test kind_tests[] = {
    {"what is in the way is explained", test_what_is_in_the_way_is_explained},
    {"asking is enough where the kernel wants it",
     test_asking_is_enough_where_the_kernel_wants_it},
    {"faults of others prove nothing", test_faults_of_others_prove_nothing},
    {0},
};
const struct check_suite suite_thp_alone = {"thp alone", kind_tests, NULL};

/* --- on this machine, as root ------------------------------------------------
 */

enum { SWITCHES = 64 };

/* What all are at, as a text; "" where there are none. */
static void read_all(char text[SWITCHES * 16]) {
  *text = '\0';
  for (size_t bytes = hp_base_page_bytes(); bytes <= hp_thp_page_bytes();
       bytes *= 2) {
    strcat(text, thp_switch_choice(bytes));
    strcat(text, " ");
  }
}

static bool all_come_to(const char *wanted) {
  const struct timespec time = {.tv_nsec = 5000000};
  char text[SWITCHES * 16];
  for (int tries = 0; tries < 2000; tries++) {
    read_all(text);
    if (!strcmp(text, wanted)) return true;
    nanosleep(&time, NULL);
  }
  return false;
}

/* Only this size is on, and a page fault gets it. */
static void only(const struct hp_kind *kind, const char *word) {
  for (size_t bytes = hp_base_page_bytes(); bytes <= hp_thp_page_bytes();
       bytes *= 2) {
    const char *now = thp_switch_choice(bytes);
    if (*now)
      CU_ASSERT_STRING_EQUAL(now, bytes == kind->bytes ? word : "never");
  }
}

/* Bytes that a page fault gives, by what is in memory afterwards. */
static size_t fault(size_t most) {
  unsigned char *memory = mmap(NULL, 2 * most, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CU_ASSERT_FATAL(memory != MAP_FAILED);
  uintptr_t start = ((uintptr_t)memory + most - 1) & ~(uintptr_t)(most - 1);
  static unsigned char there[SWITCHES * 1024];
  size_t base = hp_base_page_bytes(), count = most / base, found = 0;
  madvise(memory, 2 * most, MADV_HUGEPAGE);
  *(volatile unsigned char *)(start + most / 2) = 1;
  CU_ASSERT_EQUAL(mincore((void *)start, most, there), 0);
  for (size_t i = 0; i < count; i++) found += there[i] & 1;
  munmap(memory, 2 * most);
  return found * base;
}

static void test_each_size_is_alone_and_restored(void) {
  char before[SWITCHES * 16], after[SWITCHES * 16];
  read_all(before);
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    if (!kind->alone) continue;
    for (enum hp_thp_asks asks = 0; asks <= HP_THP_ASKS_ALWAYS; asks++) {
      struct hp_reservation *held = hp_pool_reserve_alone(kind, asks);
      CU_ASSERT_PTR_NOT_NULL_FATAL(held);
      bool madvise = hp_thp_alone_choice(asks) == HP_THP_MADVISE;
      only(kind, madvise ? "madvise" : "always");
      CU_ASSERT_EQUAL(fault(hp_thp_page_bytes()), kind->bytes);
      hp_pool_release(held);
      read_all(after);
      CU_ASSERT_STRING_EQUAL(before, after);
    }
  }
}

static void test_what_somebody_else_chose_stays(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  size_t other = 2 * kind->bytes;
  struct hp_reservation *held = hp_pool_reserve_alone(kind, HP_THP_ASKS_MALLOC);
  CU_ASSERT_PTR_NOT_NULL_FATAL(held);
  thp_switch_set(kind->bytes, "inherit");
  hp_pool_release(held);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "inherit");
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(other), "never");
  thp_switch_set(kind->bytes, "never");
}

static void test_release_restores_without_guardian_too(void) {
  char before[SWITCHES * 16], after[SWITCHES * 16];
  read_all(before);
  for (int i = 0; i < 20; i++) {
    struct hp_reservation *held =
        hp_pool_reserve_alone(thp_switch_smallest(), i % 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(held);
    CU_ASSERT_EQUAL(kill(hp_guardian_pid(held), SIGKILL), 0);
    hp_pool_release(held);
    read_all(after);
    CU_ASSERT_STRING_EQUAL_FATAL(before, after);
  }
}

/* A child that holds them until it is killed. */
static pid_t hold_in_child(const struct hp_kind *kind) {
  int ends[2];
  char byte;
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    alarm(60);
    if (hp_pool_reserve_alone(kind, HP_THP_ASKS_MALLOC) &&
        write(ends[1], "", 1) == 1)
      pause();
    _exit(1);
  }
  close(ends[1]);
  CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  return child;
}

static void test_death_restores_all(void) {
  char before[SWITCHES * 16];
  read_all(before);
  pid_t child = hold_in_child(thp_switch_smallest());
  only(thp_switch_smallest(), "madvise");
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  CU_ASSERT_TRUE(all_come_to(before));
}

/* In a child: wait for the other holder, and say when. */
static int wait_for_it(const struct hp_kind *kind, bool alone) {
  alarm(60);
  struct hp_reservation *held =
      alone ? hp_pool_reserve_alone(kind, HP_THP_ASKS_MALLOC)
            : hp_pool_reserve(kind, MIB);
  if (!held) return 1;
  bool right = !strcmp(thp_switch_choice(kind->bytes), "madvise");
  hp_pool_release(held);
  return right ? 0 : 2;
}

/* Two for sizes of their own, and one for regions: one after the other. */
static void test_others_wait(void) {
  char before[SWITCHES * 16];
  const struct timespec time = {.tv_nsec = 300000000};
  const struct hp_kind *kind = thp_switch_smallest(), *other = kind + 1;
  read_all(before);
  pid_t holder = hold_in_child(kind), waiting[3];
  for (int i = 0; i < 3; i++) {
    waiting[i] = fork();
    if (!waiting[i]) _exit(wait_for_it(i == 1 ? kind : other, i < 2));
  }
  nanosleep(&time, NULL);
  only(kind, "madvise");
  for (int i = 0; i < 3; i++)
    CU_ASSERT_EQUAL(waitpid(waiting[i], NULL, WNOHANG), 0);
  kill(holder, SIGKILL);
  waitpid(holder, NULL, 0);
  for (int i = 0; i < 3; i++) {
    int status = -1;
    waitpid(waiting[i], &status, 0);
    CU_ASSERT_EQUAL(status, 0);
  }
  CU_ASSERT_TRUE(all_come_to(before));
}

/* The other way round: a region's switch is let go of first. */
static void test_it_waits_for_regions(void) {
  const struct timespec time = {.tv_nsec = 200000000};
  const struct hp_kind *kind = thp_switch_smallest(), *other = kind + 1;
  struct hp_reservation *held = hp_pool_reserve(other, MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(held);
  pid_t waiting = fork();
  if (!waiting) _exit(wait_for_it(kind, true));
  nanosleep(&time, NULL);
  CU_ASSERT_EQUAL(waitpid(waiting, NULL, WNOHANG), 0);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "never");
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(other->bytes), "madvise");
  hp_pool_release(held);
  int status = -1;
  waitpid(waiting, &status, 0);
  CU_ASSERT_EQUAL(status, 0);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(other->bytes), "never");
}

static int alone_as_nobody(const struct hp_kind *kind) {
  if (setuid(65534)) return 2;
  errno = 0;
  return hp_pool_reserve_alone(kind, HP_THP_ASKS_MALLOC) || errno != EACCES;
}

static void test_only_root_has_them(void) {
  pid_t child = fork();
  if (!child) _exit(alone_as_nobody(thp_switch_smallest()));
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
}

static const struct check_test real_tests[] = {
    {"each size is alone, and restored", test_each_size_is_alone_and_restored},
    {"what somebody else chose stays", test_what_somebody_else_chose_stays},
    {"release restores without a guardian",
     test_release_restores_without_guardian_too},
    {"a killed process' switches are restored", test_death_restores_all},
    {"others wait", test_others_wait},
    {"it waits for regions", test_it_waits_for_regions},
    {"only root has them", test_only_root_has_them},
    {0},
};
const struct check_suite suite_thp_alone_real = {"thp alone: this machine",
                                                 real_tests, thp_switches_skip};
