/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What chosen memory costs, by sites that are made here. */
#include "experiments/profile/mapped_blocks.h"
#include "experiments/profile/planning.h"
#include "tests/experiments/suites.h"

/* By hand: a block of 4.5 MiB is on two pages, and has half a MiB behind them;
 * one of 5.5 MiB is on three.  A table that doubles up to 18.5 MiB has 20, 10,
 * 4 and 2 MiB, as of 4.625 and 2.3125 MiB the end is too short for a page. */
static void test_blocks_that_glibc_maps(void) {
  const uint64_t m = 1 << 20, page = 2 * m;
  struct profile_site site = {.kind = "heap",
                              .smallest = 9 * m / 2,
                              .largest = 9 * m / 2,
                              .bytes = 27 * m,
                              .large = 6,
                              .large_peak = 27 * m,
                              .mapped_large = 6};
  struct mapped_blocks blocks = mapped_blocks_of(&site, page);
  CU_ASSERT_DOUBLE_EQUAL(blocks.on_pages, 4 / 4.5, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(blocks.ends, 3. * (double)m, 1);
  site.largest = 11 * m / 2;
  site.bytes = site.large_peak = 33 * m;
  blocks = mapped_blocks_of(&site, page);
  CU_ASSERT_DOUBLE_EQUAL(blocks.on_pages, 6 / 5.5, 1e-12);
  CU_ASSERT_EQUAL(blocks.ends, 0);
  struct profile_site table = {.kind = "heap",
                               .smallest = 64,
                               .largest = 37 * m / 2,
                               .bytes = 35 * m,
                               .small_bytes = m / 16,
                               .large = 4,
                               .large_peak = 111 * m / 4,
                               .mapped_large = 4};
  blocks = mapped_blocks_of(&table, page);
  CU_ASSERT_DOUBLE_EQUAL(blocks.on_pages, 36 / 34.6875, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(blocks.ends, .9375 * (double)m, 1);
  table.mapped_large = 0;
  blocks = mapped_blocks_of(&table, page);
  CU_ASSERT_EQUAL(blocks.on_pages, 1);
  CU_ASSERT_EQUAL(blocks.ends, 0);
}

/* By hand: of five blocks of 4.5 MiB half a MiB each is behind the last page;
 * of one that is hardly touched, what is.  Smaller blocks are none. */
static void test_ends_of_what_glibc_maps(void) {
  const uint64_t m = 1 << 20;
  struct profile_site sites[] = {
      {.kind = "heap",
       .smallest = 24,
       .largest = 9 * m / 2,
       .bytes = 45 * m / 2,
       .large = 5,
       .large_peak = 45 * m / 2,
       .faults = 45 * 128 + 1000,
       .large_faults = 45 * 128,
       .mapped_large = 5},
      {.kind = "heap",
       .smallest = 9 * m / 2,
       .largest = 9 * m / 2,
       .bytes = 9 * m / 2,
       .large = 1,
       .large_peak = 9 * m / 2,
       .faults = 100,
       .large_faults = 100,
       .mapped_large = 1},
      {.kind = "mapping", .mapped_large = 9},
      {.kind = "heap"},
      {.kind = "heap", .largest = m / 2, .faults = 300}};
  const struct plan_request request = {.pages = "thp"};
  struct planning p = {.request = &request,
                       .all.page = 2 * m,
                       .profile.sites = {.site = sites, .count = 5}};
  struct candidate heap = {.what = PLAN_HEAP, .site = CANDIDATE_NO_SITE};
  struct candidate array = {.what = PLAN_SITE_LARGE, .site = 0};
  planning_add_costs(&p, &array, 1);
  CU_ASSERT_EQUAL(p.costs.on_base, 0);
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.on_base, 5 * 128 * 4096 + 100 * 4096);
  /* Other threads' heaps begin with 800 base pages in all. */
  p.costs.on_base = 0;
  p.all.glibc = true;
  sites[2].begin_faults = 300;
  sites[3].begin_faults = 500;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.on_base, 5 * 128 * 4096 + 100 * 4096 + 800 * 4096);
  /* Of another malloc() than glibc's, 1 MiB more for each of four threads. */
  p.costs.more = 0;
  p.all.glibc = false;
  p.profile.threads = 4;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.more, 4 * 1 * m);
  /* 128 bytes for each of 4096 pages; of 10^6 pages, 2 MiB; twice. */
  struct planning q = {
      .request = &request, .all.page = 2 * m, .profile.sites = p.profile.sites};
  struct candidate small = {
      .what = PLAN_SITE_SMALL, .site = 0, .arena = true, .bytes = 16 * m};
  planning_add_costs(&q, &small, 1);
  CU_ASSERT_EQUAL(q.costs.on_base, 2 * 4096 * 128);
  small.bytes = 4096 * UINT64_C(1000000);
  planning_add_costs(&q, &small, 1);
  CU_ASSERT_EQUAL(q.costs.on_base, 2 * 4096 * 128 + 2 * 2 * m);
}

