/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that are invented: their smaps, pagemap and kpageflags. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "experiments/pages/pages_watch.h"
#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "tests/experiments/suites.h"
#include "tests/huge_pages/fake_machine.h"

#define PRESENT (UINT64_C(1) << 63)
#define FILE_PAGE (UINT64_C(1) << 61)
#define EXCLUSIVE (UINT64_C(1) << 56)
#define THP "/sys/kernel/mm/transparent_hugepage/"
#define KIB ((size_t)1024)

static const char *skip(void) {
  return hp_base_page_bytes() == 4096
             ? NULL
             : "the invented processes have 4 KiB pages";
}

/* A process whose memory is 0x400000 to 0x600000, at most one huge page, and
 * what smaps says of it. */
static void start(void) {
  fake_machine_start();
  fake_machine_write(THP "enabled", "[always] madvise never\n");
  fake_machine_write(THP "hpage_pmd_size", "2097152\n");
}

static void add_process(int pid, const char *smaps) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  fake_machine_write(path, "Name:\tx\nState:\tS\nVmSize:\t9 kB\n");
  snprintf(path, sizeof path, "/proc/%d/smaps", pid);
  fake_machine_write(path, smaps);
  snprintf(path, sizeof path, "/proc/%d/pagemap", pid);
  fake_machine_write(path, "");
}

static void write_words(const char *path, size_t first, const uint64_t *words,
                        size_t count) {
  char full[4096];
  CU_ASSERT_EQUAL_FATAL(hp_kernel_path(path, full, sizeof full), 0);
  int file = open(full, O_WRONLY | O_CREAT, 0600);
  CU_ASSERT_TRUE_FATAL(file >= 0);
  CU_ASSERT_EQUAL(
      pwrite(file, words, count * sizeof *words, (off_t)(first * 8)),
      (ssize_t)(count * 8));
  close(file);
}

/* `count` base pages of the process from 0x400000 on are present, in frames
 * from `frame` on (0: not told), and the rest are not. */
static void add_pages(int pid, size_t count, uint64_t frame, uint64_t bits) {
  char path[64];
  uint64_t words[512] = {0};
  snprintf(path, sizeof path, "/proc/%d/pagemap", pid);
  for (size_t i = 0; i < count; i++)
    words[i] = PRESENT | bits | (frame ? frame + i : 0);
  write_words(path, 0x400, words, 512);
}

static struct pages_survey survey(const pid_t *pids, size_t count) {
  struct machine_facts machine;
  struct pages_survey result;
  pid_t copy[4];
  memcpy(copy, pids, count * sizeof *pids);
  struct process_list list = {.at = copy, .count = count};
  machine_facts_read(&machine);
  pages_survey_read(&result, &list, &machine);
  return result;
}
#define SURVEY(...)                    \
  survey((const pid_t[]){__VA_ARGS__}, \
         sizeof(const pid_t[]){__VA_ARGS__} / sizeof(pid_t))

static size_t why_of(const struct pages_whys *whys, const char *name) {
  for (size_t i = 0; i < whys->count; i++)
    if (!strcmp(whys->at[i].reason->name, name)) return whys->at[i].bytes;
  return 0;
}

static size_t why_sum(const struct pages_whys *whys) {
  size_t sum = 0;
  for (size_t i = 0; i < whys->count; i++) sum += whys->at[i].bytes;
  return sum;
}

/* In each mapping and in all, what is on each page size is all there is, and
 * what is not huge has a reason. */
static void adds_up(const struct process_pages *p) {
  size_t all = 0;
  for (size_t i = 0; i <= p->count; i++) {
    bool total = i == p->count;
    const struct pages_on *on = total ? &p->on : &p->mappings[i].on;
    const struct pages_whys *why = total ? &p->why : &p->mappings[i].why;
    size_t resident = total ? p->resident : p->mappings[i].resident, sum = 0;
    for (size_t k = 0; *on->kinds[k].name; k++) {
      sum += on->kinds[k].bytes;
      CU_ASSERT_TRUE(on->kinds[k].once <= on->kinds[k].bytes);
    }
    CU_ASSERT_EQUAL(sum, resident);
    CU_ASSERT_EQUAL(why_sum(why) + pages_on_of(on, "thp") +
                        pages_on_of(on, "2m") + pages_on_of(on, "64k"),
                    resident);
    all += total ? 0 : resident;
  }
  CU_ASSERT_EQUAL(all, p->resident);
}

