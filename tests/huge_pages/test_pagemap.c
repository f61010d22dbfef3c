/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pagemap and kpageflags on an invented process: number 7, whose pages begin at
 * PLACE.  Such files have no call that tells what is huge, as before Linux
 * 6.7. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "huge_pages/kernel_files.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/pagemap.h"
#include "tests/huge_pages/fake_machine.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define PRESENT (UINT64_C(1) << 63)
#define SWAPPED (UINT64_C(1) << 62)
#define FILE_PAGE (UINT64_C(1) << 61)
#define EXCLUSIVE (UINT64_C(1) << 56)
#define HEAD (UINT64_C(1) << 15)
#define TAIL (UINT64_C(1) << 16)
#define ZEROS (UINT64_C(1) << 24)

static size_t base, huge;

static void write_words(const char *path, uint64_t first, const uint64_t *words,
                        size_t count) {
  char full[4096];
  CU_ASSERT_EQUAL_FATAL(hp_kernel_path(path, full, sizeof full), 0);
  int file = open(full, O_WRONLY | O_CREAT, 0600);
  CU_ASSERT_TRUE_FATAL(file >= 0);
  ssize_t bytes = (ssize_t)(count * sizeof *words);
  CU_ASSERT_EQUAL(
      pwrite(file, words, (size_t)bytes, (off_t)(first * sizeof *words)),
      bytes);
  close(file);
}