/* By hand: of 93 MiB in all, tables of 48 and 24 MiB were there at once; half
 * of the other 21 are left.  Of a part, all blocks have mappings.  Small blocks
 * of an arena take what is left, those without one do not. */
static void test_what_tables_leave(void) {
  const uint64_t m = 1 << 20;
  struct profile_site site = {.kind = "heap",
                              .smallest = m,
                              .largest = 48 * m,
                              .bytes = 94 * m,
                              .small_bytes = m,
                              .large = 5,
                              .large_peak = 72 * m};
  const struct plan_request request = {.pages = "thp"};
  struct planning p = {.request = &request,
                       .all.page = 2 * m,
                       .profile.sites = {.site = &site, .count = 1}};
  struct candidate c = {.what = PLAN_SITE_LARGE};
  planning_add_costs(&p, &c, 1);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2.);
  c.to = 16 * m;
  planning_add_costs(&p, &c, 1);
  c.from = 4 * m;
  planning_add_costs(&p, &c, 1);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2.);
  c = (struct candidate){.what = PLAN_SITE_LARGE};
  planning_add_costs(&p, &c, 1);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m);
  struct candidate both[2] = {c, {.what = PLAN_SITE_SMALL, .touched = 8 * m}};
  p.costs.more = 0;
  planning_add_costs(&p, both, 2);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2.);
  both[1].arena = true;
  p.costs.more = 0;
  planning_add_costs(&p, both, 2);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2. - 8 * m);
  both[1].touched = 40 * m;
  p.costs.more = 0;
  planning_add_costs(&p, both, 2);
  CU_ASSERT_EQUAL(p.costs.more, 0);
  both[1].to = 40 * m; /* the first of more, which were there before */
  planning_add_costs(&p, both, 2);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2.);
  both[1].to = 0;
  /* Where these are in an arena themselves, their bytes have what is freed. */
  both[0].arena = true;
  both[0].at_peak = 0.5;
  both[0].bytes = 90 * m;
  both[0].touched = 80 * m;
  p.costs.more = 0;
  planning_add_costs(&p, both, 2);
  CU_ASSERT_EQUAL(p.costs.more, 5. * m - 9. * m);
  p.costs.more = 0;
  site.smallest = 32 * m;
  planning_add_costs(&p, &c, 1);
  CU_ASSERT_EQUAL(p.costs.more, 0);
}

/* By hand: what is chosen is faulted in as often as the profile says.  Of 1015
 * faults 500 are the heap's at most; of half as many, malloc()'s memory is
 * faulted in twice, in an arena only once, but not large blocks. */
