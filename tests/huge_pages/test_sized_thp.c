/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transparent huge pages of the sizes between, and the switches they take. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "huge_pages/guardian.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"
#include "tests/huge_pages/thp_switches.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static void test_each_size_with_a_switch_is_a_kind(void) {
  struct hp_kind kinds[HP_KINDS_MAX];
  if (hp_base_page_bytes() != 4 * KIB) return;
  thp_switches_fake();
  CU_ASSERT_EQUAL_FATAL(hp_kinds_list(kinds), 7);
  static const char *const names[] = {"4k",      "thp",     "2m",    "1g",
                                      "thp-16k", "thp-64k", "thp-1m"};
  static const size_t kib[] = {4, 2048, 2048, 1048576, 16, 64, 1024};
  for (size_t i = 0; i < 7; i++) {
    CU_ASSERT_STRING_EQUAL(kinds[i].name, names[i]);
    CU_ASSERT_EQUAL(kinds[i].bytes, kib[i] * KIB);
    CU_ASSERT_EQUAL(kinds[i].named, i >= 4);
  }
  fake_machine_stop();
}

static void test_what_is_off_is_explained(void) {
  struct hp_kind kinds[HP_KINDS_MAX];
  struct hp_missing missing;
  if (hp_base_page_bytes() != 4 * KIB) return;
  thp_switches_fake();
  CU_ASSERT_EQUAL_FATAL(hp_kinds_list(kinds), 7);
  errno = 0;
  CU_ASSERT_EQUAL(hp_kind_explain(&kinds[6], MIB, &missing), -1);
  CU_ASSERT_EQUAL(errno, ENOTSUP);
  CU_ASSERT_STRING_EQUAL(
      missing.why, "transparent huge pages of 1 MiB are switched off (never)");
  CU_ASSERT_STRING_EQUAL(missing.fix, "echo madvise | sudo tee " THP_SWITCHES
                                      "/hugepages-1024kB/enabled");
  CU_ASSERT_EQUAL(hp_kind_explain(&kinds[5], MIB, &missing), 0); /* inherit */
  fake_machine_stop();
}

static void test_names_tell_the_size(void) {
  CU_ASSERT_EQUAL(hp_kind_usual_bytes("thp-64k"), 64 * KIB);
  CU_ASSERT_EQUAL(hp_kind_usual_bytes("thp-256m"), 256 * MIB);
}

static void test_sizes_that_a_kernel_may_have(void) {
  static const char *const are[] = {"thp-16k", "thp-64k", "thp-512k", "thp-1m"};
  static const char *const are_not[] = {"thp",     "thp-",   "thp-8k",
                                        "thp-48k", "thp-2m", "thp-64kB",
                                        "64k",     "2m",     "xthp-64k"};
  for (size_t i = 0; i < sizeof are / sizeof *are; i++)
    CU_ASSERT_TRUE(hp_kind_is_between(are[i]));
  for (size_t i = 0; i < sizeof are_not / sizeof *are_not; i++)
    CU_ASSERT_FALSE(hp_kind_is_between(are_not[i]));
}

static const struct check_test kind_tests[] = {
    {"each size with a switch is a kind",
     test_each_size_with_a_switch_is_a_kind},
    {"a switch that is off is explained", test_what_is_off_is_explained},
    {"names of other machines tell the size", test_names_tell_the_size},
    {"sizes that a kernel may have", test_sizes_that_a_kernel_may_have},
    {0},
};
const struct check_suite suite_sized_thp = {"sized thp", kind_tests, NULL};

/* --- on this machine, as root ------------------------------------------------
 */

static void test_last_of_two_restores(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  for (int order = 0; order < 2; order++) {
    struct hp_reservation *held[2];
    for (int i = 0; i < 2; i++) {
      held[i] = hp_pool_reserve(kind, MIB);
      CU_ASSERT_PTR_NOT_NULL_FATAL(held[i]);
      CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "madvise");
    }
    hp_pool_release(held[order]);
    CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "madvise");
    hp_pool_release(held[!order]);
    CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "never");
  }
}

static void test_on_is_left_alone(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  thp_switch_set(kind->bytes, "inherit"); /* of madvise */
  struct hp_reservation *held = hp_pool_reserve(kind, MIB);
  CU_ASSERT_PTR_NOT_NULL(held);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "inherit");
  thp_switch_set(kind->bytes, "never");
  hp_pool_release(held);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "never");
}

static void test_choice_of_somebody_else_stays(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  struct hp_reservation *held = hp_pool_reserve(kind, MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(held);
  thp_switch_set(kind->bytes, "inherit");
  hp_pool_release(held);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "inherit");
  thp_switch_set(kind->bytes, "never");
}

