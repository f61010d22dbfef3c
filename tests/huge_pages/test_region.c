/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "huge_pages/kind_list.h"
#include "huge_pages/pool.h"
#include "huge_pages/region.h"
#include "tests/huge_pages/huge_pages_suites.h"

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static const struct hp_kind *base_kind(void) { return hp_kind_at(0); }

/* The kernel refuses to read from where nothing may be read. */
static int readable(const void *address) {
  int ends[2];
  CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
  int can = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return can;
}

/* Map `bytes`, check what any kind must hold, and unmap. */
static void whole_life(const struct hp_kind *kind, size_t bytes) {
  struct hp_region region;
  struct hp_granted granted;
  CU_ASSERT_EQUAL_FATAL(hp_region_map(&region, kind, bytes, NULL, NULL), 0);
  CU_ASSERT_PTR_EQUAL(region.kind, kind);
  CU_ASSERT_TRUE(region.bytes >= bytes && region.bytes - bytes < kind->bytes);
  CU_ASSERT_EQUAL((uintptr_t)region.base % kind->bytes, 0);
  CU_ASSERT_PTR_NOT_NULL(region.via);
  memset(region.base, 0x5a, region.bytes);
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes, &granted), 0);
  CU_ASSERT_TRUE(hp_granted_is(&granted, kind));
  CU_ASSERT_EQUAL(granted.by[0].bytes, region.bytes);
  CU_ASSERT_EQUAL(hp_region_verify(&region, 1, &granted), 0);
  CU_ASSERT_EQUAL(granted.by[0].bytes, kind->bytes);
  unsigned char *base = region.base;
  hp_region_unmap(&region);
  CU_ASSERT_FALSE(readable(base));
  CU_ASSERT_PTR_NULL(region.base);
  hp_region_unmap(&region);
}

static void test_base_pages_are_granted(void) {
  whole_life(base_kind(), 16 * MIB);
  whole_life(base_kind(), 1);
  whole_life(base_kind(), 3 * MIB + 5);
}

/* Even where THP is "always", and by khugepaged later. */
static void test_base_pages_stay_base(void) {
  enum { COLLAPSE = 25 }; /* MADV_COLLAPSE, Linux 6.1 */
  struct hp_region region;
  struct hp_granted granted;
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&region, base_kind(), 8 * MIB, NULL, NULL), 0);
  CU_ASSERT_EQUAL(madvise(region.base, region.bytes, COLLAPSE), -1);
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes, &granted), 0);
  CU_ASSERT_TRUE(hp_granted_is(&granted, base_kind()));
  hp_region_unmap(&region);
}

static void test_zero_bytes_is_einval(void) {
  struct hp_region region;
  errno = 0;
  CU_ASSERT_EQUAL(hp_region_map(&region, base_kind(), 0, NULL, NULL), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  errno = 0;
  CU_ASSERT_EQUAL(hp_region_map(&region, NULL, 1, NULL, NULL), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
}

static void test_more_than_memory_is_enomem(void) {
  static const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 46};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t k = 0; k < 2; k++) {
      struct hp_region region;
      struct hp_missing missing;
      if (hp_kind_explain(hp_kind_at(k), 1, &missing)) continue;
      errno = 0;
      CU_ASSERT_EQUAL(
          hp_region_map(&region, hp_kind_at(k), sizes[i], NULL, NULL), -1);
      CU_ASSERT_EQUAL(errno, ENOMEM);
      CU_ASSERT_PTR_NULL(region.base);
    }
}

static int count_calls(size_t done, void *context) {
  size_t *seen = context;
  CU_ASSERT_TRUE(done > seen[1]);
  seen[0]++;
  seen[1] = done;
  return 0;
}

static int stop(size_t done, void *context) {
  (void)context;
  return done >= 64 * MIB;
}

static void test_progress_rises_to_the_end(void) {
  struct hp_region region;
  size_t seen[2] = {0, 0};
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&region, base_kind(), 150 * MIB, count_calls, seen), 0);
  CU_ASSERT_EQUAL(seen[0], 3);
  CU_ASSERT_EQUAL(seen[1], 150 * MIB);
  hp_region_unmap(&region);
}

