/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "experiments/compare/comparison.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static void add(struct backing *backing, const char *text) {
  FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(backing_add(backing, file, NULL), 0);
  fclose(file);
}

static struct backing of(const char *text) {
  struct backing backing = {0};
  add(&backing, text);
  return backing;
}

/* 8 MiB and 4 KiB from 1 MiB before a boundary of 2 MiB: three whole pages. */
static const char heap[] =
    "555555500000-555555d01000 rw-p 00000000 00:00 0      [heap]\n"
    "Rss:                8196 kB\n"
    "Anonymous:          8196 kB\n"
    "KernelPageSize:        4 kB\n"
    "AnonHugePages:      6144 kB\n";

static void test_a_heap_is_open_but_for_its_ends(void) {
  struct backing backing = of(heap);
  CU_ASSERT_EQUAL(backing.own.thp, 6 * MIB);
  CU_ASSERT_EQUAL(backing.own.base, 2 * MIB + 4 * KIB);
  CU_ASSERT_EQUAL(backing.open, 6 * MIB);
  CU_ASSERT_EQUAL(backing.edges, 2 * MIB + 4 * KIB);
  CU_ASSERT_EQUAL(backing.files + backing.stacks, 0);
  CU_ASSERT_EQUAL(backing_of_kind(&backing, hp_kind_find("thp")), 6 * MIB);
  CU_ASSERT_EQUAL(backing_of_kind(&backing, hp_kind_base()), 0);
  CU_ASSERT_EQUAL(backing_of_kind(&backing, hp_kind_find("2m")), 0);
}

static void test_files_and_stacks_are_not_open(void) {
  struct backing backing = of(
      "7f0000000000-7f0000800000 r-xp 00000000 fd:01 42  /usr/lib/libc.so.6\n"
      "Rss:                4096 kB\n"
      "7f0001000000-7f0001800000 rw-s 00000000 fd:01 43  /var/map\n"
      "Rss:                2048 kB\n"
      "7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0   [stack]\n"
      "Rss:                 132 kB\n");
  CU_ASSERT_EQUAL(backing.files, 6 * MIB);
  CU_ASSERT_EQUAL(backing.stacks, 132 * KIB);
  CU_ASSERT_EQUAL(backing.open, 0);
  CU_ASSERT_EQUAL(backing.own.base, 6 * MIB + 132 * KIB);
  CU_ASSERT_EQUAL(backing.processes, 1);
}

static void test_hugetlb_pages_are_not_in_rss(void) {
  struct backing backing =
      of("7f0000000000-7f0004000000 rw-p 00000000 00:0f 1 /anon_hugepage "
         "(deleted)\n"
         "Rss:                   0 kB\n"
         "KernelPageSize:     2048 kB\n"
         "Private_Hugetlb:   65536 kB\n"
         "7f0040000000-7f0080000000 rw-p 00000000 00:0f 1 /anon_hugepage "
         "(deleted)\n"
         "KernelPageSize:  1048576 kB\n"
         "Private_Hugetlb: 1048576 kB\n");
  CU_ASSERT_EQUAL(backing.own.hugetlb2m, 64 * MIB);
  CU_ASSERT_EQUAL(backing.own.hugetlb1g, GIB);
  CU_ASSERT_EQUAL(backing.open, GIB + 64 * MIB);
  CU_ASSERT_EQUAL(backing.edges, 0);
  CU_ASSERT_EQUAL(backing_total(&backing), GIB + 64 * MIB);
  CU_ASSERT_EQUAL(backing_of_kind(&backing, hp_kind_find("1g")), GIB);
}

/* Two processes that share a segment, cut in two mappings, and hugetlb pages;
 * the first has touched less. */
