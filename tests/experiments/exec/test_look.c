/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What vat exec and its library see in smaps, and what is reported of it. */
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiments/exec/granted.h"
#include "experiments/exec/look.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static const char mib = 20;

/* What is looked at: text, in a file without a name. */
static void look_at_text(const char *text, const struct rules *rules,
                         const struct ranges *ranges, struct look_sum *sums) {
  int fd = memfd_create("smaps", MFD_CLOEXEC);
  size_t length = strlen(text);
  CU_ASSERT_FATAL(fd >= 0 && write(fd, text, length) == (ssize_t)length);
  lseek(fd, 0, SEEK_SET);
  look_at(fd, rules, ranges, sums, NULL, NULL);
  close(fd);
}

static const char smaps[] =
    "555555500000-555555d00000 rw-p 00000000 00:00 0      [heap]\n"
    "Rss:                4096 kB\n"
    "AnonHugePages:      2048 kB\n"
    "THPeligible:           1\n"
    "7f0000000000-7f0001000000 rw-p 00000000 00:00 0 \n"
    "Rss:               16384 kB\n"
    "AnonHugePages:     16384 kB\n"
    "THPeligible:           1\n"
    "7f1000000000-7f1000800000 rw-p 00000000 00:00 0 \n"
    "Rss:                8192 kB\n"
    "AnonHugePages:         0 kB\n"
    "THPeligible:           0\n"
    "7f2000000000-7f2000400000 rw-p 00000000 00:0e 99     /anon_hugepage "
    "(deleted)\n"
    "Rss:                   0 kB\n"
    "AnonHugePages:         0 kB\n"
    "KernelPageSize:     2048 kB\n"
    "Private_Hugetlb:    4096 kB\n"
    "7f3000000000-7f3000400000 r--p 00000000 08:01 7      /srv/x/model.bin\n"
    "Rss:                4096 kB\n"
    "FilePmdMapped:      2048 kB\n"
    "7ffc00000000-7ffc00100000 rw-p 00000000 00:00 0      [stack]\n"
    "Rss:                  64 kB\n";

/* By name and kind: what was not advised counts for nobody. */
static void test_mappings_count_by_what_they_are(void) {
  struct rules rules;
  struct ranges *ranges = calloc(1, sizeof *ranges);
  struct look_sum sums[4] = {{0}};
  rules_read(&rules, "mappings:1:100000;file:2:model.bin;stack:3");
  ranges->choices = rules.choices;
  look_at_text(smaps, &rules, ranges, sums);
  CU_ASSERT_EQUAL(sums[0].asked, 0);
  CU_ASSERT_EQUAL(sums[1].asked, (16 + 4) << mib);
  CU_ASSERT_EQUAL(sums[1].granted, 16 << mib);
  CU_ASSERT_EQUAL(sums[1].other, 4 << mib);
  CU_ASSERT_EQUAL(sums[2].asked, 4 << mib);
  CU_ASSERT_EQUAL(sums[2].granted, 2 << mib);
  CU_ASSERT_EQUAL(sums[2].small, 0);
  CU_ASSERT_EQUAL(sums[2].ends, 0);
  CU_ASSERT_EQUAL(sums[3].small, 64 << 10);
  CU_ASSERT_EQUAL(sums[3].asked, 64 << 10);
  CU_ASSERT_EQUAL(sums[3].granted, 0);
  free(ranges);
}

/* The heap here has 8 MiB from 1 MiB above a multiple of 2 MiB on. */
static void test_base_pages_at_ends_are_told_apart(void) {
  struct rules rules;
  struct ranges *ranges = calloc(1, sizeof *ranges);
  struct look_sum sums[1] = {{0}};
  rules_read(&rules, "heap:0");
  ranges->choices = rules.choices;
  look_at_text(
      "555555500000-555555d00000 rw-p 00000000 00:00 0      [heap]\n"
      "Rss:                8192 kB\n"
      "AnonHugePages:      2048 kB\n",
      &rules, ranges, sums);
  CU_ASSERT_EQUAL(sums[0].asked - sums[0].granted, 6 << mib);
  CU_ASSERT_EQUAL(sums[0].small, 0);
  CU_ASSERT_EQUAL(sums[0].ends, 2 << mib);
  free(ranges);
}