static void test_progress_can_stop(void) {
  struct hp_region region;
  errno = 0;
  CU_ASSERT_EQUAL(hp_region_map(&region, base_kind(), 128 * MIB, stop, NULL),
                  -1);
  CU_ASSERT_EQUAL(errno, EINTR);
  CU_ASSERT_PTR_NULL(region.base);
}

static void test_dropped_pages_are_missing(void) {
  struct hp_region region;
  struct hp_granted granted;
  size_t page = base_kind()->bytes;
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&region, base_kind(), 64 * page, NULL, NULL), 0);
  CU_ASSERT_EQUAL(madvise(region.base + 8 * page, 3 * page, MADV_DONTNEED), 0);
  CU_ASSERT_EQUAL(hp_region_verify(&region, page, &granted), 0);
  CU_ASSERT_EQUAL(granted.missing, 3 * page);
  CU_ASSERT_EQUAL(granted.by[0].bytes, 61 * page);
  CU_ASSERT_FALSE(hp_granted_is(&granted, base_kind()));
  hp_region_unmap(&region);
}

static void test_split_region_is_whole(void) {
  struct hp_region region;
  struct hp_granted granted;
  size_t page = base_kind()->bytes;
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&region, base_kind(), 64 * page, NULL, NULL), 0);
  CU_ASSERT_EQUAL(mprotect(region.base + 8 * page, page, PROT_READ), 0);
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes, &granted), 0);
  CU_ASSERT_TRUE(hp_granted_is(&granted, base_kind()));
  CU_ASSERT_EQUAL(granted.by[0].bytes, 64 * page);
  hp_region_unmap(&region);
}

static void test_verify_beyond_region_is_einval(void) {
  struct hp_region region = {0};
  struct hp_granted granted;
  CU_ASSERT_EQUAL(hp_region_verify(&region, 0, &granted), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_EQUAL_FATAL(hp_region_map(&region, base_kind(), 1, NULL, NULL), 0);
  errno = 0;
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes + 1, &granted), -1);
  CU_ASSERT_EQUAL(errno, EINVAL);
  CU_ASSERT_EQUAL(hp_region_verify(&region, 0, &granted), 0);
  CU_ASSERT_EQUAL(granted.sizes, 0);
  hp_region_unmap(&region);
}

static void test_guards_around(void) {
  struct hp_region region;
  struct hp_missing missing;
  for (size_t k = 0; k < 2; k++) {
    if (hp_kind_explain(hp_kind_at(k), 4 * MIB, &missing)) continue;
    CU_ASSERT_EQUAL_FATAL(
        hp_region_map(&region, hp_kind_at(k), 4 * MIB, NULL, NULL), 0);
    CU_ASSERT_TRUE(readable(region.base));
    CU_ASSERT_TRUE(readable(region.base + region.bytes - 1));
    CU_ASSERT_FALSE(readable(region.base - 1));
    CU_ASSERT_FALSE(readable(region.base + region.bytes));
    hp_region_unmap(&region);
  }
}

static void test_neighbours_are_told_apart(void) {
  struct hp_region a, b;
  struct hp_granted granted;
  size_t page = base_kind()->bytes;
  CU_ASSERT_EQUAL_FATAL(hp_region_map(&a, base_kind(), 8 * page, NULL, NULL),
                        0);
  CU_ASSERT_EQUAL_FATAL(hp_region_map(&b, base_kind(), 8 * page, NULL, NULL),
                        0);
  madvise(a.base, page, MADV_DONTNEED);
  CU_ASSERT_EQUAL(hp_region_verify(&a, a.bytes, &granted), 0);
  CU_ASSERT_EQUAL(granted.missing, page);
  CU_ASSERT_EQUAL(hp_region_verify(&b, b.bytes, &granted), 0);
  CU_ASSERT_EQUAL(granted.missing, 0);
  hp_region_unmap(&a);
  hp_region_unmap(&b);
}

static void test_children_do_not_inherit(void) {
  struct hp_region region;
  CU_ASSERT_EQUAL_FATAL(hp_region_map(&region, base_kind(), MIB, NULL, NULL),
                        0);
  pid_t child = fork();
  if (!child) _exit(readable(region.base));
  int status;
  CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
  CU_ASSERT_EQUAL(status, 0);
  hp_region_unmap(&region);
}