static const char private_smaps[] =
    "00400000-00600000 rw-p 00000000 00:00 0\n"
    "Rss: 64 kB\nVmFlags: rd wr\n";

static void test_sizes_between(void) {
  uint64_t flags[17] = {0};
  for (size_t i = 0; i < 16; i++)
    flags[i] = UINT64_C(1) << (i % 4 ? 16 : 15); /* four of four pages */
  start();
  add_process(7, private_smaps);
  add_pages(7, 16, 32, EXCLUSIVE);
  write_words("/proc/kpageflags", 32, flags, 17);
  struct pages_survey s = SURVEY(7);
  CU_ASSERT_EQUAL_FATAL(s.count, 1);
  adds_up(s.at);
  CU_ASSERT_TRUE(s.sizes_told);
  CU_ASSERT_EQUAL(pages_on_of(&s.at->on, "thp-16k"), 64 * KIB);
  CU_ASSERT_EQUAL(why_of(&s.at->why, "partly-used"), 64 * KIB);
  CU_ASSERT_EQUAL(s.at->why.at[0].could, 64 * KIB);
  CU_ASSERT_EQUAL(s.at->why.at[0].more, 1984 * KIB);
  CU_ASSERT_EQUAL(s.at->differing, 0);
  pages_survey_fini(&s);
  fake_machine_stop();
}

/* smaps rules, where the pages have come or gone since. */
static void test_pages_that_come_and_go(void) {
  for (size_t pages = 0; pages <= 512; pages += 32) {
    start();
    add_process(7, private_smaps);
    add_pages(7, pages, 0, EXCLUSIVE);
    struct pages_survey s = SURVEY(7);
    CU_ASSERT_EQUAL_FATAL(s.count, 1);
    adds_up(s.at);
    CU_ASSERT_EQUAL(s.at->resident, 64 * KIB);
    CU_ASSERT_EQUAL(s.at->differing,
                    (pages < 16 ? 16 - pages : pages - 16) * 4 * KIB);
    CU_ASSERT_FALSE(s.sizes_told && pages);
    pages_survey_fini(&s);
    fake_machine_stop();
  }
}

/* A file's pages, of which the last four were written to. */
static void test_copies_of_a_file(void) {
  uint64_t own[4];
  start();
  add_process(7,
              "00400000-00600000 rw-p 00000000 fe:00 12 /lib/x\n"
              "Rss: 64 kB\nAnonymous: 16 kB\n");
  add_pages(7, 12, 0, FILE_PAGE);
  for (size_t i = 0; i < 4; i++) own[i] = PRESENT | EXCLUSIVE;
  write_words("/proc/7/pagemap", 0x400 + 12, own, 4);
  struct pages_survey s = SURVEY(7);
  CU_ASSERT_EQUAL_FATAL(s.count, 1);
  adds_up(s.at);
  CU_ASSERT_EQUAL(why_of(&s.at->why, "file"), 48 * KIB);
  CU_ASSERT_EQUAL(why_of(&s.at->why, "file-copied"), 16 * KIB);
  pages_survey_fini(&s);
  fake_machine_stop();
}

static void test_hugetlb_is_no_part_of_rss(void) {
  start();
  add_process(7,
              "00400000-00600000 rw-s 00000000 00:0f 12 /SYSV0\n"
              "KernelPageSize: 2048 kB\nRss: 0 kB\nShared_Hugetlb: 2048 kB\n");
  add_pages(7, 512, 0, FILE_PAGE);
  struct pages_survey s = SURVEY(7);
  CU_ASSERT_EQUAL_FATAL(s.count, 1);
  adds_up(s.at);
  CU_ASSERT_EQUAL(s.at->resident, 2048 * KIB);
  CU_ASSERT_EQUAL(pages_on_of(&s.at->on, "2m"), 2048 * KIB);
  CU_ASSERT_EQUAL(s.at->why.count, 0);
  CU_ASSERT_EQUAL(s.at->differing, 0);
  pages_survey_fini(&s);
  fake_machine_stop();
}