static bool says(const struct plan_choice *choice, const struct hp_kind *kind,
                 struct look_sum sum, const char *words) {
  char *text = granted_why(choice, kind, &sum);
  bool found = words ? text && strstr(text, words) : !text;
  if (!found) printf("\n    why: %s\n", text ? text : "none");
  free(text);
  return found;
}

/* Whenever something lacks there is a reason, the largest first. */
static void test_what_lacks_has_a_reason(void) {
  struct plan_choice heap = {.what = PLAN_HEAP}, stack = {.what = PLAN_STACK};
  const struct hp_kind *thp = hp_kind_find("thp");
  CU_ASSERT_FATAL(thp != NULL);
  const uint64_t all = 100 << mib;
  CU_ASSERT(
      says(&heap, thp, (struct look_sum){.asked = all, .granted = all}, NULL));
  CU_ASSERT(says(
      &heap, thp,
      (struct look_sum){.asked = all, .granted = all - 4096, .ends = 1 << mib},
      "4096 bytes lie at the ends of the heap"));
  CU_ASSERT(says(&heap, thp,
                 (struct look_sum){.asked = all,
                                   .granted = all - (3 << mib),
                                   .small = 2 << mib,
                                   .ends = 1 << mib},
                 "2097152 bytes lie in parts of the heap smaller than"));
  CU_ASSERT(says(&heap, thp,
                 (struct look_sum){.asked = all, .granted = 0, .ends = 4096},
                 "had none free"));
  CU_ASSERT(says(&stack, thp,
                 (struct look_sum){.asked = 8192, .granted = 0, .small = 8192},
                 "8192 bytes lie at the top of the stack"));
}

/* What has room and is not huge has the reason that the library saw. */
static void test_code_has_its_own_reasons(void) {
  struct plan_choice text = {.what = PLAN_TEXT};
  const struct hp_kind *thp = hp_kind_find("thp");
  struct look_sum sum = {
      .asked = 9 << mib, .small = 2 << mib, .ends = 1 << mib};
  static const struct {
    uint64_t flags;
    const char *words;
  } cases[] = {{LOOK_CONFINED,
                "6291456 bytes could be on huge pages, but the "
                "program began in a sandbox"},
               {LOOK_THREADS, "threads before main()"},
               {LOOK_NO_EXEC, "MemoryDenyWriteExecute"},
               {LOOK_SANDBOX, "the kernel had none free"},
               {0, "2097152 bytes lie in code that does not fill 2 MiB"}};
  CU_ASSERT_FATAL(thp != NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sum.flags = cases[i].flags;
    CU_ASSERT(says(&text, thp, sum, cases[i].words));
  }
  CU_ASSERT(
      says(&text, thp, (struct look_sum){.flags = LOOK_DONE}, "of that name"));
}

static void test_what_nobody_saw_has_no_other_reason(void) {
  struct plan_choice choice = {0};
  const struct hp_kind *thp = hp_kind_find("thp");
  CU_ASSERT_FATAL(thp != NULL);
  for (choice.what = 0; choice.what < PLAN_WHATS; choice.what++) {
    CU_ASSERT(says(&choice, thp, (struct look_sum){0}, "was not seen: "));
    CU_ASSERT_FALSE(says(&choice, thp, (struct look_sum){.flags = LOOK_DONE},
                         "was not seen: "));
  }
}

/* Pages of a pool of that size, and no others. */
static void test_only_the_kind_asked_for_is_granted(void) {
  struct rules rules;
  struct ranges *ranges = calloc(1, sizeof *ranges);
  struct look_sum sums[1] = {{0}};
  rules_read(&rules, "mappings:0:100000");
  ranges->choices = rules.choices;
  ranges->lg_huge = 21;
  look_at_text(smaps, &rules, ranges, sums);
  CU_ASSERT_EQUAL(sums[0].granted, 4 << mib);
  CU_ASSERT_EQUAL(sums[0].other, 16 << mib);
  sums[0] = (struct look_sum){0};
  ranges->lg_huge = 30;
  look_at_text(smaps, &rules, ranges, sums);
  CU_ASSERT_EQUAL(sums[0].granted, 0);
  CU_ASSERT_EQUAL(sums[0].other, (16 + 4) << mib);
  free(ranges);
}

