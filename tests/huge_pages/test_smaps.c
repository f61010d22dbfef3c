/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "huge_pages/region.h"
#include "huge_pages/smaps_mapping.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static const struct hp_smaps_sizes x86 = {4096, 2 << 20};

/* The captured text of `name` in tests/huge_pages/data, to be freed. */
static char *captured(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", HP_TEST_DATA, name);
  FILE *file = fopen(path, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  char *text = calloc(1, 65536);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_TRUE(fread(text, 1, 65535, file) > 0);
  fclose(file);
  return text;
}

static struct hp_granted summed(const char *text, size_t length,
                                uintptr_t start, size_t bytes) {
  struct hp_granted granted;
  FILE *file = fmemopen((void *)(uintptr_t)text, length, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(hp_smaps_sum(file, start, start + bytes, x86, &granted), 0);
  fclose(file);
  return granted;
}

static struct hp_granted summed_text(const char *text, uintptr_t start,
                                     size_t bytes) {
  return summed(text, strlen(text), start, bytes);
}

static size_t granted_of(const struct hp_granted *granted, size_t page_bytes) {
  for (size_t i = 0; i < granted->sizes; i++)
    if (granted->by[i].page_bytes == page_bytes) return granted->by[i].bytes;
  return 0;
}

static void captured_is(const char *name, uintptr_t start, size_t bytes,
                        size_t page_bytes) {
  char *text = captured(name);
  struct hp_granted granted = summed_text(text, start, bytes);
  CU_ASSERT_EQUAL(granted.sizes, 1);
  CU_ASSERT_EQUAL(granted_of(&granted, page_bytes), bytes);
  CU_ASSERT_EQUAL(granted.missing, 0);
  free(text);
}

static void test_captured_kinds(void) {
  captured_is("4k.smaps", 0x7ff565c00000, 64 * MIB, 4096);
  captured_is("thp.smaps", 0x7ff565c00000, 64 * MIB, 2 * MIB);
  captured_is("2m.smaps", 0x7ff565e00000, 64 * MIB, 2 * MIB);
  captured_is("1g.smaps", 0x7ff500000000, GIB, GIB);
}

/*
 * 16 MiB of THP of which 2 MiB at 4 MiB were dropped and, after one page at
 * 8 MiB was dropped, 2 MiB there split; that part was made read-only.
 */
static void test_captured_split_region(void) {
  char *text = captured("mixed.smaps");
  struct hp_granted granted = summed_text(text, 0x7ff568c00000, 16 * MIB);
  CU_ASSERT_EQUAL(granted.sizes, 2);
  CU_ASSERT_EQUAL(granted.by[0].page_bytes, 4096);
  CU_ASSERT_EQUAL(granted.by[0].bytes, 2044 * KIB);
  CU_ASSERT_EQUAL(granted.by[1].page_bytes, 2 * MIB);
  CU_ASSERT_EQUAL(granted.by[1].bytes, 12 * MIB);
  CU_ASSERT_EQUAL(granted.missing, 2 * MIB + 4 * KIB);
  free(text);
}

static void test_elsewhere_is_missing(void) {
  char *text = captured("thp.smaps");
  struct hp_granted granted = summed_text(text, 0x1000, 8192);
  CU_ASSERT_EQUAL(granted.sizes, 0);
  CU_ASSERT_EQUAL(granted.missing, 8192);
  free(text);
}

static void test_merged_mapping_uniform(void) {
  char *text = captured("thp.smaps");
  struct hp_granted granted =
      summed_text(text, 0x7ff565c00000 + 4 * MIB, 8 * MIB);
  CU_ASSERT_EQUAL(granted_of(&granted, 2 * MIB), 8 * MIB);
  CU_ASSERT_EQUAL(granted.missing, 0);
  free(text);
}

/* 16 MiB, of which 12 are huge and 4 base: in 8 of them at least 4 are huge. */
static void test_merged_mapping_mixed(void) {
  struct hp_granted granted = summed_text(
      "10000000-11000000 rw-p 00000000 00:00 0\n"
      "Rss:              16384 kB\nAnonHugePages:    12288 kB\n",
      0x10800000, 8 * MIB);
  CU_ASSERT_EQUAL(granted_of(&granted, 2 * MIB), 4 * MIB);
  CU_ASSERT_EQUAL(granted_of(&granted, 4096), 0);
  CU_ASSERT_EQUAL(granted.missing, 4 * MIB);
}

static void test_swapped_is_missing(void) {
  struct hp_granted granted = summed_text(
      "10000000-10100000 rw-p 00000000 00:00 0\n"
      "KernelPageSize: 4 kB\nRss: 1000 kB\nSwap: 24 kB\n",
      0x10000000, MIB);
  CU_ASSERT_EQUAL(granted_of(&granted, 4096), 1000 * KIB);
  CU_ASSERT_EQUAL(granted.missing, 24 * KIB);
}

static void test_shared_and_file_huge_pages(void) {
  struct hp_granted granted = summed_text(
      "10000000-10400000 rw-s 00000000 00:01 9 /dev/shm/x\n"
      "Rss: 4096 kB\nShmemPmdMapped: 4096 kB\n"
      "10400000-10800000 r--s 00000000 00:01 9 /usr/lib/y\n"
      "Rss: 4096 kB\nFilePmdMapped: 2048 kB\n"
      "10800000-10c00000 rw-s 00000000 00:01 9 /huge/z\n"
      "KernelPageSize: 2048 kB\nShared_Hugetlb: 2048 kB\n"
      "Private_Hugetlb: 2048 kB\n",
      0x10000000, 12 * MIB);
  CU_ASSERT_EQUAL(granted_of(&granted, 2 * MIB), 10 * MIB);
  CU_ASSERT_EQUAL(granted_of(&granted, 4096), 2 * MIB);
  CU_ASSERT_EQUAL(granted.missing, 0);
}

/* A name longer than the line buffer whose tail looks like a field. */
static void test_fields_in_a_long_name(void) {
  char text[4096];
  int used = snprintf(text, sizeof text,
                      "10000000-10200000 rw-p 00000000 00:01 9 /%0*d", 214, 0);
  snprintf(text + used, sizeof text - (size_t)used,
           "AnonHugePages: 2048 kB\nRss: 8 kB\n");
  for (int shift = 0; shift < 40; shift++) {
    text[45 + shift] = 'x';
    struct hp_granted granted = summed_text(text, 0x10000000, 2 * MIB);
    CU_ASSERT_EQUAL(granted_of(&granted, 2 * MIB), 0);
    CU_ASSERT_EQUAL(granted_of(&granted, 4096), 8 * KIB);
    memmove(text + 46, text + 45, sizeof text - 46);
  }
}

static void sane(const struct hp_granted *granted, size_t bytes) {
  size_t sum = granted->missing;
  CU_ASSERT_TRUE_FATAL(granted->sizes <= HP_GRANTED_SIZES);
  for (size_t i = 0; i < granted->sizes; i++) {
    sum += granted->by[i].bytes;
    CU_ASSERT_TRUE(granted->by[i].bytes > 0);
    if (i)
      CU_ASSERT_TRUE(granted->by[i - 1].page_bytes < granted->by[i].page_bytes);
  }
  CU_ASSERT_EQUAL(sum, bytes);
}

static void test_lies_grant_no_more_than_there_is(void) {
  static const char *const lies[] = {
      "Rss: 99999999999999999999 kB\n",
      "Rss: 18014398509481983 kB\nAnonHugePages: 18014398509481983 kB\n",
      "AnonHugePages: 18446744073709551615 kB\nPrivate_Hugetlb: 4096 kB\n",
      "Rss: -4 kB\n",
      "Rss: 4096\n",
      "KernelPageSize: 0 kB\nPrivate_Hugetlb: 4096 kB\n",
      "Rss: 4096 kB\n10000000-10400000 rw-p 0 0 0\nRss: 4096 kB\n",
      "10400000-10000000 rw-p 0 0 0\nRss: 4096 kB\n",
      "0-ffffffffffffffffff rw-p 0 0 0\nRss: 4096 kB\n",
      "0-ffffffffffffffff rw-p 0 0 0\nRss: 18446744073709551615 kB\n",
      "-10400000 rw-p\n10000000 rw-p\n10000000-\nRss: 1 kB\n",
  };
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    char text[512];
    snprintf(text, sizeof text, "10000000-10400000 rw-p 0 0 0\n%s", lies[i]);
    struct hp_granted granted = summed_text(text, 0x10000000, 4 * MIB);
    sane(&granted, 4 * MIB);
    granted = summed_text(lies[i], 0x10000000, 4 * MIB);
    sane(&granted, 4 * MIB);
  }
}

static void test_too_many_sizes(void) {
  enum { COUNT = HP_GRANTED_SIZES + 1 };
  char text[2048];
  int used = 0;
  for (unsigned i = 0; i < COUNT; i++)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "%x-%x rw-p 0 0 0\nKernelPageSize: %u kB\n"
                     "Private_Hugetlb: 1024 kB\n",
                     0x10000000 + i * 0x100000, 0x10100000 + i * 0x100000,
                     1U << (COUNT - i));
  struct hp_granted granted = summed_text(text, 0x10000000, COUNT * MIB);
  sane(&granted, COUNT * MIB);
  CU_ASSERT_EQUAL(granted.sizes, HP_GRANTED_SIZES);
  CU_ASSERT_EQUAL(granted.missing, MIB);
}

