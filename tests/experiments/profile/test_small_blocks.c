/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of small blocks can be on larger pages, and what that takes. */
#include "tests/experiments/profile/made_sites.h"
#include "tests/experiments/suites.h"

/* Small blocks need room of their own; all of the heap is another way. */
static void test_small_blocks_and_heap(void) {
  made_begin();
  struct profile_site *site = made_site("heap", 10 * MIB, 1000, 0.5);
  site->smallest = site->largest = 32; /* which jemalloc has */
  site->large = site->large_peak = 0;
  site->pages[0] = 10 * 256;
  site->pages[1] = 6;
  made_heat(PROFILE_SMALL, 7, 900, 512);
  made_site("break", 0, 100, 0.1);
  made.site[1].pages[0] = 600;
  made.site[1].pages[1] = 2;
  made_heat(PROFILE_SMALL, 3, 75, 512); /* before the heap: static data */
  made_heat(PROFILE_SMALL, 8, 25, 88);
  struct candidates all = made_candidates(2 * MIB);
  const struct candidate *small = made_find(&all, PLAN_SITE_SMALL, 0);
  const struct candidate *heap = made_find(&all, PLAN_HEAP, CANDIDATE_NO_SITE);
  const struct candidate *data = made_find(&all, PLAN_DATA, CANDIDATE_NO_SITE);
  CU_ASSERT_FATAL(small && heap && data);
  CU_ASSERT_EQUAL(small->bytes, 10 * MIB + 10 * MIB / 32); /* 4 KiB slabs */
  CU_ASSERT_EQUAL(small->touched, 15 * MIB); /* 48 bytes for 32: malloc(3) */
  CU_ASSERT_DOUBLE_EQUAL(small->saved.value, 0.5, 1e-12);
  CU_ASSERT_EQUAL(heap->bytes, 16 * MIB);
  CU_ASSERT_EQUAL(heap->touched, 15 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(heap->saved.value, 0.525, 1e-12);
  CU_ASSERT_EQUAL(data->bytes, 2 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(data->saved.value, 0.075, 1e-12);
  CU_ASSERT_EQUAL(all.item[small - all.at].role, CHOOSER_PART);
  CU_ASSERT_EQUAL(all.item[heap - all.at].role, CHOOSER_WHOLE);
  CU_ASSERT_EQUAL(all.item[data - all.at].role, CHOOSER_APART);
  candidates_fini(&all);
}

/* The first of them, by what is asked for: of 10 MiB at once and 10.5 in all
 * the half is 5.25, of which half a MiB may be freed. */
static void test_freed_ones_are_asked_for(void) {
  made_begin();
  struct profile_site *site = made_site("heap", 10 * MIB, 1000, 0.5);
  site->smallest = site->largest = 32;
  site->large = site->large_peak = 0;
  site->small = 10 * MIB / 32;
  site->blocks = site->small + MIB / 2 / 32;
  site->small_peak = site->small_rounded = 10 * MIB;
  site->bytes = site->small_bytes = 10 * MIB + MIB / 2;
  struct candidates all = made_candidates(2 * MIB);
  const struct candidate *c = made_find(&all, PLAN_SITE_SMALL, 0);
  CU_ASSERT_FATAL(c && c->parts.count);
  CU_ASSERT_EQUAL(c->asked, 10 * MIB + MIB / 2);
  for (size_t i = 0; i < c->parts.count; i++) {
    double part = (double)c->parts.item[i].bytes / (double)c->bytes;
    CU_ASSERT_DOUBLE_EQUAL((double)c->parts.at[i].to,
                           part * (double)(10 * MIB + MIB / 2), 1);
  }
  candidates_fini(&all);
}

/* jemalloc has them as densely as the memory that they are moved to. */
static void test_small_blocks_of_jemalloc(void) {
  struct profile_row row = {
      .at = {.object = "/usr/lib/libjemalloc.so.2", .function = "malloc"}};
  made_begin();
  made.profile.functions.row = &row;
  made.profile.functions.count = 1;
  struct profile_site *site = made_site("heap", 10 * MIB, 1000, 0.5);
  site->smallest = site->largest = 32;
  site->large = site->large_peak = 0;
  struct candidates all = made_candidates(2 * MIB);
  const struct candidate *c = made_find(&all, PLAN_SITE_SMALL, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL(c->bytes, 10 * MIB + 10 * MIB / 32);
  CU_ASSERT_EQUAL(c->touched, c->bytes);
  candidates_fini(&all);
}

/* Finding small blocks of a shared call takes 3.3 ns more each; where that is
 * more than they save, they are no candidate that saves. */
static void test_look_ups(void) {
  made_begin();
  struct profile_site *site = made_site("heap", 10 * MIB, 1000, 0.5);
  site->smallest = site->largest = 32;
  site->large = site->large_peak = 0;
  site->blocks = 10000000;
  made_site("heap", 10 * MIB, 1000, 0.03);
  made.site[1] = made.site[0];
  struct candidates all = made_candidates(2 * MIB);
  const struct candidate *c = made_find(&all, PLAN_SITE_SMALL, 0);
  const struct candidate *dear = made_find(&all, PLAN_SITE_SMALL, 1);
  const struct candidate *heap = made_find(&all, PLAN_HEAP, CANDIDATE_NO_SITE);
  CU_ASSERT_FATAL(c && dear && heap);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.value, 0.5 - 0.033, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.lo, 0.25 - 0.033, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(all.item[c - all.at].saving, 0.5 - 0.033, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c->look_ups_s, 0.033, 1e-12);
  CU_ASSERT_EQUAL(all.item[dear - all.at].saving, 0);
  CU_ASSERT_EQUAL(dear->parts.count, 0);
  CU_ASSERT_DOUBLE_EQUAL(heap->saved.value, 0.53 - 2 * 1e7 * .9e-9, 1e-12);
  candidates_fini(&all);
}

/* By jemalloc(3), SIZE CLASSES, but for those of slabs of ours; 128 bytes for a
 * slab of whole pages, 4 KiB for a large block. */
static void test_sizes_of_blocks(void) {
  static const struct {
    uint64_t smallest, largest, peak, bytes;
  } rows[] = {{32, 32, 1024 * 4096, 1056 * 4096},
              {33, 33, 33 * 4096, 49 * 4096},
              {129, 129, 129 * 4096, 161 * 4096},
              {512, 512, 512 * 4096, 529 * 4096}, /* site_slabs.c */
              {4097, 4097, 4097 * 4096, 5152 * 4096},
              {3 << 20, 3 << 20, 6 << 20, (6 << 20) + 2 * 4096},
              {20, 80, 1024 * 4096, 1408 * 4096},
              {48, 80, 1024 * 4096, 1188 * 4096}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    made_begin();
    struct profile_site *site = made_site("heap", rows[i].peak, 1000, 1);
    site->smallest = rows[i].smallest;
    site->largest = rows[i].largest;
    site->large = site->large_peak = 0;
    if (rows[i].smallest < PROFILE_UNIT) {
      struct candidates all = made_candidates(2 * MIB);
      CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_SMALL, 0)->bytes,
                      rows[i].bytes);
      candidates_fini(&all);
      continue;
    }
    site->large = 2;
    site->large_peak = rows[i].peak;
    made_heats(0, 4, 250);
    struct candidates all = made_candidates(2 * MIB);
    CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_LARGE, 0)->bytes, rows[i].bytes);
    candidates_fini(&all);
  }
}