static void test_memory_that_is_faulted_in_again(void) {
  const uint64_t m = 1 << 20;
  struct profile_site sites[] = {
      {.kind = "mapping", .pages = {20}, .faults = 400},
      {.kind = "mapping", .pages = {66}, .faults = 99},
      {.kind = "file", .bytes = m / 4, .pages = {100}, .faults = 16},
      {.kind = "heap", .pages = {400}}};
  const struct plan_request request = {.pages = "thp"};
  struct planning p = {.request = &request,
                       .all.page = 2 * m,
                       .table.native = {.runs = 1, .faults = 51 + 1015},
                       .profile.sites = {.site = sites, .count = 4}};
  struct candidate small = {.what = PLAN_SITE_SMALL,
                            .touched = m,
                            .bytes = 2 * m,
                            .times = 20},
                   heap = {.what = PLAN_HEAP,
                           .site = CANDIDATE_NO_SITE,
                           .touched = 4 * m,
                           .times = 1};
  planning_add_costs(&p, &small, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_now, 20 * m);
  CU_ASSERT_EQUAL(p.costs.faulted_then, 20 * 2 * m);
  p.costs.faulted_now = 0;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_now, 500 * 4096);
  /* 1500 of the heap and 500 of others: of 1000, three quarters. */
  sites[3].faults = 1500;
  p.table.native.faults = 51 + 1000;
  p.costs.faulted_now = 0;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_DOUBLE_EQUAL(p.costs.faulted_now, 1000 * 4096 * 1500. / 2015, 1e-6);
  p.table.native.faults = 51 + 1015;
  sites[3].faults = 250;
  struct candidate parts[] = {
      {.what = PLAN_HEAP,
       .site = CANDIDATE_NO_SITE,
       .touched = 64 * 4096,
       .times = 3},
      {.what = PLAN_SITE_SMALL,
       .site = 3,
       .arena = true,
       .touched = m,
       .bytes = 2 * m,
       .times = 1.5},
      {.what = PLAN_SITE_LARGE, .site = 3, .touched = m, .times = 3}};
  const double faulted[] = {2 * 3 * 64 * 4096, 3 * m, 3 * m};
  for (int i = 0; i < 3; i++) {
    p.costs.faulted_now = p.costs.faulted_then = 0;
    planning_add_costs(&p, &parts[i], 1);
    CU_ASSERT_EQUAL(p.costs.faulted_now, faulted[i]);
    if (parts[i].arena) CU_ASSERT_EQUAL(p.costs.faulted_then, 2 * m);
  }
}

/* By hand: 250 faults are the 50 of processes before they executed another, 20
 * of static data, which lies before the heap, and 180 of the heap. */
static void test_faults_of_others(void) {
  struct profile_site sites[] = {
      {.kind = "heap", .faults = 80, .heats = 1},
      {.kind = "break", .faults = 30, .heat = 1, .heats = 2}};
  struct profile_heat heats[] = {
      {.site = 0, .block = PROFILE_SMALL, .unit = 4, .pages = 80},
      {.site = 1, .block = PROFILE_SMALL, .unit = 3, .pages = 20},
      {.site = 1, .block = PROFILE_SMALL, .unit = 4, .pages = 10}};
  const struct plan_request request = {.pages = "thp"};
  struct planning p = {.request = &request,
                       .all.page = 2 << 20,
                       .table.native = {.runs = 1, .faults = 51 + 250},
                       .profile = {.left = 50,
                                   .heats = {.heat = heats, .count = 3},
                                   .sites = {.site = sites, .count = 2}}};
  struct candidate heap = {.what = PLAN_HEAP,
                           .site = CANDIDATE_NO_SITE,
                           .touched = 90 * 4096,
                           .times = 1};
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_DOUBLE_EQUAL(p.costs.faulted_now, 180 * 4096, 1e-6);
}

/* By hand: of 100 faults of a table 40 are of pages that are read first; a part
 * that has 50 of them saves 20 faults more, the heap all 48.  They are none
 * that malloc() makes again: of 248 faults in all, 100 of 250 and 48 of these
 * are others'. */
