/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames in runs: which frames lie where, by pagemap where it tells and by what
 * was written to them. */
#include <stdint.h>
#include <sys/mman.h>

#include "huge_pages/frame_runs.h"
#include "huge_pages/kind_list.h"
#include "huge_pages/region.h"
#include "tests/huge_pages/huge_pages_suites.h"

enum { BLOCKS = 2 };

static size_t page, huge;

static const char *skip(void) {
  return skip_kind("thp", BLOCKS * hp_thp_page_bytes());
}

/* Huge pages that name each of their base pages; false: the kernel has none. */
static bool map_named(struct hp_region *home) {
  struct hp_granted granted;
  page = hp_base_page_bytes();
  huge = hp_thp_page_bytes();
  const struct hp_kind *thp = hp_kind_find("thp");
  CU_ASSERT_EQUAL_FATAL(hp_region_map(home, thp, BLOCKS * huge, NULL, NULL), 0);
  CU_ASSERT_EQUAL(hp_region_verify(home, home->bytes, &granted), 0);
  if (!hp_granted_is(&granted, thp)) {
    printf("SKIPPED frames in runs: the kernel granted no huge pages\n");
    hp_region_unmap(home);
    return false;
  }
  for (size_t at = 0; at < home->bytes; at += page)
    *(size_t *)(void *)(home->base + at) = 1 + at / page;
  return true;
}

static size_t name_at(const struct hp_frame_runs *runs, size_t number) {
  return *(const size_t *)(const void *)(runs->base + number * page) - 1;
}

/* By the names: every page is there once, in its huge page, and runs are as
 * long as asked and no longer. */
static void check_names(const struct hp_frame_runs *runs) {
  size_t count = runs->bytes / page, per_huge = huge / page;
  bool *seen = calloc(count, sizeof *seen);
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    size_t name = name_at(runs, i);
    wrong += name >= count || seen[name] || name / per_huge != i / per_huge;
    if (name < count) seen[name] = true;
    bool goes_on = i && name == name_at(runs, i - 1) + 1;
    wrong += goes_on != (i % runs->run != 0);
    wrong += !(i % runs->run) && name % runs->run != 0;
  }
  CU_ASSERT_EQUAL(wrong, 0);
  free(seen);
}

static void check_frames(const struct hp_frame_runs *runs) {
  struct hp_frame_proof proof;
  CU_ASSERT_EQUAL(hp_frame_runs_prove(runs, &proof), 0);
  CU_ASSERT_EQUAL(proof.blocks, runs->bytes / page / runs->run);
  if (!proof.told) {
    printf("SKIPPED frames by pagemap: it tells them to root only\n");
    return;
  }
  CU_ASSERT_EQUAL(proof.whole, proof.blocks);
  CU_ASSERT_TRUE(proof.joined < BLOCKS); /* huge pages may be neighbours */
}

static void test_runs_are_as_long_as_asked(void) {
  for (size_t run = 1; run <= 16; run *= 2)
    for (unsigned turn = 0; turn < 2; turn++) {
      struct hp_frame_runs runs;
      struct hp_region home;
      if (!map_named(&home)) return;
      CU_ASSERT_EQUAL_FATAL(
          hp_frame_runs_take(&runs, home.base, home.bytes, run, turn), 0);
      CU_ASSERT_EQUAL((uintptr_t)runs.base % huge, 0);
      check_names(&runs);
      check_frames(&runs);
      hp_frame_runs_unmap(&runs);
      hp_region_unmap(&home);
    }
}

/* Where frames are not as they were asked to be, the proof says so. */
static void test_a_proof_can_fail(void) {
  struct hp_frame_runs runs;
  struct hp_frame_proof proof;
  struct hp_region home;
  if (!map_named(&home)) return;
  CU_ASSERT_EQUAL_FATAL(hp_frame_runs_take(&runs, home.base, home.bytes, 1, 0),
                        0);
  runs.run = 2;
  CU_ASSERT_EQUAL(hp_frame_runs_prove(&runs, &proof), 0);
  CU_ASSERT_EQUAL(proof.whole, 0);
  hp_frame_runs_unmap(&runs);
  hp_region_unmap(&home);
}

static void test_memory_that_is_not_there_is_refused(void) {
  struct hp_frame_runs runs;
  unsigned char *none =
      mmap(NULL, huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
           -1, 0);
  CU_ASSERT_PTR_NOT_EQUAL_FATAL(none, MAP_FAILED);
  munmap(none, huge);
  CU_ASSERT_EQUAL(hp_frame_runs_take(&runs, none, huge, 16, 0), -1);
  CU_ASSERT_PTR_NULL(runs.base);
}

static const struct check_test tests[] = {
    {"runs are as long as asked", test_runs_are_as_long_as_asked},
    {"a proof can fail", test_a_proof_can_fail},
    {"memory that is not there is refused",
     test_memory_that_is_not_there_is_refused},
    {NULL, NULL}};

const struct check_suite suite_frame_runs = {"frame_runs", tests, skip};
