/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of this machine, read for real. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "experiments/machine/counter_backend.h"
#include "experiments/machine/counters.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/suites.h"

/* Nothing but these stores may fault while counting, so no shadow memory. */
__attribute__((no_sanitize("address", "undefined"))) static void touch(
    volatile unsigned char *memory, size_t pages, size_t page_bytes) {
  for (size_t i = 0; i < pages; i++) memory[i * page_bytes] = 1;
}

/* Faults counted while touching `pages` fresh base pages. */
static uint64_t faults_of(struct counters *c, size_t pages) {
  uint64_t values[COUNTERS_MAX];
  size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  size_t bytes = pages * page_bytes;
  unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CU_ASSERT_FATAL(memory != MAP_FAILED);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  CU_ASSERT_EQUAL(counters_start(c), 0);
  touch(memory, pages, page_bytes);
  CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  munmap(memory, bytes);
  return values[0];
}

static void test_page_faults_are_the_pages_touched(void) {
  static const char *const name = "page_faults";
  struct counters *c = counters_open(NULL, &name, 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  faults_of(c, 1); /* our own code is mapped in the first time */
  for (size_t pages = 1; pages <= 10000; pages *= 10)
    CU_ASSERT_EQUAL(faults_of(c, pages), pages);
  counters_close(c);
}

static const char *skip_page_faults(void) {
  static char why[sizeof(struct counter_info)];
  static const char *const name = "page_faults";
  if (running_on_valgrind()) return "the faults would be Valgrind's";
  struct counters *c = counters_open(NULL, &name, 1);
  if (!c) return "no memory";
  strcpy(why, counters_info(c, 0)->why);
  counters_close(c);
  return *why ? why : NULL;
}

static const struct check_test page_fault_tests[] = {
    {"page faults are the pages touched",
     test_page_faults_are_the_pages_touched},
    {0}};

const struct check_suite suite_counters_page_faults = {
    "counters: page faults", page_fault_tests, skip_page_faults};

/* A spin of known length: the values can be bounded from below only. */
static void test_hardware_counts_grow_with_work(void) {
  static const char *const names[] = {"cycles", "instructions"};
  struct counters *c = counters_open(NULL, names, 2);
  uint64_t values[COUNTERS_MAX], work = 10000000;
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL(counters_start(c), 0);
  for (volatile uint64_t i = 0; i < work; i++) continue;
  CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  if (counters_info(c, 1)->present) CU_ASSERT_TRUE(values[1] > 2 * work);
  if (counters_info(c, 0)->present) CU_ASSERT_TRUE(values[0] > work / 8);
  counters_close(c);
}

/* More than a processor has counters for: what is there starts, each time. */
static void all_quantities_count(const struct counter_site *site) {
  struct counters *c = counters_open_at(site, NULL, 0);
  uint64_t values[COUNTERS_MAX];
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  for (int i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(counters_start(c), 0);
    for (volatile int k = 0; k < 1000000; k++) continue;
    CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  }
  for (size_t i = 0; i < counters_count(c); i++)
    CU_ASSERT_PTR_NULL(strstr(counters_info(c, i)->why, "another user"));
  counters_close(c);
}

static void test_all_quantities_count_at_once(void) {
  struct counter_site site;
  counter_site_read(&site);
  all_quantities_count(&site);
  site.events_at_once = SIZE_MAX;
  all_quantities_count(&site);
  all_quantities_count(&site);
}

/*
 * A walk for a load of each of 2^16 pages: no TLB of the table holds a quarter
 * of those, in whatever order.  Walks done for nothing come on top.
 */
enum { WALK_PAGES = 1 << 16, WALK_PASSES = 8 };
static void test_walks_are_the_pages_missed(void) {
  static const char *const name = "walks_4k";
  struct counters *c = counters_open(NULL, &name, 1);
  uint64_t values[COUNTERS_MAX], at = 1;
  size_t bytes = (size_t)WALK_PAGES << 12;
  volatile unsigned char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_FATAL(memory != MAP_FAILED);
  madvise((void *)memory, bytes, MADV_NOHUGEPAGE);
  for (size_t page = 0; page < WALK_PAGES; page++) memory[page << 12] = 1;
  CU_ASSERT_EQUAL(counters_start(c), 0);
  for (int i = 0; i < WALK_PASSES * WALK_PAGES; i++) {
    at = at * 6364136223846793005U + 1442695040888963407U;
    (void)memory[at >> 48 << 12];
  }
  CU_ASSERT_EQUAL(counters_stop(c, values), 0);
  munmap((void *)memory, bytes);
  if (counters_info(c, 0)->present) {
    CU_ASSERT_TRUE(values[0] > WALK_PASSES * WALK_PAGES / 4 * 3);
    CU_ASSERT_TRUE(values[0] < WALK_PASSES * WALK_PAGES * 3);
  }
  counters_close(c);
}

static const char *skip_pmu(void) {
  struct counter_site site;
  counter_site_read(&site);
  return site.pmu ? NULL : "this machine shows no PMU";
}

static const struct check_test pmu_tests[] = {
    {"hardware counts grow with work", test_hardware_counts_grow_with_work},
    {"all quantities count at once", test_all_quantities_count_at_once},
    {"walks are the pages missed", test_walks_are_the_pages_missed},
    {0}};

const struct check_suite suite_counters_pmu = {"counters: PMU", pmu_tests,
                                               skip_pmu};