/* Of growing arrays most are freed; what is small and stays can be divided. */
static void test_freed_arrays_beside_small_blocks(void) {
  made_begin();
  struct profile_site *site = made_site("heap", 160 * MIB, 8000, 0.3);
  site->smallest = 32;
  site->largest = 64 * MIB;
  site->large = 6;
  site->large_peak = 64 * MIB;
  site->bytes = 96 * MIB + 126 * MIB;
  site->small = site->blocks = 3 * MIB;
  site->blocks += 6;
  site->small_peak = site->small_rounded = 96 * MIB;
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT(made_find(&all, PLAN_SITE_SMALL, 0)->parts.count);
  candidates_fini(&all);
}

/* A hash table of 2 million nodes, whose buckets grew: what they left stays,
 * and nodes are not what is left of the peak. */
static void test_growing_table(void) {
  made_begin();
  struct profile_site *site = made_site("heap", 71 * MIB, 8000, 0.3);
  site->smallest = 24;
  site->largest = 24 * MIB;
  site->large = 4;
  site->large_peak = 36 * MIB;
  site->bytes = 48 * MIB + 45 * MIB;
  site->small = 2 * MIB;
  site->small_peak = 48 * MIB;
  site->small_rounded = 64 * MIB;
  made_heats(0, 12, 100);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_LARGE, 0)->bytes,
                  45 * MIB + 2 * 4096);
  CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_SMALL, 0)->bytes, 66 * MIB);
  CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_SMALL, 0)->touched, 80 * MIB);
  CU_ASSERT(made_find(&all, PLAN_SITE_SMALL, 0)->arena);
  candidates_fini(&all);
}