static void test_mixed_is_no_kind(void) {
  struct hp_granted granted = {.sizes = 2,
                               .by = {{4096, 4096}, {2 * MIB, 2 * MIB}}};
  CU_ASSERT_FALSE(hp_granted_is(&granted, hp_kind_find("2m")));
  granted.sizes = 0;
  CU_ASSERT_FALSE(hp_granted_is(&granted, hp_kind_find("2m")));
}

static void test_thp_is_granted(void) {
  whole_life(hp_kind_find("thp"), 64 * MIB);
  whole_life(hp_kind_find("thp"), 1);
}

/* What the faults missed, collapsing makes good. */
static void test_thp_settles(void) {
  const struct hp_kind *kind = hp_kind_find("thp");
  struct hp_region region;
  struct hp_granted granted;
  CU_ASSERT_EQUAL_FATAL(hp_region_map(&region, kind, 16 * MIB, NULL, NULL), 0);
  size_t page = base_kind()->bytes;
  madvise(region.base + page, page, MADV_DONTNEED);
  region.base[page] = 1;
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes, &granted), 0);
  CU_ASSERT_FALSE(hp_granted_is(&granted, kind));
  kind->settle(&region);
  CU_ASSERT_EQUAL(hp_region_verify(&region, region.bytes, &granted), 0);
  CU_ASSERT_TRUE(hp_granted_is(&granted, kind));
  hp_region_unmap(&region);
}

/* The physical page behind an address, or 0: it may not be known. */
static uint64_t frame_of(const unsigned char *address) {
  const uint64_t frame_bits = (UINT64_C(1) << 55) - 1;
  uint64_t entry = 0;
  int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  off_t at = (off_t)((uintptr_t)address / base_kind()->bytes * sizeof entry);
  if (file < 0) return 0;
  if (pread(file, &entry, sizeof entry, at) != (ssize_t)sizeof entry) entry = 0;
  close(file);
  return entry & frame_bits;
}

static void test_base_pages_lie_in_blocks(void) {
  struct hp_region region;
  size_t block = hp_thp_page_bytes(), page = base_kind()->bytes;
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&region, base_kind(), 8 * block, NULL, NULL), 0);
  for (size_t at = 0; at < region.bytes; at += page)
    CU_ASSERT_EQUAL(
        frame_of(region.base + at),
        frame_of(region.base + at / block * block) + at % block / page);
  hp_region_unmap(&region);
}

/* As any program has them; in no list, or who measures all kinds would. */
static void test_given_pages(void) {
  CU_ASSERT_PTR_NULL(hp_kind_find(hp_kind_given()->name));
  CU_ASSERT_PTR_EQUAL(hp_kind_given(), hp_kind_given());
  CU_ASSERT_EQUAL(hp_kind_given()->bytes, base_kind()->bytes);
  whole_life(hp_kind_given(), 8 * hp_thp_page_bytes() + 1);
}

/* Nor are they a part of a huge page to the kernel: its flags of the physical
 * page, COMPOUND_HEAD and COMPOUND_TAIL (Documentation/admin-guide/mm/pagemap).
 */
static void test_base_pages_are_divided(void) {
  const uint64_t compound = UINT64_C(1) << 15 | UINT64_C(1) << 16;
  struct hp_region region;
  size_t block = hp_thp_page_bytes(), page = base_kind()->bytes, whole = 0;
  int file = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
  CU_ASSERT_EQUAL_FATAL(
      hp_region_map(&region, base_kind(), 8 * block, NULL, NULL), 0);
  for (size_t at = 0; at < region.bytes; at += page) {
    uint64_t flags = 0, frame = frame_of(region.base + at);
    off_t entry = (off_t)(frame * sizeof flags);
    CU_ASSERT_EQUAL(region.base[at], 0);
    if (file < 0 || !frame) continue; /* it may not be known */
    CU_ASSERT_EQUAL(pread(file, &flags, sizeof flags, entry),
                    (ssize_t)sizeof flags);
    whole += (flags & compound) != 0;
  }
  CU_ASSERT_EQUAL(whole, 0);
  if (file >= 0) close(file);
  hp_region_unmap(&region);
}

static void from_pool(const struct hp_kind *kind, size_t bytes) {
  struct hp_reservation *pages = hp_pool_reserve(kind, bytes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pages);
  whole_life(kind, bytes);
  whole_life(kind, 1);
  hp_pool_release(pages);
}