static void test_shared_memory_counts_once(void) {
  struct backing backing = {0};
  add(&backing,
      "7f0001000000-7f0001800000 rw-s 00000000 00:01 43  /dev/zero (deleted)\n"
      "Rss:                2048 kB\n");
  add(&backing,
      "7f0001000000-7f0001400000 r--s 00000000 00:01 43  /dev/zero (deleted)\n"
      "Rss:                4096 kB\n"
      "7f0001400000-7f0001800000 rw-s 00400000 00:01 43  /dev/zero (deleted)\n"
      "Rss:                4096 kB\n"
      "ShmemPmdMapped:     2048 kB\n"
      "7f0002000000-7f0004000000 rw-s 00000000 00:0f 43  /anon_hugepage "
      "(deleted)\n"
      "KernelPageSize:     2048 kB\n"
      "Shared_Hugetlb:    32768 kB\n");
  add(&backing,
      "7f0002000000-7f0004000000 rw-s 00000000 00:0f 43  /anon_hugepage "
      "(deleted)\n"
      "KernelPageSize:     2048 kB\n"
      "Shared_Hugetlb:    32768 kB\n");
  struct backing_pages shared = backing_shared(&backing);
  CU_ASSERT_EQUAL(shared.base, 6 * MIB);
  CU_ASSERT_EQUAL(shared.thp, 2 * MIB);
  CU_ASSERT_EQUAL(shared.hugetlb2m, 32 * MIB);
  CU_ASSERT_EQUAL(backing_total(&backing), 40 * MIB);
  CU_ASSERT_EQUAL(backing_on_base_pages(&backing), 6 * MIB);
  CU_ASSERT_EQUAL(backing.files + backing.open, 0);
}

/* Of more segments than there are places the rest is one. */
static void test_many_segments_are_counted(void) {
  struct backing backing = {0};
  char text[200];
  for (int processes = 0; processes < 2; processes++) {
    char all[40 * sizeof text] = "";
    for (int i = 1; i <= 40; i++) {
      snprintf(text, sizeof text,
               "7f%02d01000000-7f%02d01800000 rw-s 00000000 00:01 %d /memfd:a\n"
               "Rss: 1024 kB\n",
               i, i, i);
      strcat(all, text);
    }
    add(&backing, all);
  }
  CU_ASSERT_EQUAL(backing_total(&backing), 40 * MIB);
}

/* A process with much shared memory at its exit, and the peak before. */
static void test_looks_go_by_what_can_be_huge(void) {
  struct backing exit = {.open = 8 * MIB, .own.base = GIB};
  struct backing peak = {.open = 100 * MIB, .own.base = 200 * MIB};
  CU_ASSERT(backing_shows_more(&peak, &exit));
  CU_ASSERT(!backing_shows_more(&exit, &peak));
  peak.open = 9 * MIB;
  CU_ASSERT(backing_shows_more(&exit, &peak));
}

static void test_processes_add_up(void) {
  struct backing one = of(heap), two = one;
  add(&two, heap);
  CU_ASSERT_EQUAL(two.processes, 2);
  CU_ASSERT_EQUAL(two.open, 2 * one.open);
  CU_ASSERT_EQUAL(backing_total(&two), 2 * backing_total(&one));
}

/* No line makes sums overflow or claim more than the mapping. */
static void test_nonsense_is_bounded(void) {
  struct backing backing =
      of("nonsense\nRss: 5 kB\n"
         "200000-400000 rw-p\n"
         "Rss: 99999999999999999999 kB\n"
         "AnonHugePages: 99999999999999999999 kB\n"
         "Private_Hugetlb: 18446744073709551615 kB\n");
  CU_ASSERT(backing_total(&backing) <= 2 * MIB);
  CU_ASSERT(backing.open <= 2 * MIB);
  backing = of("");
  CU_ASSERT_EQUAL(backing_total(&backing), 0);
}

static void test_what_counts_as_granted(void) {
  struct backing backing = {.open = 100 * MIB, .processes = 1};
  CU_ASSERT(granted_ok(&backing, hp_kind_base(), 0));
  CU_ASSERT_FALSE(granted_ok(&backing, hp_kind_find("thp"), 0));
  backing.granted.thp = 30 * MIB;
  CU_ASSERT(granted_ok(&backing, hp_kind_find("thp"), 0));
  CU_ASSERT_FALSE(granted_ok(&backing, hp_kind_base(), 0));
  CU_ASSERT_FALSE(granted_ok(&backing, hp_kind_find("2m"), 0));
  CU_ASSERT_DOUBLE_EQUAL(granted_share(&backing, hp_kind_find("thp"), 0), 0.3,
                         1e-12);
  backing = (struct backing){.open = 2 * MIB, .processes = 1};
  CU_ASSERT(granted_ok(&backing, hp_kind_find("thp"),
                       0)); /* there is nothing to give it to */
  CU_ASSERT(isnan(granted_share(&backing, hp_kind_find("thp"), 0)));
}