static void test_pages_that_are_read_first(void) {
  const uint64_t m = 1 << 20;
  struct profile_site sites[] = {
      {.kind = "heap", .faults = 100, .read_first = 40},
      {.kind = "heap", .faults = 50, .read_first = 8},
      {.kind = "mapping", .faults = 50},
      {.kind = "break", .faults = 10, .read_first = 5}};
  const struct plan_request request = {.pages = "thp"};
  struct planning p = {.request = &request,
                       .all.page = 2 * m,
                       .table.native = {.runs = 1, .faults = 51 + 2 * 17 + 263},
                       .profile.processes = 2,
                       .profile.sites = {.site = sites, .count = 4}};
  struct candidate part = {.what = PLAN_SITE_LARGE,
                           .site = 0,
                           .touched = 50 * 4096,
                           .bytes = 2 * m,
                           .times = 1},
                   heap = {.what = PLAN_HEAP,
                           .site = CANDIDATE_NO_SITE,
                           .touched = 160 * 4096,
                           .bytes = 2 * m,
                           .times = 1},
                   data = {.what = PLAN_DATA,
                           .site = CANDIDATE_NO_SITE,
                           .touched = 2 * 4096,
                           .bytes = 2 * m,
                           .times = 1};
  planning_add_costs(&p, &part, 1);
  CU_ASSERT_EQUAL(p.costs.read_first, 20);
  CU_ASSERT_EQUAL(p.costs.faulted_now, 50 * 4096);
  planning_costs(&p);
  CU_ASSERT_EQUAL(p.plan.harm.faults_saved, 50 + 20 - 1);
  p.costs.faulted_now = p.costs.read_first = 0;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_now, 160 * 4096);
  CU_ASSERT_EQUAL(p.costs.read_first, 40 + 8 + 5);
  p.costs.read_first = 0;
  planning_add_costs(&p, &data, 1);
  CU_ASSERT_EQUAL(p.costs.read_first, 1);
  /* Of 53, as 13 faults more than first ones were measured, 13 were written. */
  p.table.native.faults -= 40;
  p.costs.faulted_now = p.costs.read_first = 0;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_now, 160 * 4096);
  CU_ASSERT_DOUBLE_EQUAL(p.costs.read_first, 13, 1e-9);
  page_plan_fini(&p.plan);
}

/* By hand: of a size between, pages of the site that is chosen, not of others;
 * of the heap, of all of its sites.  A has 100 base pages on 10 pages of 64
 * KiB, B has 100 on 50; so of 200 base pages of both, 60. */
static void test_pages_of_a_site(void) {
  const uint64_t k = 1 << 10;
  struct profile_site sites[] = {{.kind = "heap", .pages = {100, 10}},
                                 {.kind = "heap", .pages = {100, 50}},
                                 {.kind = "mapping", .pages = {100, 100}}};
  const struct plan_request request = {.pages = "thp-64k"};
  struct planning p = {.request = &request,
                       .all.page = 2048 * k,
                       .profile = {.trees = 2,
                                   .tree = {{.name = "4k"}, {.name = "64k"}},
                                   .sites = {.site = sites, .count = 3}}};
  struct candidate a = {.what = PLAN_SITE_LARGE,
                        .site = 0,
                        .touched = 400 * k,
                        .times = 1,
                        .bytes = 64 * 1024 * k},
                   heap = {.what = PLAN_HEAP,
                           .site = CANDIDATE_NO_SITE,
                           .touched = 800 * k,
                           .times = 1,
                           .bytes = 64 * 1024 * k};
  planning_add_costs(&p, &a, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_then, 10 * 64 * k);
  p.costs.faulted_then = 0;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_DOUBLE_EQUAL(p.costs.faulted_then, 60. * 64 * k, 1e-3);
}

static const struct check_test tests[] = {
    {"blocks that glibc maps", test_blocks_that_glibc_maps},
    {"ends of what glibc maps", test_ends_of_what_glibc_maps},
    {"what tables that grow leave", test_what_tables_leave},
    {"memory that is faulted in again", test_memory_that_is_faulted_in_again},
    {"faults of others", test_faults_of_others},
    {"pages that are read first", test_pages_that_are_read_first},
    {"pages of a site, and of the heap", test_pages_of_a_site},
    {NULL, NULL}};

const struct check_suite suite_plan_costs = {"plan costs", tests, NULL};