static void test_2m_is_granted(void) {
  from_pool(hp_kind_find("2m"), 64 * MIB);
}

static void test_1g_is_granted(void) { from_pool(hp_kind_find("1g"), GIB); }

static void test_empty_pool_is_enomem(void) {
  const struct hp_kind *kind = hp_kind_find("2m");
  struct hp_region region;
  struct hp_pool pool;
  CU_ASSERT_EQUAL_FATAL(hp_pool_read(kind->bytes, &pool), 0);
  errno = 0;
  CU_ASSERT_EQUAL(
      hp_region_map(&region, kind, (pool.free + 1) * kind->bytes, NULL, NULL),
      -1);
  CU_ASSERT_EQUAL(errno, ENOMEM);
  /* Also where nobody asked first. */
  region =
      (struct hp_region){.kind = kind, .bytes = (pool.free + 1) * kind->bytes};
  errno = 0;
  CU_ASSERT_EQUAL(kind->map(&region), -1);
  CU_ASSERT_EQUAL(errno, ENOMEM);
}

static const struct check_test tests[] = {
    {"base pages asked are base pages granted", test_base_pages_are_granted},
    {"base pages stay base pages", test_base_pages_stay_base},
    {"zero bytes, and no kind, are EINVAL", test_zero_bytes_is_einval},
    {"more than memory is ENOMEM", test_more_than_memory_is_enomem},
    {"progress rises to the end", test_progress_rises_to_the_end},
    {"progress can stop: EINTR, nothing mapped", test_progress_can_stop},
    {"dropped pages are missing", test_dropped_pages_are_missing},
    {"a region split into mappings is whole", test_split_region_is_whole},
    {"verifying beyond the region is EINVAL",
     test_verify_beyond_region_is_einval},
    {"guard pages lie around base and thp", test_guards_around},
    {"neighbouring regions are told apart", test_neighbours_are_told_apart},
    {"a child inherits no region", test_children_do_not_inherit},
    {"a mixture is no kind, nor is nothing", test_mixed_is_no_kind},
    {0},
};
const struct check_suite suite_region = {"region", tests, NULL};

static const char *skip_thp(void) { return skip_kind("thp", 64 * MIB); }
static const struct check_test thp_tests[] = {
    {"thp asked is thp granted", test_thp_is_granted},
    {"what a fault missed is collapsed", test_thp_settles},
    {0},
};
const struct check_suite suite_region_thp = {"region: thp", thp_tests,
                                             skip_thp};

static const char *skip_frames(void) {
  static unsigned char own;
  own = 1;
  if (!frame_of(&own))
    return "physical pages are not told here; fix: sudo make check";
  if (skip_thp()) return skip_thp();
  struct hp_region region;
  struct hp_granted granted;
  if (hp_region_map(&region, hp_kind_find("thp"), 16 * MIB, NULL, NULL))
    return "there is no memory";
  bool whole = !hp_region_verify(&region, region.bytes, &granted) &&
               hp_granted_is(&granted, region.kind);
  hp_region_unmap(&region);
  return whole ? NULL
               : "memory is in pieces; fix: "
                 "echo 1 | sudo tee /proc/sys/vm/compact_memory";
}
static const struct check_test frame_tests[] = {
    {"base pages as they are given", test_given_pages},
    {"base pages lie in whole blocks", test_base_pages_lie_in_blocks},
    {"base pages are no part of a huge one", test_base_pages_are_divided},
    {0},
};
const struct check_suite suite_region_frames = {"region: frames", frame_tests,
                                                skip_frames};

static const char *skip_2m(void) { return skip_kind("2m", 64 * MIB); }
static const struct check_test tests_2m[] = {
    {"2m asked is 2m granted", test_2m_is_granted},
    {"an empty pool is ENOMEM", test_empty_pool_is_enomem},
    {0},
};
const struct check_suite suite_region_2m = {"region: 2m", tests_2m, skip_2m};

static const char *skip_1g(void) { return skip_kind("1g", GIB); }
static const struct check_test tests_1g[] = {
    {"1g asked is 1g granted", test_1g_is_granted},
    {0},
};
const struct check_suite suite_region_1g = {"region: 1g", tests_1g, skip_1g};
