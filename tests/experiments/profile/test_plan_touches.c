/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans that are chosen by first touches, of pages of 64 KiB, by sites that are
 * made here.  A GiB takes 0.4 s on base pages and 0.1 s on those of 2 MiB. */
#include <math.h>
#include <string.h>

#include "experiments/profile/planning.h"
#include "experiments/profile/profile_walks.h"
#include "tests/experiments/suites.h"

#define MIB (UINT64_C(1) << 20)
/* What is left on 64 KiB of what 4 KiB take more than 2 MiB. */
static double left(void) {
  return first_touch_again(&(struct first_touch){.base_again = 1}, 65536);
}

enum { SITES = 4, HEATS = 256, PAGES = 512 /* of a unit */ };

static char *program[] = {(char *)"./a", NULL};
static struct plan_request request;
static struct profile_site sites[SITES];
static struct profile_heat heats[HEATS];
static struct profile_chain chain = {.frames = 1, .frame = {{"/opt/a", 1}}};
static struct what_if_value saved[SITES];
static struct what_if what = {.sites = saved};
static struct planning p;

static void begin(void) {
  request = (struct plan_request){.pages = "thp-64k"};
  p = (struct planning){
      .request = &request,
      .what = &what,
      .by_touch = true,
      .profiled.program = program,
      .profile = {.trees = 3,
                  .tree = {{.name = "4k"}, {.name = "64k"}, {.name = "2m"}},
                  .unit = PROFILE_UNIT,
                  .sites.site = sites,
                  .heats.heat = heats,
                  .chains.chain = &chain},
      .table.native = {
          .sys_s = 0,
          .peak_bytes = NAN,
          .time = {1, 1, 1},
          .touch = {.known = true, .base_again = 0.4, .huge_again = 0.1}}};
}

/* One block at once, made so many times. */
static struct profile_site *add_site(const char *kind, uint64_t bytes,
                                     uint64_t times) {
  struct profile_site *site = &sites[p.profile.sites.count++];
  *site = (struct profile_site){.name = "",
                                .blocks = times,
                                .bytes = times * bytes,
                                .peak = bytes,
                                .smallest = bytes,
                                .largest = bytes,
                                .large = times,
                                .large_peak = bytes,
                                .at_peak = bytes,
                                .chains = 1,
                                .heat = p.profile.heats.count};
  strcpy(site->kind, kind);
  return site;
}

/* Of each of its next units, so many pages were touched, that lie on so many of
 * 64 KiB. */
static void add_units(struct profile_site *site, unsigned units, unsigned pages,
                      unsigned larger, uint64_t misses) {
  for (unsigned i = 0; i < units; i++)
    heats[p.profile.heats.count++] =
        (struct profile_heat){p.profile.sites.count - 1,
                              0,
                              (uint32_t)site->heats++,
                              {misses, misses / 2, misses / 8},
                              pages};
  site->faults += site->blocks * units * pages;
  site->large_faults = site->faults;
  site->pages[0] += units * pages;
  site->pages[1] += units * larger;
  site->pages[2] += units;
  site->counts.misses[0][0] += units * misses;
  site->counts.misses[1][0] += units * (misses / 2);
  site->counts.misses[2][0] += units * (misses / 8);
  profile_walks_add(&p.profile, p.profile.sites.count - 1, 1, 3,
                    units * misses);
}

static void add_dense(const char *kind, unsigned mibs, uint64_t times,
                      uint64_t misses) {
  struct profile_site *site = add_site(kind, mibs * MIB, times);
  add_units(site, mibs / 2, PAGES, PAGES / 16, misses);
}

