/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "tests/experiments/profile/made_sites.h"
#include "tests/experiments/suites.h"

/* A block that is evenly hot, and not aligned: one piece, of the pages that it
 * needs where it is. */
static void test_even_block(void) {
  made_begin();
  made_site("heap", 192 * MIB, 96500, 0.4);
  made_heat(0, 0, 500, 256);
  made_heats(1, 96, 1000);
  made_heat(0, 96, 500, 256);
  struct candidates all = made_candidates(2 * MIB);
  const struct candidate *c = made_find(&all, PLAN_SITE_LARGE, 0);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c);
  CU_ASSERT_EQUAL(c->bytes, 192 * MIB);
  CU_ASSERT_EQUAL(c->touched, 192 * MIB);
  CU_ASSERT_EQUAL(c->to, 0);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.value, 0.4 * 96000 / 96500, 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(c->saved.hi, 1.5 * c->saved.value, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(c->misses, 95040 + 990, 1000);
  candidates_fini(&all);
}

/* A quarter is hot: the rest can be left out. */
static void test_uneven_block(void) {
  made_begin();
  made_site("mapping", 256 * MIB, 32 * 10000 + 96 * 100, 1);
  made_heats(0, 64, 100);
  made_heats(64, 96, 10000);
  made_heats(96, 128, 100);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 3);
  CU_ASSERT_EQUAL(all.at[1].from, 128 * MIB);
  CU_ASSERT_EQUAL(all.at[1].to, 192 * MIB);
  CU_ASSERT_EQUAL(all.at[1].bytes, 64 * MIB);
  double share = 32. * 10000 / (32 * 10000 + 96 * 100);
  CU_ASSERT_DOUBLE_EQUAL(all.at[1].saved.value, share, 1e-9);
  CU_ASSERT_EQUAL(all.at[0].bytes + all.at[2].bytes, 192 * MIB);
  CU_ASSERT_EQUAL(all.item[0].role, CHOOSER_APART);
  candidates_fini(&all);
  candidates_make(&all, &made.profile, &made.what, 2 * MIB, 1, false, NULL);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].bytes, 256 * MIB);
  CU_ASSERT_EQUAL(all.at[0].to, 0);
  candidates_fini(&all);
}

/* Shared memory, twice 5 MiB: each block has pages of its own, and none is
 * small. */
static void test_shared_memory(void) {
  made_begin();
  struct profile_site *site = made_site("shared", 10 * MIB, 5000, 1);
  site->smallest = site->largest = 5 * MIB;
  site->large = 2;
  for (uint32_t block = 0; block < 2; block++)
    for (uint32_t i = 0; i < 3; i++) made_heat(block, i, 800, 512);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].what, PLAN_SHARED);
  CU_ASSERT_EQUAL(all.at[0].bytes, 12 * MIB);
  CU_ASSERT_EQUAL(all.item[0].role, CHOOSER_APART);
  candidates_fini(&all);
}

/* A block of which a page in each unit is touched needs the whole units. */
static void test_sparse_block(void) {
  made_begin();
  made_site("mapping", 1024 * MIB, 6400, 1);
  for (uint32_t i = 0; i < 64; i++) made_heat(0, 8 * i, 100, 1);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].bytes, 128 * MIB);
  CU_ASSERT_EQUAL(all.at[0].touched, 64 * 4096);
  candidates_fini(&all);
}