static void test_release_restores_without_guardian(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  /* A guardian dies in steps, and each could be seen. */
  for (int i = 0; i < 50; i++) {
    struct hp_reservation *held = hp_pool_reserve(kind, MIB);
    CU_ASSERT_PTR_NOT_NULL_FATAL(held);
    CU_ASSERT_EQUAL(kill(hp_guardian_pid(held), SIGKILL), 0);
    hp_pool_release(held);
    CU_ASSERT_STRING_EQUAL_FATAL(thp_switch_choice(kind->bytes), "never");
  }
}

static void test_death_restores(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  int ends[2];
  char byte;
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    alarm(60);
    if (hp_pool_reserve(kind, MIB) && write(ends[1], "", 1) == 1) pause();
    _exit(1);
  }
  close(ends[1]);
  CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "madvise");
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  CU_ASSERT_TRUE(thp_switch_comes_to(kind->bytes, "never"));
}

/* Slow and by definition: every page's frames follow each other from a multiple
 * of its size, and the kernel holds them as one page, neither less nor more. */
static size_t whole_pages(const struct hp_region *region) {
  size_t base = hp_base_page_bytes(), count = region->kind->bytes / base;
  size_t whole = 0;
  int entries = open("/proc/self/pagemap", O_RDONLY);
  int flags = open("/proc/kpageflags", O_RDONLY);
  CU_ASSERT_FATAL(entries >= 0 && flags >= 0);
  for (size_t at = 0; at < region->bytes; at += region->kind->bytes) {
    uint64_t first = 0, entry, word;
    bool good = true;
    for (size_t i = 0; i <= count; i++) { /* and the one behind it */
      uintptr_t page = (uintptr_t)region->base + at + i * base;
      bool read_entry =
          pread(entries, &entry, 8, (off_t)(page / base * 8)) == 8;
      uint64_t frame = entry & ((UINT64_C(1) << 55) - 1);
      if (!i) first = frame;
      if (i < count) good &= read_entry && frame && frame == first + i;
      if (pread(flags, &word, 8, (off_t)((first + i) * 8)) != 8) word = 0;
      bool head = word >> 15 & 1, tail = word >> 16 & 1;
      good &= i == count ? !tail : i ? tail : head;
    }
    whole += good && first % count == 0;
  }
  close(entries);
  close(flags);
  return whole;
}

static size_t faults_of(size_t bytes) {
  char path[112];
  size_t count = 0;
  snprintf(path, sizeof path,
           THP_SWITCHES "/hugepages-%zukB/stats/anon_fault_alloc", bytes / KIB);
  hp_kernel_read_size(path, &count);
  return count;
}

/* With the switches of all sizes on: neither a larger nor a smaller one comes.
 */
static void test_each_size_is_granted(void) {
  struct hp_reservation *held[HP_KINDS_MAX] = {0};
  for (size_t i = 0; i < hp_kind_count(); i++)
    if (hp_kind_at(i)->named) held[i] = hp_pool_reserve(hp_kind_at(i), MIB);
  for (size_t i = 0; i < hp_kind_count(); i++) {
    const struct hp_kind *kind = hp_kind_at(i);
    struct hp_region region;
    struct hp_granted granted;
    if (!kind->named) continue;
    CU_ASSERT_PTR_NOT_NULL(held[i]);
    size_t faults = faults_of(kind->bytes), bytes = 5 * MIB;
    CU_ASSERT_EQUAL_FATAL(hp_region_map(&region, kind, bytes, NULL, NULL), 0);
    CU_ASSERT_TRUE(faults_of(kind->bytes) - faults >= bytes / kind->bytes);
    CU_ASSERT_EQUAL(hp_region_verify(&region, bytes, &granted), 0);
    CU_ASSERT_TRUE(hp_granted_is(&granted, kind));
    CU_ASSERT_EQUAL(granted.by[0].bytes, bytes);
    CU_ASSERT_EQUAL(whole_pages(&region), bytes / kind->bytes);
    /* What khugepaged would do, and be refused. */
    errno = 0;
    CU_ASSERT_EQUAL(madvise(region.base, 4 * MIB, MADV_COLLAPSE), -1);
    CU_ASSERT_EQUAL(errno, EINVAL);
    CU_ASSERT_EQUAL(whole_pages(&region), bytes / kind->bytes);
    hp_region_unmap(&region);
  }
  for (size_t i = 0; i < hp_kind_count(); i++) hp_pool_release(held[i]);
}