static void choose(uint64_t budget) {
  request.budget_given = budget > 0;
  request.budget = budget;
  planning_choose(&p);
  planning_costs(&p);
  CU_ASSERT_DOUBLE_EQUAL(p.saving, p.costs.sys_saved_s - p.costs.look_ups_s,
                         1e-12);
  double ratio = 1 + p.costs.look_ups_s, last = p.curve[p.plan.points - 1];
  CU_ASSERT_DOUBLE_EQUAL(p.plan.predicted.user_ratio, ratio, 1e-12);
  CU_ASSERT(p.saving <= last + 1e-12);
  for (size_t i = 0; budget && i < p.plan.points; i++) {
    if (p.plan.curve[i].bytes != (double)budget) continue;
    CU_ASSERT_DOUBLE_EQUAL(p.plan.curve[i].user_ratio, ratio, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(p.curve[i], p.saving, 1e-12);
  }
}

static void end(void) {
  page_plan_fini(&p.plan);
  candidates_fini(&p.all);
  frame_names_fini(&p.names);
  free(p.curve);
  free(p.profile.walks.walk);
  free(p.choice_misses);
}

/* 16 MiB that are mapped 60 times are 960 MiB of touches. */
static void test_mapped_again(void) {
  const double rate = 0.1 + 0.3 * left();
  begin();
  add_dense("mapping", 40, 1, 9000);
  add_dense("mapping", 16, 60, 10);
  choose(16 * MIB);
  CU_ASSERT_EQUAL_FATAL(p.plan.choice_count, 1);
  CU_ASSERT_EQUAL(p.plan.choices[0].bytes, 16 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(p.saving, 960. / 1024 * (0.4 - rate), 1e-9);
  end();
  begin();
  add_dense("mapping", 40, 1, 9000);
  add_dense("mapping", 16, 60, 10);
  choose(40 * MIB);
  CU_ASSERT_EQUAL(p.plan.choice_count, 2); /* and a part of the other */
  CU_ASSERT_EQUAL(p.plan.choices[0].bytes, 16 * MIB);
  end();
}

/* The part with most pages, not that with most misses. */
static void test_parts_by_pages(void) {
  begin();
  struct profile_site *site = add_site("mapping", 64 * MIB, 1);
  add_units(site, 16, PAGES, PAGES / 16, 1000);
  add_units(site, 16, 16, 1, 100000);
  choose(32 * MIB);
  CU_ASSERT_EQUAL_FATAL(p.plan.choice_count, 1);
  CU_ASSERT_EQUAL(p.plan.choices[0].from, 0);
  CU_ASSERT_EQUAL(p.plan.choices[0].to, 32 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(p.saving, 32. / 1024 * (0.3 - 0.3 * left()), 1e-9);
  end();
}

/* A page in each 64 KiB: zeroing takes longer than the faults that are saved.
 */
static void test_sparse_memory(void) {
  begin();
  struct profile_site *site = add_site("mapping", 128 * MIB, 1);
  add_units(site, 64, 32, 32, 1000);
  choose(0);
  CU_ASSERT_EQUAL(p.plan.choice_count, 0);
  CU_ASSERT_EQUAL(p.plan.everything.bytes, 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(p.plan.verdict, "touched first"));
  end();
}

/* Of the tree of these pages; where there is none, not known. */
static void test_misses_of_the_size(void) {
  for (int known = 0; known < 2; known++) {
    begin();
    if (!known) strcpy(p.profile.tree[1].name, "32k");
    add_dense("mapping", 32, 1, 1000);
    choose(0);
    json_t *json = planning_to_json(&p);
    const json_t *misses =
        json_object_get(json_object_get(json, "misses"), "saved");
    CU_ASSERT_EQUAL(json_is_null(misses), !known);
    if (known) CU_ASSERT_EQUAL(json_number_value(misses), 16 * 500);
    json_decref(json);
    end();
  }
}

static void add_small(uint64_t blocks) {
  const uint64_t bytes = blocks * 1008;
  struct profile_site *small = add_site("heap", bytes, 1);
  add_units(small, (unsigned)(bytes / PROFILE_UNIT), PAGES, PAGES / 16, 1000);
  p.profile.heats.count -= small->heats;
  small->heats = 0;
  small->blocks = small->small = blocks;
  small->smallest = small->largest = 1008;
  small->large = small->large_peak = small->large_faults = 0;
  small->small_peak = small->small_bytes = bytes;
  small->small_rounded = small->small_chunks = blocks * 1024;
}

/* 100000 blocks of 1008 bytes are looked up, 11.1 and 3.3 ns each, as is one
 * large block of the same call, whose pages are sparse. */
static void test_look_ups_are_user_time(void) {
  const uint64_t blocks = 100000;
  begin();
  struct profile_site *large = add_site("heap", 64 * MIB, 1);
  add_units(large, 32, 32, 32, 1000);
  add_small(blocks);
  choose(112 * MIB);
  CU_ASSERT_EQUAL_FATAL(p.plan.choice_count, 1);
  CU_ASSERT_EQUAL(p.plan.choices[0].what, PLAN_SITE_SMALL);
  double s = 11.1e-9 * (double)(blocks + 1) + 3.3e-9 * (double)blocks;
  CU_ASSERT_DOUBLE_EQUAL(p.costs.look_ups_s, s, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(p.plan.everything.ratio.user_ratio, 1 + s, 1e-12);
  end();
}

/* A block of 64 MiB whose first half is hot, and was faulted in twice: two
 * pieces, which are one choice of 3 * 8192 faults, or 48 of 2 MiB. */
static void test_pieces_keep_their_faults(void) {
  begin();
  request.pages = "thp";
  p.by_touch = false;
  saved[0] = (struct what_if_value){.5, .4, .6};
  struct profile_site *site = add_site("mapping", 64 * MIB, 1);
  add_units(site, 16, 2 * PAGES, 0, 1000);
  add_units(site, 16, PAGES, 0, 100);
  request.budget_given = false;
  planning_choose(&p);
  planning_costs(&p);
  CU_ASSERT(p.all.count > 1);
  CU_ASSERT_EQUAL_FATAL(p.plan.choice_count, 1);
  CU_ASSERT_EQUAL(p.plan.used_bytes, 64 * MIB);
  CU_ASSERT_DOUBLE_EQUAL(p.plan.harm.faults_saved, 3 * 8192 - 48, 1e-6);
  end();
}

/* A site of 100 pages, which is left out, is no reason for the heap as a whole;
 * look-ups of 100000 blocks are, which take 2 % of what is saved. */
static void test_heap_as_a_whole(void) {
  for (int small = 0; small < 2; small++) {
    begin();
    add_dense("heap", 64, 1, 1000);
    add_dense("heap", 64, 1, 1000);
    if (small)
      add_small(100000);
    else
      add_units(add_site("heap", 2 * MIB, 1), 1, 100, 7, 10);
    choose(0);
    CU_ASSERT_EQUAL_FATAL(p.plan.choice_count, small ? 1 : 2);
    CU_ASSERT_EQUAL(p.plan.choices[0].what,
                    small ? PLAN_HEAP : PLAN_SITE_LARGE);
    end();
  }
}

static const struct check_test tests[] = {
    {"the heap as a whole", test_heap_as_a_whole},
    {"pieces keep their faults", test_pieces_keep_their_faults},
    {"memory that is mapped again", test_mapped_again},
    {"parts by their pages", test_parts_by_pages},
    {"sparse memory", test_sparse_memory},
    {"misses are of pages of that size", test_misses_of_the_size},
    {"look-ups are user time", test_look_ups_are_user_time},
    {NULL, NULL}};

const struct check_suite suite_plan_touches = {"plan touches", tests, NULL};