/* A gibibyte is one page; of three blocks one each. */
static void test_pages_of_1g(void) {
  made_begin();
  struct profile_site *site = made_site("mapping", 900 * MIB, 1200, 1);
  site->large = 3;
  site->largest = site->smallest = 300 * MIB;
  for (uint32_t block = 0; block < 3; block++)
    for (uint32_t i = 0; i < 150; i += 3) made_heat(block, i, 8, 512);
  struct candidates all = made_candidates(1024 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL(all.at[0].bytes, 3 * 1024 * MIB);
  CU_ASSERT_EQUAL(all.at[0].touched, 150 * 2 * MIB);
  candidates_fini(&all);
}

/* A block of its own by pages, and small blocks that stay by the order in which
 * they come; not small blocks that come and go, nor a block that is shared. */
static void test_what_can_be_divided(void) {
  made_begin();
  made_site("mapping", 64 * MIB, 32000, 0.4);
  made_heats(0, 32, 1000);
  struct profile_site *small = made_site("heap", 96 * MIB, 8000, 0.3);
  small->smallest = small->largest = 32;
  small->large = small->large_peak = 0;
  small->bytes = 96 * MIB;
  made_site("mapping", 16 * MIB, 8000, 0.1);
  made_heats(0, 8, 1000);
  struct candidates all = made_candidates(2 * MIB);
  struct candidate of = *made_find(&all, PLAN_SITE_LARGE, 0);
  CU_ASSERT_EQUAL(of.parts.count, 31);
  CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_LARGE, 2)->parts.count, 7);
  candidate_cut(&of, 7);
  CU_ASSERT(of.cut && !of.from && of.to == 16 * MIB && of.bytes == 16 * MIB);
  CU_ASSERT_EQUAL(of.touched, 16 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(of.saved.value, 0.1, 1e-12);
  of = *made_find(&all, PLAN_SITE_SMALL, 1);
  CU_ASSERT_EQUAL(of.parts.count, 49);
  candidate_cut(&of, 11);
  CU_ASSERT_EQUAL(of.bytes, 24 * MIB);
  CU_ASSERT_DOUBLE_EQUAL((double)of.to, 24. * MIB / 1.03125, 1);
  candidates_fini(&all);
  small->bytes = 1000 * MIB;
  made.site[2].large = 60;
  made.site[2].bytes = 60 * 16 * MIB;
  all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_LARGE, 2)->parts.count, 0);
  CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_SMALL, 1)->parts.count, 0);
  candidates_fini(&all);
}

/* Ever hotter to its end, which is one piece: of each length the last ones. */
static void test_hottest_part(void) {
  made_begin();
  made_site("mapping", 64 * MIB, 52800, 1);
  for (uint32_t i = 0; i < 32; i++) made_heat(0, i, 100 * (i + 1), 512);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT_EQUAL_FATAL(all.item[0].parts, 31);
  double hottest = 0;
  for (unsigned i = 0; i < 31; i++) {
    const struct candidate_part *part = &all.at[0].parts.at[i];
    hottest += 100. * (32 - i);
    CU_ASSERT_EQUAL(all.item[0].part[i].bytes, 2 * MIB * (i + 1));
    CU_ASSERT_DOUBLE_EQUAL(all.item[0].part[i].saving, hottest / 52800, 1e-12);
    CU_ASSERT_EQUAL(part->from, 2 * MIB * (31 - i));
    CU_ASSERT_EQUAL(part->to, 64 * MIB);
    CU_ASSERT_DOUBLE_EQUAL(part->misses, .99 * hottest, 1e-6);
  }
  candidates_fini(&all);
}

/* Of several blocks the same units; where one is shorter, its end is none. */
static void test_parts_of_several_blocks(void) {
  made_begin();
  struct profile_site *site = made_site("mapping", 112 * MIB, 56000, 1);
  site->large = 2;
  site->largest = 64 * MIB;
  site->smallest = 48 * MIB;
  made_heats(0, 32, 1000);
  for (uint32_t i = 0; i < 24; i++) made_heat(1, i, 1000, 512);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  const struct chooser_item *item = &all.item[0];
  for (size_t i = 0; i < item->parts; i++)
    CU_ASSERT_DOUBLE_EQUAL(item->part[i].saving,
                           (double)item->part[i].bytes / (112. * MIB), 1e-12);
  CU_ASSERT_EQUAL_FATAL(item->parts, 55);
  CU_ASSERT_EQUAL(all.at[0].parts.at[0].from, 48 * MIB);
  CU_ASSERT_EQUAL(all.at[0].parts.at[47].from, 0);
  CU_ASSERT_EQUAL(all.at[0].parts.at[47].to, 48 * MIB);
  candidates_fini(&all);
}

/* What was not there when the program had most does not add to its peak. */
static void test_part_at_the_peak(void) {
  made_begin();
  made_site("mapping", 64 * MIB, 32000, 0.4)->at_peak = 16 * MIB;
  made_heats(0, 32, 1000);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL(made_find(&all, PLAN_SITE_LARGE, 0)->at_peak, 0.25);
  candidates_fini(&all);
}

/* The library of vat exec does not see what malloc() itself maps; what another
 * allocator maps is the heap, if its blocks are known. */