/* [heap] has 8 MiB from half of 64 KiB on.  Nobody tells frames here. */
static void test_sizes_between_need_frames(void) {
  struct rules rules;
  struct ranges *ranges = calloc(1, sizeof *ranges);
  struct look_sum sums[2] = {{0}};
  rules_read(&rules, "heap:0;mappings:1:100000");
  ranges->choices = rules.choices;
  ranges->lg_small = 16;
  look_at_text(
      "555555508000-555555d08000 rw-p 00000000 00:00 0      [heap]\n"
      "Rss:                8192 kB\n"
      "AnonHugePages:      2048 kB\n",
      &rules, ranges, sums);
  CU_ASSERT_EQUAL(sums[0].asked, 8 << mib);
  CU_ASSERT_EQUAL(sums[0].granted, 0);
  CU_ASSERT_EQUAL(sums[0].other, 2 << mib);
  CU_ASSERT_EQUAL(sums[0].ends, 64 << 10);
  CU_ASSERT_EQUAL(sums[0].small, 0);
  CU_ASSERT_EQUAL(sums[0].flags, LOOK_UNSEEN | LOOK_DONE);
  free(ranges);
}

static void test_page_faults_are_divided_by_room(void) {
  struct look_sum sums[3] = {
      {.asked = 5 << mib, .ends = 1 << mib, .flags = LOOK_UNSEEN},
      {.asked = 16 << mib, .flags = LOOK_UNSEEN},
      {.asked = 8 << mib, .granted = 7 << mib}};
  const size_t page = 64 << 10; /* 16 in a MiB, so 320 have room */
  const struct hp_thp_faults before = {1000, 10};
  const struct hp_thp_faults most = {1000 + 240, 10}, all = {1320, 10},
                             missed = {1320, 10 + 320};
  granted_by_faults(sums, 3, page, &before, &missed);
  CU_ASSERT_EQUAL(sums[0].granted + sums[1].granted, 0);
  granted_by_faults(sums, 3, page, &before, &most);
  CU_ASSERT_EQUAL(sums[0].granted, 3 << mib);
  CU_ASSERT_EQUAL(sums[1].granted, 12 << mib);
  CU_ASSERT_EQUAL(sums[2].granted, 7 << mib); /* which was seen */
  sums[0].granted = sums[1].granted = 0;
  granted_by_faults(sums, 3, page, &before, &all);
  CU_ASSERT_EQUAL(sums[0].granted, 4 << mib);
  CU_ASSERT_EQUAL(sums[1].granted, 16 << mib);
}

/* What malloc() maps is only known by what the program's mappings are. */
static void test_with_the_heap_mappings_are_those_recorded(void) {
  struct rules rules;
  struct ranges *ranges = calloc(1, sizeof *ranges);
  struct look_sum sums[2] = {{0}};
  const struct range record = {
      .start = 0x7f0000000000, .bytes = 4 << mib, .choice = 1};
  rules_read(&rules, "heap:0;mappings:1:100000");
  ranges->choices = rules.choices;
  CU_ASSERT_EQUAL(ranges_add(ranges, &record), 0);
  look_at_text(smaps, &rules, ranges, sums);
  CU_ASSERT_EQUAL(sums[0].asked, (4 + 12 + 4) << mib);
  CU_ASSERT_EQUAL(sums[1].asked, 4 << mib);
  munmap(ranges->chunk[0], RANGES_CHUNK * sizeof(struct range));
  free(ranges);
}

/* A mapping with blocks of two choices, an arena and a rest, by lengths. */
static void test_recorded_memory_counts_by_its_record(void) {
  struct rules rules;
  struct ranges *ranges = calloc(1, sizeof *ranges);
  struct look_sum sums[3] = {{0}};
  const uintptr_t start = 0x7f0000000000;
  rules_read(&rules, "mappings:2:0;chain:0:0:1:0:0;chain:1:0:1:0:0");
  ranges->choices = 3;
  ranges->cut[0] = 300;
  ranges->cut[1] = 100;
  const struct range records[] = {{start, 4 << mib, start, 4 << mib, 0},
                                  {start + (4 << mib), 8 << mib,
                                   start + (4 << mib), 8 << mib, RANGES_ARENA}};
  CU_ASSERT_EQUAL(ranges_add(ranges, &records[0]), 0);
  CU_ASSERT_EQUAL(ranges_add(ranges, &records[1]), 1);
  look_at_text(smaps, &rules, ranges, sums);
  CU_ASSERT_EQUAL(sums[0].asked, (4 + 6) << mib);
  CU_ASSERT_EQUAL(sums[0].granted, (4 + 6) << mib);
  CU_ASSERT_EQUAL(sums[1].asked, 2 << mib);
  CU_ASSERT_EQUAL(sums[2].asked, (4 + 4) << mib);
  munmap(ranges->chunk[0], RANGES_CHUNK * sizeof(struct range));
  free(ranges);
}