/* Python's arenas: two of 1 MiB are cut from each page.  The kernel gives no
 * larger page where some of it is left over. */
static void test_small_mappings(void) {
  static const struct {
    uint64_t smallest, largest, bytes; /* of 101 MiB; 0: not cut */
    uint64_t faults, again, touched;
  } cases[] = {
      {MIB, MIB, 102 * MIB, 0, 0, 25000},
      {MIB * 3 / 4, MIB * 3 / 4, 136 * MIB, 24000, 0, 25000},
      {MIB / 4, MIB, 136 * MIB, 25500, 0, 25500}, /* where others were */
      {MIB / 4, MIB, 136 * MIB, 90000, 0, 101 * 256},
      {MIB / 4, MIB, 136 * MIB, 102000, 3, 25500}, /* four times */
      {MIB / 8, MIB, 0, 0, 0, 0}};
  for (int i = 0; i < 6; i++) {
    made_begin();
    struct profile_site *site = made_site("mapping", 101 * MIB, 8000, 0.3);
    bool fills = i == 0;
    site->large = site->large_peak = 0;
    site->smallest = cases[i].smallest;
    site->largest = cases[i].largest;
    site->blocks = 101;
    site->pages[0] = 25000;
    site->faults = cases[i].faults;
    site->bytes += cases[i].again * site->peak;
    made.profile.walks.walk->where = 0; /* no larger page can be there */
    struct candidates all = made_candidates(2 * MIB);
    const struct candidate *c = made_find(&all, PLAN_SITE_SMALL, 0);
    CU_ASSERT_EQUAL(c != NULL, cases[i].bytes > 0);
    if (c) {
      CU_ASSERT_EQUAL(c->bytes, cases[i].bytes);
      CU_ASSERT_EQUAL(c->touched, cases[i].touched * 4096);
      CU_ASSERT(!c->arena);
      CU_ASSERT_EQUAL(c->parts.count > 0, !cases[i].again);
      CU_ASSERT_EQUAL(c->misses, fills ? 8000 - 80 : 0);
    }
    CU_ASSERT_EQUAL(candidates_are_cut(&made.profile, site, 2 * MIB, true),
                    fills);
    CU_ASSERT(!candidates_are_cut(&made.profile, site, 1024 * MIB, true));
    candidates_fini(&all);
  }
}

static const struct check_test tests[] = {
    {"small blocks, static data, and the heap as a whole",
     test_small_blocks_and_heap},
    {"freed ones are asked for, too", test_freed_ones_are_asked_for},
    {"small blocks of jemalloc", test_small_blocks_of_jemalloc},
    {"look-ups of small blocks", test_look_ups},
    {"what blocks need that share memory", test_sizes_of_blocks},
    {"freed arrays do not keep small blocks whole",
     test_freed_arrays_beside_small_blocks},
    {"a table that grew", test_growing_table},
    {"small mappings", test_small_mappings},
    {NULL, NULL}};

const struct check_suite suite_small_blocks = {"small blocks", tests, NULL};