static void test_mappings_of_malloc(void) {
  static const char *const names[] = {
      "/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2",
      "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2", "/opt/libc.so/a"};
  for (int i = 0; i < 8; i++) {
    int name = i / 2, heap = i % 2;
    made_begin();
    made_site("mapping", 64 * MIB, 32000, 0.4);
    made_heats(0, 32, 1000);
    if (heap) made_site("heap", 64 * MIB, 1000, 0.1);
    made.chain.frame[0].object = names[name];
    struct candidates all = made_candidates(2 * MIB);
    bool chosen = made_find(&all, PLAN_SITE_LARGE, 0) != NULL;
    CU_ASSERT_EQUAL(chosen, name == 3 || (name == 2 && !heap));
    CU_ASSERT_EQUAL(candidates_of_allocator(&made.profile, made.site),
                    name == 2);
    CU_ASSERT_EQUAL(candidates_of_heap(&made.profile, made.site), name < 3);
    made.site->smallest = 4 * MIB - 4096; /* 2 MiB, and what aligns them */
    CU_ASSERT_EQUAL(candidates_of_heap(&made.profile, made.site), name < 3);
    made.site->smallest = 4 * MIB - 8192;
    CU_ASSERT_EQUAL(candidates_of_heap(&made.profile, made.site), name < 2);
    CU_ASSERT_EQUAL(all.unreachable, 0);
    candidates_fini(&all);
  }
}

/* Nobody finds such a site again. */
static void test_unknown_callers(void) {
  made_begin();
  made_site("mapping", 64 * MIB, 1000, 0.25)->chains = 0;
  made_heats(0, 32, 31);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL(all.count, 0);
  CU_ASSERT_DOUBLE_EQUAL(all.unreachable, 0.25, 1e-12);
  candidates_fini(&all);
}

/* Without a prediction, what is chosen by is misses. */
static void test_misses_alone(void) {
  struct candidates all;
  made_begin();
  made_site("mapping", 64 * MIB, 32000, 0);
  made_heats(0, 32, 1000);
  candidates_make(&all, &made.profile, NULL, 2 * MIB, 1, true, NULL);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  CU_ASSERT(isnan(all.at[0].saved.value));
  CU_ASSERT_EQUAL(all.item[0].saving, 32000 - 320);
  candidates_fini(&all);
}

/* Beyond 256 pages, numbers differ by a 256th, and each is for those before. */
static void test_parts_of_many_pages(void) {
  made_begin();
  made_site("mapping", 2048 * MIB, 1024000, 1);
  made_heats(0, 1024, 1000);
  struct candidates all = made_candidates(2 * MIB);
  CU_ASSERT_EQUAL_FATAL(all.count, 1);
  const struct chooser_item *item = &all.item[0];
  CU_ASSERT_FATAL(item->parts > CANDIDATE_EXACT && item->parts < 600);
  for (size_t i = 0; i < item->parts; i++) {
    const struct chooser_part *part = &item->part[i];
    uint64_t before = i ? item->part[i - 1].bytes : 0;
    CU_ASSERT_EQUAL(part->least, before + 2 * MIB);
    CU_ASSERT(part->bytes - part->least <= part->bytes / CANDIDATE_EXACT);
  }
  CU_ASSERT_EQUAL(item->part[item->parts - 1].bytes, 2046 * MIB);
  candidates_fini(&all);
}

static const struct check_test tests[] = {
    {"a block that is evenly hot", test_even_block},
    {"a block of which a part is hot", test_uneven_block},
    {"shared memory has pages of its own", test_shared_memory},
    {"a sparse block needs whole pages", test_sparse_block},
    {"pages of 1 GiB", test_pages_of_1g},
    {"what can be divided, and parts of it", test_what_can_be_divided},
    {"the hottest part of each length", test_hottest_part},
    {"parts of several blocks", test_parts_of_several_blocks},
    {"what was there at the peak", test_part_at_the_peak},
    {"mappings of malloc() are not chosen", test_mappings_of_malloc},
    {"sites whose callers are not known", test_unknown_callers},
    {"misses where there is no prediction", test_misses_alone},
    {"parts of more than 256 pages", test_parts_of_many_pages},
    {NULL, NULL}};

const struct check_suite suite_candidates = {"candidates", tests, NULL};