/* Frames 32 to 47 belong to both processes; the second has as many more. */
static void test_shared_frames_count_once(void) {
  static const uint64_t flags[40] = {0};
  start();
  add_process(7, private_smaps);
  write_words("/proc/kpageflags", 32, flags, 40);
  add_pages(7, 16, 32, 0);
  add_process(8, "00400000-00600000 rw-p 00000000 00:00 0\nRss: 128 kB\n");
  add_pages(8, 32, 32, 0);
  struct pages_survey s = SURVEY(7, 8);
  CU_ASSERT_EQUAL_FATAL(s.count, 2);
  adds_up(&s.at[0]);
  adds_up(&s.at[1]);
  CU_ASSERT_EQUAL(s.at[0].pid, 8); /* the larger one */
  CU_ASSERT_EQUAL(s.at[0].resident, 128 * KIB);
  CU_ASSERT_EQUAL(s.resident, 128 * KIB);
  CU_ASSERT_EQUAL(pages_on_of(&s.on, "4k"), 128 * KIB);
  CU_ASSERT_EQUAL(why_sum(&s.why), 128 * KIB);
  pages_survey_fini(&s);
  fake_machine_stop();
}

/* Without frames a page is known by its place in its file: one process has the
 * file's first 16 pages, the other one those from the 8th on.  Private memory
 * is everyone's own. */
static void test_shared_files_count_once(void) {
  start();
  add_process(7, "00400000-00600000 r--s 00000000 fe:00 12 /x\nRss: 64 kB\n");
  add_pages(7, 16, 0, FILE_PAGE);
  add_process(8, "00400000-00600000 r--s 00008000 fe:00 12 /x\nRss: 64 kB\n");
  add_pages(8, 16, 0, FILE_PAGE);
  struct pages_survey s = SURVEY(7, 8);
  CU_ASSERT_EQUAL(s.resident, 96 * KIB);
  CU_ASSERT_FALSE(s.sizes_told);
  pages_survey_fini(&s);
  add_process(7, private_smaps);
  add_process(8, private_smaps);
  add_pages(7, 16, 0, EXCLUSIVE);
  add_pages(8, 16, 0, EXCLUSIVE);
  s = SURVEY(7, 8);
  CU_ASSERT_EQUAL(s.resident, 128 * KIB);
  pages_survey_fini(&s);
  fake_machine_stop();
}

static void test_processes_that_are_not_looked_at(void) {
  start();
  fake_machine_write("/proc/2/status", "Name:\tkthreadd\nState:\tS\n");
  fake_machine_write("/proc/3/status", "Name:\tz\nState:\tZ (zombie)\n");
  struct pages_survey s = SURVEY(2, 3, 4);
  CU_ASSERT_EQUAL(s.count, 0);
  CU_ASSERT_EQUAL_FATAL(s.absents, 3);
  CU_ASSERT_PTR_NOT_NULL(strstr(s.absent[0].reason, "kernel"));
  CU_ASSERT_STRING_EQUAL(s.absent[0].name, "kthreadd");
  CU_ASSERT_PTR_NOT_NULL(strstr(s.absent[1].reason, "zombie"));
  CU_ASSERT_PTR_NOT_NULL(strstr(s.absent[2].reason, "ended"));
  json_t *json = pages_survey_json(&s);
  CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "absent")), 3);
  json_decref(json);
  pages_survey_fini(&s);
  fake_machine_stop();
}

/* Whatever smaps says: sums hold, and JSON can be written, of names that are no
 * text, too. */