#define WRITE(path, first, ...)                             \
  write_words(path, first, (const uint64_t[]){__VA_ARGS__}, \
              sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static void start(void) {
  fake_machine_start();
  base = hp_base_page_bytes();
  huge = hp_thp_page_bytes();
  fake_machine_write("/proc/7/pagemap", "");
}

/* Read `count` base pages from number `first` on. */
static void read_pages(struct hp_pagemap *map, uint64_t first, size_t count) {
  CU_ASSERT_EQUAL_FATAL(hp_pagemap_open(map, 7), 0);
  CU_ASSERT_EQUAL_FATAL(
      hp_pagemap_read(map, first * base, (first + count) * base), 0);
}

static void test_bits(void) {
  struct hp_pagemap map;
  start();
  WRITE("/proc/7/pagemap", 16, 0, PRESENT | EXCLUSIVE | 5, SWAPPED,
        PRESENT | FILE_PAGE | 9);
  read_pages(&map, 16, 4);
  CU_ASSERT_FALSE(map.page[0].present || map.page[0].swapped);
  CU_ASSERT_TRUE(map.page[1].present && !map.page[1].shared);
  CU_ASSERT_FALSE(map.page[1].file);
  CU_ASSERT_EQUAL(map.page[1].frame, 5);
  CU_ASSERT_TRUE(map.page[2].swapped && !map.page[2].present);
  CU_ASSERT_TRUE(map.page[3].file && map.page[3].shared);
  CU_ASSERT_FALSE(hp_pagemap_tells_frames(&map)); /* there are no flags */
  hp_pagemap_close(&map);
  fake_machine_stop();
}

/* Frames 32 to 35 are one page of the kernel; 36 is alone; 37 is of zeros. */
static void test_orders(void) {
  struct hp_pagemap map;
  start();
  WRITE("/proc/kpageflags", 32, HEAD, TAIL, TAIL, TAIL, 0, ZEROS, 0);
  WRITE("/proc/7/pagemap", 16, PRESENT | 32, PRESENT | 33, PRESENT | 34,
        PRESENT | 35, PRESENT | 36, PRESENT | 37);
  read_pages(&map, 16, 6);
  CU_ASSERT_TRUE(hp_pagemap_tells_frames(&map));
  for (size_t i = 0; i < 4; i++) CU_ASSERT_EQUAL(map.page[i].order, 2);
  CU_ASSERT_EQUAL(map.page[4].order, 0);
  CU_ASSERT_FALSE(map.page[5].present);
  hp_pagemap_close(&map);
  fake_machine_stop();
}

/* Where the range, or the address, has but a part of it, no entry of a TLB can
 * have it whole. */
static void test_parts_of_a_page_have_no_size(void) {
  struct hp_pagemap map;
  start();
  WRITE("/proc/kpageflags", 32, HEAD, TAIL, TAIL, TAIL, 0, 0, 0, 0);
  WRITE("/proc/7/pagemap", 17, PRESENT | 32, PRESENT | 33, PRESENT | 34,
        PRESENT | 35);
  read_pages(&map, 17, 4); /* at no multiple of its size */
  for (size_t i = 0; i < 4; i++) CU_ASSERT_EQUAL(map.page[i].order, 0);
  hp_pagemap_close(&map);
  WRITE("/proc/7/pagemap", 16, PRESENT | 32, PRESENT | 33, 0, 0, 0);
  read_pages(&map, 16, 4); /* its second half is not mapped */
  CU_ASSERT_EQUAL(map.page[0].order, 0);
  CU_ASSERT_EQUAL(map.page[1].order, 0);
  hp_pagemap_close(&map);
  fake_machine_stop();
}

static void test_a_whole_huge_page_is_huge(void) {
  struct hp_pagemap map;
  start();
  size_t count = huge / base;
  uint64_t *words = calloc(count, sizeof *words);
  CU_ASSERT_PTR_NOT_NULL_FATAL(words);
  for (size_t i = 0; i < count; i++) words[i] = PRESENT | (count + i);
  write_words("/proc/7/pagemap", count, words, count);
  for (size_t i = 0; i < count; i++) words[i] = i ? TAIL : HEAD;
  write_words("/proc/kpageflags", count, words, count);
  read_pages(&map, count, count);
  for (size_t i = 0; i < count; i++) CU_ASSERT_TRUE(map.page[i].huge);
  hp_pagemap_close(&map);
  free(words);
  fake_machine_stop();
}

static void test_hidden_frames(void) {
  struct hp_pagemap map;
  start();
  WRITE("/proc/kpageflags", 0, HEAD, TAIL);
  WRITE("/proc/7/pagemap", 16, PRESENT, PRESENT);
  read_pages(&map, 16, 2);
  CU_ASSERT_FALSE(hp_pagemap_tells_frames(&map));
  CU_ASSERT_EQUAL(map.page[0].order, 0);
  hp_pagemap_close(&map);
  fake_machine_stop();
}

static void test_failures(void) {
  struct hp_pagemap map;
  start();
  errno = 0;
  CU_ASSERT_EQUAL(hp_pagemap_open(&map, 8), -1);
  CU_ASSERT_EQUAL(errno, ENOENT);
  hp_pagemap_close(&map);
  WRITE("/proc/7/pagemap", 16, PRESENT | 32);
  CU_ASSERT_EQUAL_FATAL(hp_pagemap_open(&map, 7), 0);
  errno = 0; /* the file ends, as that of a process that has ended */
  CU_ASSERT_EQUAL(hp_pagemap_read(&map, 16 * base, 18 * base), -1);
  CU_ASSERT_EQUAL(errno, ESRCH);
  CU_ASSERT_EQUAL(hp_pagemap_read(&map, 0, huge + base), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_EQUAL(hp_pagemap_next(&map, base, huge), base); /* no such call */
  hp_pagemap_close(&map);
  fake_machine_stop();
}

/* Random flags and frames: each page has at most the order of a run that is
 * aligned, whatever the flags say. */
static void test_damaged_flags(void) {
  enum { PAGES = 64 };
  uint64_t state = 3, words[PAGES + 1];
  for (int round = 0; round < 300; round++) {
    struct hp_pagemap map;
    start();
    for (size_t i = 0; i <= PAGES; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      words[i] = (state >> 33) % 5 ? TAIL : HEAD | (state >> 40 & ZEROS);
    }
    write_words("/proc/kpageflags", 64, words, PAGES + 1);
    for (size_t i = 0; i < PAGES; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      words[i] = state >> 62 ? PRESENT | (64 + i) : 0;
    }
    write_words("/proc/7/pagemap", 64, words, PAGES);
    read_pages(&map, 64, PAGES);
    for (size_t i = 0; i < PAGES; i++) {
      size_t size = (size_t)1 << map.page[i].order;
      size_t first = i / size * size;
      CU_ASSERT_TRUE_FATAL(first + size <= PAGES);
      for (size_t k = first; k < first + size; k++)
        CU_ASSERT_EQUAL(map.page[k].order, map.page[i].order);
    }
    hp_pagemap_close(&map);
    fake_machine_stop();
  }
}

/* Of this process, where the kernel knows which pages are there: every second
 * one of four is touched. */
static void test_this_process(void) {
  struct hp_pagemap map;
  size_t page = hp_base_page_bytes();
  char *at = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CU_ASSERT_TRUE_FATAL(at != MAP_FAILED);
  madvise(at, 4 * page, MADV_NOHUGEPAGE);
  at[page] = at[3 * page] = 1;
  char zero = *(volatile char *)at; /* the page of zeros is not resident */
  uintptr_t start = (uintptr_t)at, end = start + 4 * page;
  CU_ASSERT_EQUAL_FATAL(hp_pagemap_open(&map, getpid()), 0);
  CU_ASSERT_EQUAL_FATAL(hp_pagemap_read(&map, start, end), 0);
  for (size_t i = 0; i < 4; i++) {
    if (i || hp_pagemap_tells_frames(&map))
      CU_ASSERT_EQUAL(map.page[i].present, i % 2 && !zero);
    CU_ASSERT_FALSE(map.page[i].huge);
  }
  uintptr_t next = hp_pagemap_next(&map, start + 2 * page, end);
  CU_ASSERT_TRUE(next == start + 2 * page || next == start + 3 * page);
  hp_pagemap_close(&map);
  munmap(at, 4 * page);
}

static const struct check_test tests[] = {
    {"each bit of an entry is told", test_bits},
    {"a page of the kernel has its order", test_orders},
    {"parts of a page have no size", test_parts_of_a_page_have_no_size},
    {"a whole huge page is huge", test_a_whole_huge_page_is_huge},
    {"hidden frames tell no size", test_hidden_frames},
    {"what cannot be read is an error", test_failures},
    {"damaged flags make no page that is not aligned", test_damaged_flags},
    {"what this process touched is present", test_this_process},
    {0},
};
const struct check_suite suite_pagemap = {"pagemap", tests, NULL};