/* splitmix64 */
static uint64_t random64(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static void test_damaged_text(void) {
  char *text = captured("mixed.smaps");
  size_t length = strlen(text);
  uint64_t state = 20240229;
  for (int round = 0; round < 2000; round++) {
    char *copy = malloc(length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, text, length);
    for (int i = 0; i < 20; i++)
      copy[random64(&state) % length] = (char)random64(&state);
    struct hp_granted granted =
        summed(copy, 1 + random64(&state) % length, 0x7ff568c00000, 16 * MIB);
    sane(&granted, 16 * MIB);
    free(copy);
  }
  free(text);
}

/* Mappings side by side fill the range: the sums are those of the parts. */
static void test_random_mappings_add_up(void) {
  uint64_t state = 7;
  for (int round = 0; round < 200; round++) {
    char text[4096];
    int used = 0;
    size_t base = 0, thp = 0;
    uintptr_t at = 0x10000000;
    for (int i = 0; i < 12; i++) {
      size_t huge = random64(&state) % 8, small = random64(&state) % 512;
      size_t bytes = huge * 2 * MIB + small * 4096 + 4096;
      used += snprintf(
          text + used, sizeof text - (size_t)used,
          "%zx-%zx rw-p 0 0 0\nRss: %zu kB\nAnonHugePages: %zu kB\n",
          (size_t)at, (size_t)at + bytes, huge * 2048 + small * 4, huge * 2048);
      at += bytes;
      base += small * 4096;
      thp += huge * 2 * MIB;
    }
    struct hp_granted granted = summed_text(text, 0x10000000, at - 0x10000000);
    CU_ASSERT_EQUAL(granted_of(&granted, 4096), base);
    CU_ASSERT_EQUAL(granted_of(&granted, 2 * MIB), thp);
    CU_ASSERT_EQUAL(granted.missing, 12 * 4096);
  }
}

static struct hp_granted written(const char *text, struct hp_granted granted,
                                 const struct hp_range *ranges, size_t count) {
  FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(hp_smaps_add_written(file, ranges, count, x86, &granted), 0);
  fclose(file);
  return granted;
}

/* 12 of 16 KiB in a mapping of which 4 were never written; one whose pages may
 * be huge, or out; and one that is not there. */
static void test_written_pages_add_up(void) {
  static const char text[] =
      "10000000-10004000 rw-p 0 0 0\nRss: 12 kB\n"
      "20000000-20800000 rw-p 0 0 0\nRss: 8180 kB\nSwap: 12 kB\n"
      "AnonHugePages: 2048 kB\n"
      "30000000-30400000 rw-p 0 0 0\nKernelPageSize: 2048 kB\n"
      "Private_Hugetlb: 4096 kB\n";
  static const struct hp_range ranges[] = {
      {0x10000000, 0x10001000}, {0x10002000, 0x10004000},
      {0x20000000, 0x20001000}, {0x20400000, 0x20800000},
      {0x30000000, 0x30001000}, {0x40000000, 0x40001000}};
  struct hp_granted none = {0};
  struct hp_granted granted = written(text, none, ranges, 2);
  CU_ASSERT_EQUAL(granted_of(&granted, 4096), 12 * KIB);
  CU_ASSERT_EQUAL(granted.missing, 0);
  granted = written(text, granted, ranges + 2, 4);
  CU_ASSERT_EQUAL(granted.sizes, 2);
  CU_ASSERT_EQUAL(granted_of(&granted, 4096), 12 * KIB + 2 * MIB - 8 * KIB);
  CU_ASSERT_EQUAL(granted_of(&granted, 2 * MIB), 2 * MIB + 4 * KIB);
  CU_ASSERT_EQUAL(granted.missing, 12 * KIB + 4 * KIB);
  granted = written(text, none, NULL, 0);
  CU_ASSERT_EQUAL(granted.sizes + granted.missing, 0);
}

/* Page by page, in a heap with holes in it and others around it. */
static void test_written_ranges_against_pages(void) {
  uint64_t state = 7;
  for (int round = 0; round < 2000; round++) {
    struct hp_range ranges[40];
    char text[1024];
    int used = 0;
    size_t count = 0, pages = 0, inside = 0;
    for (unsigned page = 1; page < 200; page++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      if (state >> 62 || count == 40) continue;
      if (count && ranges[count - 1].end == page * 4096)
        ranges[count - 1].end += 4096;
      else
        ranges[count++] = (struct hp_range){page * 4096, page * 4096 + 4096};
      pages++;
      inside += page % 50 >= 10;
    }
    for (unsigned at = 0; at < 200; at += 50)
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "%x-%x rw-p 0 0 0\nRss: 160 kB\n", (at + 10) * 4096,
                       (at + 50) * 4096);
    struct hp_granted granted =
        written(text, (struct hp_granted){0}, ranges, count);
    CU_ASSERT_EQUAL(granted_of(&granted, 4096), inside * 4096);
    CU_ASSERT_EQUAL(granted.missing, (pages - inside) * 4096);
  }
}