static uint64_t asked_of(const struct segments *segments, uint32_t choice) {
  uint64_t sum = 0;
  for (int i = 0; i < SEGMENTS; i++)
    if (segments->at[i].key && segment_choice(&segments->at[i]) == choice)
      sum += segments->at[i].asked;
  return sum;
}

/* Of one place the most counts, whoever saw it; other places, devices and
 * choices count beside it. */
static void test_shared_memory_counts_once(void) {
  static struct segments one, two;
  struct segment_place place = {1, 7, 0, 3};
  CU_ASSERT(segments_keep(&one, &place, 100, 20));
  CU_ASSERT(segments_keep(&one, &place, 60, 40));
  CU_ASSERT_EQUAL(asked_of(&one, 3), 100);
  place.offset = 4096;
  CU_ASSERT(segments_keep(&one, &place, 1, 0));
  place.device = 2;
  CU_ASSERT(segments_keep(&one, &place, 1, 0));
  place.inode = 8;
  CU_ASSERT(segments_keep(&one, &place, 1, 0));
  CU_ASSERT_EQUAL(asked_of(&one, 3), 103);
  place.choice = 4;
  CU_ASSERT(segments_keep(&one, &place, 5, 0));
  CU_ASSERT_EQUAL(asked_of(&one, 3), 103);
  CU_ASSERT_EQUAL(asked_of(&one, 4), 5);
  CU_ASSERT(segments_keep(&two, &place, 9, 9));
  segments_merge(&one, &two);
  segments_merge(&one, &one);
  CU_ASSERT_EQUAL(asked_of(&one, 3), 103);
  CU_ASSERT_EQUAL(asked_of(&one, 4), 9);
}

/* A full table takes what it knows, and nothing else. */
static void test_shared_memory_of_too_many_places(void) {
  static struct segments all;
  struct segment_place place = {0, 0, 0, 0};
  for (place.inode = 0; place.inode < SEGMENTS; place.inode++)
    CU_ASSERT_FATAL(segments_keep(&all, &place, 1, 1));
  CU_ASSERT(!segments_keep(&all, &place, 1, 1));
  place.inode = 5;
  CU_ASSERT(segments_keep(&all, &place, 2, 1));
  CU_ASSERT_EQUAL(asked_of(&all, 0), SEGMENTS + 1);
}

static const char smaps_shared[] =
    "7f0000000000-7f0001000000 rw-s 00200000 00:01 1024  /dev/zero (deleted)\n"
    "Rss:               16384 kB\n"
    "ShmemPmdMapped:     8192 kB\n"
    "7f1000000000-7f1001000000 rw-p 00200000 00:01 1024  /memfd:x (deleted)\n"
    "Rss:                2048 kB\n";

/* Two looks, the second at half of it: private memory adds up. */
static void test_looks_at_shared_memory_count_it_once(void) {
  struct rules rules;
  struct ranges *ranges = calloc(1, sizeof *ranges);
  static struct segments segments;
  struct look_sum sums[1] = {{0}};
  rules_read(&rules, "shared:0:0");
  ranges->choices = 1;
  const struct range whole = {0x7f0000000000, 16 << mib, 0, 0, 0};
  const struct range copy = {0x7f1000000000, 16 << mib, 0, 0, 0};
  ranges_add(ranges, &whole);
  ranges_add(ranges, &copy);
  for (int look = 0; look < 2; look++) {
    int fd = memfd_create("smaps", MFD_CLOEXEC);
    size_t length = sizeof smaps_shared - 1;
    CU_ASSERT_FATAL(write(fd, smaps_shared, length) == (ssize_t)length);
    lseek(fd, 0, SEEK_SET);
    look_at(fd, &rules, ranges, sums, &segments, NULL);
    close(fd);
  }
  CU_ASSERT_EQUAL(asked_of(&segments, 0), 16 << mib);
  CU_ASSERT_EQUAL(sums[0].asked, 4 << mib);
  CU_ASSERT_EQUAL(sums[0].granted, 0);
  munmap(ranges->chunk[0], RANGES_CHUNK * sizeof(struct range));
  free(ranges);
}