/* A page of a GiB for 40 MiB, and 60 MiB that stayed on base pages. */
static void test_room_in_a_huge_page_is_not_coverage(void) {
  struct backing backing = {
      .open = GIB + 60 * MIB, .granted.hugetlb1g = GIB, .processes = 1};
  CU_ASSERT_DOUBLE_EQUAL(granted_share(&backing, hp_kind_find("1g"), 100 * MIB),
                         0.4, 1e-12);
  CU_ASSERT(granted_ok(&backing, hp_kind_find("1g"), 100 * MIB));
  backing.open = GIB + 80 * MIB;
  CU_ASSERT_FALSE(granted_ok(&backing, hp_kind_find("1g"), 100 * MIB));
  backing.open = GIB + 120 * MIB; /* it grew: none, not less */
  CU_ASSERT_DOUBLE_EQUAL(granted_share(&backing, hp_kind_find("1g"), 100 * MIB),
                         0, 0);
  CU_ASSERT(isnan(granted_share(&backing, hp_kind_find("1g"), MIB)));
}

/* A process whose frames nobody told: of what it has, as much is on pages of
 * 64 KiB as the faults of the run prove, and no byte more than there is. */
static void test_faults_prove_pages_between(void) {
  static const struct hp_thp_faults before = {10, 0}, some = {60, 0},
                                    many = {1000, 0}, missed = {106, 4};
  struct backing backing =
      of("7f0000000000-7f0000600000 rw-p 00000000 00:00 0\n"
         "Rss:                6144 kB\n");
  backing_count_sized(&backing, 64 * KIB, &before, &many);
  CU_ASSERT_EQUAL(backing.own.sized, 0); /* they were told: there are none */
  backing.unseen = 1;
  struct backing again = backing, most = backing;
  backing_count_sized(&backing, 64 * KIB, &before, &some);
  CU_ASSERT_EQUAL(backing.granted.sized, 50 * 64 * KIB);
  CU_ASSERT_EQUAL(backing.own.sized, 50 * 64 * KIB);
  CU_ASSERT_EQUAL(backing_total(&backing), 6 * MIB);
  CU_ASSERT_EQUAL(backing_on_base_pages(&backing), 6 * MIB - 50 * 64 * KIB);
  CU_ASSERT_EQUAL(backing_of_kind(&backing, hp_kind_base()),
                  6 * MIB - 50 * 64 * KIB);
  backing_count_sized(&again, 64 * KIB, &before, &missed);
  CU_ASSERT_EQUAL(again.granted.sized, 92 * 64 * KIB);
  backing_count_sized(&most, 64 * KIB, &before, &many);
  CU_ASSERT_EQUAL(most.granted.sized, 6 * MIB);
}

static const struct check_test tests[] = {
    {"a heap is open but for its ends", test_a_heap_is_open_but_for_its_ends},
    {"files and stacks are not open", test_files_and_stacks_are_not_open},
    {"shared memory counts once", test_shared_memory_counts_once},
    {"hugetlb pages are not in Rss", test_hugetlb_pages_are_not_in_rss},
    {"many segments are counted", test_many_segments_are_counted},
    {"looks go by what can be huge", test_looks_go_by_what_can_be_huge},
    {"processes add up", test_processes_add_up},
    {"nonsense is bounded", test_nonsense_is_bounded},
    {"what counts as granted", test_what_counts_as_granted},
    {"room in a huge page is not coverage",
     test_room_in_a_huge_page_is_not_coverage},
    {"faults prove pages between", test_faults_prove_pages_between},
    {NULL, NULL},
};

const struct check_suite suite_compare_backing = {
    .name = "compare: backing",
    .tests = tests,
};