static void test_failed_read_is_an_error(void) {
  struct hp_granted granted;
  FILE *file = fopen("/", "r"); /* reads of a directory fail */
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  errno = 0;
  CU_ASSERT_EQUAL(hp_smaps_sum(file, 4096, 8192, x86, &granted), -1);
  CU_ASSERT_EQUAL(errno, EISDIR);
  fclose(file);
}

static void test_flags_and_places(void) {
  static const char text[] =
      "10000000-10200000 rw-s 0001f000 fe:0a 123 /a b\n"
      "Rss: 8 kB\nVmFlags: rd wr sh mr mw me ms hg lo mg\n"
      "20000000-20200000 rw-p 00000000 00:00 0\n"
      "VmFlags: nh gd um x hgx\nVmFlags:\nVmFlagsio\n"
      "30000000-30200000 rw-p 00000000 00:00 0\nVmFlags: pf";
  struct hp_mapping_reader reader;
  struct hp_mapping m;
  FILE *file = fmemopen((void *)(uintptr_t)text, sizeof text - 1, "r");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  hp_mapping_reader_init(&reader, file);
  CU_ASSERT_TRUE_FATAL(hp_mapping_next(&reader, &m));
  CU_ASSERT_EQUAL(m.flags,
                  HP_MAPPING_ADVISED | HP_MAPPING_LOCKED | HP_MAPPING_MERGED);
  CU_ASSERT_EQUAL(m.offset, 0x1f000);
  CU_ASSERT_EQUAL(m.device, (uint64_t)0xfe << 32 | 0x0a);
  CU_ASSERT_EQUAL(m.inode, 123);
  CU_ASSERT_STRING_EQUAL(m.name, "/a b");
  CU_ASSERT_TRUE_FATAL(hp_mapping_next(&reader, &m));
  CU_ASSERT_EQUAL(
      m.flags, HP_MAPPING_ADVISED_NOT | HP_MAPPING_STACK | HP_MAPPING_FAULTS);
  CU_ASSERT_TRUE_FATAL(hp_mapping_next(&reader, &m));
  CU_ASSERT_EQUAL(m.flags, HP_MAPPING_DEVICE);
  CU_ASSERT_FALSE(hp_mapping_next(&reader, &m));
  fclose(file);
}

static const struct check_test tests[] = {
    {"flags, files and places are read", test_flags_and_places},
    {"captured regions of each kind are that kind", test_captured_kinds},
    {"a region in three mappings adds up", test_captured_split_region},
    {"what no mapping covers is missing", test_elsewhere_is_missing},
    {"part of a uniform mapping is exact", test_merged_mapping_uniform},
    {"part of a mixed mapping: what must be", test_merged_mapping_mixed},
    {"swapped pages are missing", test_swapped_is_missing},
    {"shared and file pages count", test_shared_and_file_huge_pages},
    {"fields inside a long name are none", test_fields_in_a_long_name},
    {"lies grant no more than there is", test_lies_grant_no_more_than_there_is},
    {"a page size too many is missing", test_too_many_sizes},
    {"damaged text keeps the sum", test_damaged_text},
    {"random mappings add up", test_random_mappings_add_up},
    {"pages that were written add up", test_written_pages_add_up},
    {"ranges of pages agree with a count by page",
     test_written_ranges_against_pages},
    {"a failed read is an error", test_failed_read_is_an_error},
    {0},
};
const struct check_suite suite_smaps = {"smaps", tests, NULL};