static void test_other_pages_are_not_taken_for_it(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  struct hp_region region;
  struct hp_granted granted;
  struct hp_reservation *held = hp_pool_reserve(kind, MIB);
  CU_ASSERT_EQUAL_FATAL(hp_region_map(&region, kind, 2 * MIB, NULL, NULL), 0);
  hp_pool_release(held);
  size_t page = kind->bytes;
  CU_ASSERT_EQUAL(madvise(region.base + 3 * page, page, MADV_DONTNEED), 0);
  CU_ASSERT_EQUAL(hp_populate(region.base + 3 * page, page), 0);
  CU_ASSERT_EQUAL(madvise(region.base + 8 * page, page, MADV_DONTNEED), 0);
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes, &granted), 0);
  CU_ASSERT_FALSE(hp_granted_is(&granted, kind));
  CU_ASSERT_EQUAL(granted.missing, page);
  CU_ASSERT_EQUAL_FATAL(granted.sizes, 2);
  CU_ASSERT_EQUAL(granted.by[0].page_bytes, hp_base_page_bytes());
  CU_ASSERT_EQUAL(granted.by[0].bytes, page);
  CU_ASSERT_EQUAL(granted.by[1].bytes, region.bytes - 2 * page);
  hp_region_unmap(&region);
}

/* Who may not see frames: what the kernel counted is of the size, and not a
 * byte more. */
static int counted_without_rights(const struct hp_kind *kind) {
  struct hp_region region;
  struct hp_granted granted;
  if (setuid(65534)) return 2;
  if (hp_region_map(&region, kind, 4 * MIB, NULL, NULL)) return 3;
  if (region.counted != 4 * MIB) return 4;
  if (hp_region_verify(&region, 4 * MIB, &granted)) return 5;
  if (!hp_granted_is(&granted, kind)) return 6;
  region.counted -= MIB;
  if (hp_region_verify(&region, 4 * MIB, &granted)) return 7;
  return granted.sizes != 2 || granted.by[0].bytes != MIB ||
         granted.by[1].bytes != 3 * MIB || granted.missing;
}

static void test_counts_prove_without_rights(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  struct hp_reservation *held = hp_pool_reserve(kind, MIB);
  CU_ASSERT_PTR_NOT_NULL_FATAL(held);
  pid_t child = fork();
  if (!child) {
    alarm(60);
    _exit(counted_without_rights(kind));
  }
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  hp_pool_release(held);
}

static int reserve_as_nobody(const struct hp_kind *kind) {
  if (setuid(65534)) return 2;
  errno = 0;
  return hp_pool_reserve(kind, MIB) || errno != EACCES;
}

static void test_only_root_switches(void) {
  pid_t child = fork();
  if (!child) _exit(reserve_as_nobody(thp_switch_smallest()));
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
}

/* Who may read a file may lock it, too. */
static void lock_as_nobody(const char *path, int done) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  alarm(200);
  int fd = setuid(65534) ? -1 : open(path, O_RDONLY);
  bool locked = !fcntl(fd, F_OFD_SETLK, &lock) && !flock(fd, LOCK_EX);
  if (locked && write(done, "", 1) == 1) pause();
  _exit(1);
}

static void test_locks_of_others_keep_nothing(void) {
  const struct hp_kind *kind = thp_switch_smallest();
  int ends[2];
  char byte, path[96];
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  pid_t child = fork();
  if (!child) lock_as_nobody(thp_switch_path(kind->bytes, path), ends[1]);
  close(ends[1]);
  CU_ASSERT_EQUAL(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  struct hp_reservation *held = hp_pool_reserve(kind, MIB);
  CU_ASSERT_PTR_NOT_NULL(held);
  hp_pool_release(held);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "never");
  held = hp_pool_reserve_alone(kind, HP_THP_ASKS_ALWAYS);
  CU_ASSERT_PTR_NOT_NULL(held);
  hp_pool_release(held);
  CU_ASSERT_STRING_EQUAL(thp_switch_choice(kind->bytes), "never");
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

static const struct check_test real_tests[] = {
    {"the last of two reservations restores", test_last_of_two_restores},
    {"a switch that is on is left alone", test_on_is_left_alone},
    {"a choice of somebody else stays", test_choice_of_somebody_else_stays},
    {"release restores without a guardian",
     test_release_restores_without_guardian},
    {"a killed process' switch is restored", test_death_restores},
    {"each size is granted, and nothing collapses it",
     test_each_size_is_granted},
    {"other pages are not taken for it", test_other_pages_are_not_taken_for_it},
    {"counts prove it to who may not see frames",
     test_counts_prove_without_rights},
    {"only root may set a switch", test_only_root_switches},
    {"locks of other users keep nothing", test_locks_of_others_keep_nothing},
    {0},
};
const struct check_suite suite_sized_thp_real = {"sized thp: this machine",
                                                 real_tests, thp_switches_skip};