static void test_records_are_used_again(void) {
  struct ranges *ranges = calloc(1, sizeof *ranges);
  struct range record = {4096, 10, 4096, 4096, 0};
  for (uint32_t i = 0; i < 2000; i++)
    CU_ASSERT_EQUAL(ranges_add(ranges, &record), i);
  CU_ASSERT_EQUAL(ranges->live, 20000);
  ranges_remove(ranges, 7);
  ranges_remove(ranges, 1500);
  CU_ASSERT_EQUAL(ranges_add(ranges, &record), 7);
  CU_ASSERT_EQUAL(ranges_add(ranges, &record), 1500);
  CU_ASSERT_EQUAL(ranges_add(ranges, &record), 2000);
  CU_ASSERT_EQUAL(ranges->used, 2001);
  for (int i = 0; i < 2; i++)
    munmap(ranges->chunk[i], RANGES_CHUNK * sizeof(struct range));
  free(ranges);
}

/* The memory that granted_begin() shares with the program's processes. */
static struct look_area *area_of(const struct granted *granted) {
  size_t bytes = look_area_bytes(1, LOOK_SLOTS);
  int fd = open(granted_path(granted), O_RDWR | O_CLOEXEC);
  void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CU_ASSERT_FATAL(fd >= 0 && map != MAP_FAILED);
  close(fd);
  return map;
}

/* Memory of this process, recorded as a choice's.  A container has numbers of
 * its own: its process of this number is another one. */
static void test_a_process_of_a_container_is_not_looked_at(void) {
  struct look_sum sum;
  struct stat space;
  struct granted *granted = granted_begin("mappings:0:0;");
  CU_ASSERT_FATAL(granted && !stat("/proc/self/ns/pid", &space));
  struct look_area *area = area_of(granted);
  struct look_slot *slot = look_slot_at(area, 0);
  struct ranges *ranges = calloc(1, sizeof *ranges);
  size_t bytes = 1 << mib;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CU_ASSERT_FATAL(memory != MAP_FAILED);
  memset(memory, 1, bytes);
  struct range record = {(uintptr_t)memory, bytes, 0, 0, 0};
  ranges_add(ranges, &record);
  slot->pid = getpid();
  slot->space = space.st_ino + 1;
  slot->ranges = (uintptr_t)ranges;
  granted_look(granted);
  granted_sums(granted, true, &sum);
  CU_ASSERT_EQUAL(sum.asked, 0);
  slot->space = space.st_ino;
  granted_look(granted);
  granted_sums(granted, true, &sum);
  CU_ASSERT_EQUAL(sum.asked, bytes);
  /* Nobody has this number here. */
  slot->pid = INT_MAX;
  slot->space++;
  granted_look(granted);
  CU_ASSERT_EQUAL(slot->pid, INT_MAX);
  slot->space--;
  granted_look(granted);
  CU_ASSERT_EQUAL(slot->pid, 0);
  munmap(ranges->chunk[0], RANGES_CHUNK * sizeof(struct range));
  free(ranges);
  munmap(memory, bytes);
  munmap(area, look_area_bytes(1, LOOK_SLOTS));
  granted_end(granted);
}

static const struct check_test tests[] = {
    {"mappings count by what they are", test_mappings_count_by_what_they_are},
    {"base pages at ends are told apart",
     test_base_pages_at_ends_are_told_apart},
    {"code has its own reasons", test_code_has_its_own_reasons},
    {"what nobody saw has no other reason",
     test_what_nobody_saw_has_no_other_reason},
    {"what lacks has a reason", test_what_lacks_has_a_reason},
    {"only the kind asked for is granted",
     test_only_the_kind_asked_for_is_granted},
    {"sizes between need frames", test_sizes_between_need_frames},
    {"page faults are divided by room", test_page_faults_are_divided_by_room},
    {"with the heap, mappings are those that are recorded",
     test_with_the_heap_mappings_are_those_recorded},
    {"recorded memory counts by its record",
     test_recorded_memory_counts_by_its_record},
    {"shared memory counts once", test_shared_memory_counts_once},
    {"shared memory of too many places", test_shared_memory_of_too_many_places},
    {"looks at shared memory count it once",
     test_looks_at_shared_memory_count_it_once},
    {"records are used again", test_records_are_used_again},
    {"a process of a container is not looked at",
     test_a_process_of_a_container_is_not_looked_at},
    {NULL, NULL},
};

const struct check_suite suite_look = {
    .name = "look",
    .tests = tests,
};