static void test_lies(void) {
  static const char *const lies[] = {
      "",
      "Rss: 99999999999999999999 kB\n",
      "Rss: 4 kB\nAnonHugePages: 8 kB\n",
      "Rss: 4096 kB\nPrivate_Hugetlb: 4096 kB\nKernelPageSize: 64 kB\n",
      "Rss: 7 kB\n",
      "Rss: -1 kB\n"};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    char smaps[512];
    start();
    snprintf(smaps, sizeof smaps,
             "00400000-00600000 rw-p 00000000 00:00 0 \xff\xc3[\x1bx\n%s",
             lies[i]);
    add_process(7, smaps);
    add_pages(7, 16, 0, EXCLUSIVE);
    struct pages_survey s = SURVEY(7);
    CU_ASSERT_EQUAL_FATAL(s.count, 1);
    adds_up(s.at);
    json_t *json = process_pages_json(s.at);
    CU_ASSERT_PTR_NOT_NULL(json);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json, "mappings")),
                    s.at->count);
    json_decref(json);
    pages_survey_fini(&s);
    fake_machine_stop();
  }
}

/* A sixteenth of the memory is worth seeing, less is not. */
static void test_watch(void) {
  struct process_pages was = {.pid = 7, .name = "x", .resident = 160 * KIB};
  struct process_pages is = was;
  struct pages_survey before = {.at = &was, .count = 1};
  struct pages_survey after = {.at = &is, .count = 1};
  char *text;
  size_t length;
  pages_on_add(&was.on, "4k", 160 * KIB, 0);
  pages_on_add(&is.on, "4k", 152 * KIB, 0);
  pages_on_add(&is.on, "2m", 8 * KIB, 0);
  CU_ASSERT_FALSE(pages_watch_print(NULL, &before, &after, 2048 * KIB));
  pages_on_add(&is.on, "2m", 8 * KIB, 0);
  FILE *out = open_memstream(&text, &length);
  CU_ASSERT_PTR_NOT_NULL_FATAL(out);
  CU_ASSERT_TRUE(pages_watch_print(out, &before, &after, 2048 * KIB));
  after.count = 0;
  CU_ASSERT_TRUE(pages_watch_print(out, &before, &after, 2048 * KIB));
  CU_ASSERT_TRUE(pages_watch_print(out, &after, &before, 2048 * KIB));
  fclose(out);
  CU_ASSERT_STRING_EQUAL(text,
                         "  x (process 7): 2 MiB pages 16 KiB, before 0 bytes\n"
                         "  x (process 7): is gone, 160 KiB\n"
                         "  x (process 7): is new, 160 KiB\n");
  free(text);
}

/* Against a plain list of what was added. */
static void test_seen_pages(void) {
  enum { KEYS = 4000 };
  static struct seen_key keys[KEYS];
  struct seen_pages set = {0};
  uint64_t state = 11;
  size_t count = 0;
  for (size_t i = 0; i < KEYS; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    struct seen_key key = {state >> 63, state >> 62 & 1, state >> 40 & 2047};
    if (state >> 61 & 1) key.page <<= 40;
    size_t k = 0;
    while (k < count && memcmp(&keys[k], &key, sizeof key)) k++;
    CU_ASSERT_EQUAL(seen_pages_add(&set, key), k == count);
    if (k == count) keys[count++] = key;
  }
  CU_ASSERT_TRUE(count > KEYS / 2 && count < KEYS);
  seen_pages_fini(&set);
}

static const struct check_test tests[] = {
    {"page sizes between are told", test_sizes_between},
    {"pages that come and go leave smaps' sums", test_pages_that_come_and_go},
    {"copies of a file are told from its pages", test_copies_of_a_file},
    {"hugetlb pages are resident", test_hugetlb_is_no_part_of_rss},
    {"shared frames count once", test_shared_frames_count_once},
    {"shared files count once", test_shared_files_count_once},
    {"threads of the kernel, zombies, the gone",
     test_processes_that_are_not_looked_at},
    {"whatever smaps says, sums hold", test_lies},
    {"only larger changes are worth seeing", test_watch},
    {"a page was seen or not", test_seen_pages},
    {0},
};
const struct check_suite suite_process_pages = {"process_pages", tests, skip};
