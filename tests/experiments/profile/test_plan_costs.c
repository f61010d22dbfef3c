/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What chosen memory costs, by sites that are made here. */
#include "experiments/profile/planning.h"
#include "tests/experiments/suites.h"

/* By hand: an array that doubled from 2 to 32 MiB had four mappings of its own;
 * blocks of one size have one together.  Each has two ends, which are half a
 * page on average.  Blocks of 1 MiB have no larger page. */
static void test_ends_of_what_glibc_maps(void) {
  const uint64_t m = 1 << 20;
  struct profile_site sites[] = {
      {.kind = "heap",
       .smallest = 24,
       .largest = 32 * m,
       .bytes = 62 * m,
       .large = 4,
       .large_peak = 48 * m},
      {.kind = "heap",
       .smallest = 8 * m,
       .largest = 8 * m,
       .large = 30,
       .large_peak = 24 * m},
      {.kind = "mapping",
       .smallest = 8 * m,
       .largest = 8 * m,
       .large = 1,
       .large_peak = 8 * m},
      {.kind = "heap", .blocks = 4, .bytes = 4 * m, .pages = {700}}};
  const struct plan_request request = {.pages = "thp"};
  struct planning p = {.request = &request,
                       .all.page = 2 * m,
                       .profile.sites = {.site = sites, .count = 4}};
  struct candidate heap = {.what = PLAN_HEAP, .site = CANDIDATE_NO_SITE};
  struct candidate array = {.what = PLAN_SITE_LARGE, .site = 0};
  planning_add_costs(&p, &array, 1);
  CU_ASSERT_EQUAL(p.costs.on_base, 0);
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.on_base, 2 * (4 + 1) * m + 700 * 4096);
  /* Three more threads have 2 MiB each, or a quarter of 4 MiB; of a few bytes
   * of another site, a page. */
  p.costs.on_base = 0;
  p.all.glibc = true;
  p.profile.processes = 1;
  p.profile.threads = 4;
  sites[3].small_chunks = 4 * m;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_DOUBLE_EQUAL(p.costs.on_base,
                         2 * (4 + 1) * m + 700 * 4096 + 3 * 1 * m, 4096);
  sites[3].small_chunks = 400 * m;
  p.costs.on_base = 0;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_EQUAL(p.costs.on_base, 2 * (4 + 1) * m + 700 * 4096 + 3 * 2 * m);
  /* Of another malloc() than glibc's, 1 MiB more for each of four threads. */
  p.costs.more = 0;
  p.all.glibc = false;
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
 * of the other 21 are left.  Of the first 16 MiB of each, half of 16; a part
 * that begins later has all blocks by themselves. */
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
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2. + 8 * m);
  c.from = 4 * m;
  planning_add_costs(&p, &c, 1);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2. + 8 * m);
  c = (struct candidate){.what = PLAN_SITE_LARGE};
  site.smallest = 32 * m;
  planning_add_costs(&p, &c, 1);
  CU_ASSERT_EQUAL(p.costs.more, 21 * m / 2. + 8 * m);
}

/* By hand: 20 mappings of 1 MiB one after the other are 20 times as many faults
 * as they have pages; of large ones, 3 of which there are 2 at once, 1.5 times;
 * of 1015 faults 500 are the heap's at most. */
static void test_mappings_are_new(void) {
  const uint64_t m = 1 << 20;
  struct profile_site sites[] = {{.kind = "mapping",
                                  .blocks = 20,
                                  .bytes = 20 * m,
                                  .peak = m,
                                  .pages = {20}},
                                 {.kind = "mapping",
                                  .blocks = 3,
                                  .bytes = 12 * m,
                                  .peak = 12 * m,
                                  .large = 3,
                                  .large_peak = 8 * m,
                                  .pages = {66}},
                                 {.kind = "file", .bytes = m, .pages = {100}},
                                 {.kind = "heap", .pages = {900}}};
  const struct plan_request request = {.pages = "thp"};
  struct planning p = {.request = &request,
                       .all.page = 2 * m,
                       .table.native = {.runs = 1, .faults = 1015},
                       .profile.sites = {.site = sites, .count = 4}};
  struct candidate small = {.what = PLAN_SITE_SMALL, .touched = m},
                   large = {.what = PLAN_SITE_LARGE,
                            .site = 1,
                            .touched = 8 * m},
                   heap = {.what = PLAN_HEAP,
                           .site = CANDIDATE_NO_SITE,
                           .touched = 4 * m};
  planning_add_costs(&p, &small, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_now, 20 * m);
  planning_add_costs(&p, &large, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_now, 20 * m + 12 * m);
  p.costs.faulted_now = 0;
  planning_add_costs(&p, &heap, 1);
  /* 1015 faults less 400 and 99 of mappings and 16 of the file */
  CU_ASSERT_EQUAL(p.costs.faulted_now, 500 * 4096);
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
                        .bytes = 64 * 1024 * k},
                   heap = {.what = PLAN_HEAP,
                           .site = CANDIDATE_NO_SITE,
                           .touched = 800 * k,
                           .bytes = 64 * 1024 * k};
  planning_add_costs(&p, &a, 1);
  CU_ASSERT_EQUAL(p.costs.faulted_then, 10 * 64 * k);
  p.costs.faulted_then = 0;
  planning_add_costs(&p, &heap, 1);
  CU_ASSERT_DOUBLE_EQUAL(p.costs.faulted_then, 60. * 64 * k, 1e-3);
}

static const struct check_test tests[] = {
    {"ends of what glibc maps", test_ends_of_what_glibc_maps},
    {"what tables that grow leave", test_what_tables_leave},
    {"mappings are new memory", test_mappings_are_new},
    {"pages of a site, and of the heap", test_pages_of_a_site},
    {NULL, NULL}};

const struct check_suite suite_plan_costs = {"plan costs", tests, NULL};
