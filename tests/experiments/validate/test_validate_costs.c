/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operation asks of a machine, by hand: ten operations, 8 MiB. */
#include <jansson.h>
#include <math.h>

#include "experiments/validate/profile_costs.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

enum { OPS = 10 };

static struct cal_point stream_points[] = {{1 << 20, 3, 3, 3},
                                           {1 << 24, 5, 5, 5}};
/* x t(x) grows by 3 a byte from 2^20 to 2^24. */
static struct cal_point random_points[] = {{1 << 20, 2, 2, 2},
                                           {1 << 24, 2.9375, 2.9375, 2.9375}};
static struct cal_curve curves[] = {
    {.name = "stream_read",
     .pages = "4k",
     .chains = 1,
     .points = stream_points,
     .count = 2},
    {.name = "stream_read",
     .pages = "thp",
     .chains = 1,
     .points = stream_points,
     .count = 1},
    {.name = "random_read",
     .pages = "4k",
     .chains = 1,
     .points = random_points,
     .count = 2},
};

static struct cal_value number(double value) {
  return (struct cal_value){value, value, value};
}

static struct cal_level level(double bytes, double ns, double in_flight) {
  return (struct cal_level){.bytes_reported = bytes,
                            .bytes_usable = number(bytes),
                            .ns = number(ns),
                            .in_flight = number(in_flight)};
}

static struct cal_pages pages(const char *kind, double bytes, double tau) {
  struct cal_pages p = {.page_bytes = bytes,
                        .granularity_bytes = 4096,
                        .tlbs = 2,
                        .tau_ns = number(tau),
                        .tc_nodes = number(1000),
                        .walks_in_flight = number(4)};
  snprintf(p.kind, sizeof p.kind, "%s", kind);
  p.tlb[0] = (struct cal_tlb){number(64), number(2)};
  p.tlb[1] = (struct cal_tlb){number(1000), number(tau)};
  p.table_line_ns[1] = number(3);
  p.table_line_ns[2] = number(30);
  return p;
}

static void make_calibration(struct calibration *cal) {
  *cal = (struct calibration){
      .level_count = 3, .page_count = 3, .curves = curves, .curve_count = 3};
  cal->levels[0] = level(32768, 1, 10);
  cal->levels[1] = level(1 << 20, 5, 5);
  cal->levels[2] = level(NAN, 100, 20);
  cal->pages[0] = pages("4k", 4096, 20);
  cal->pages[1] = pages("1g", 1 << 30, NAN);
  cal->pages[2] = pages("thp", 1 << 21, 10);
}

static struct reuse_profile profile;

static void make_profile(void) {
  profile = (struct reuse_profile){.workspace_bytes = 8 << 20,
                                   .ram_ops = OPS,
                                   .pages_count = 2,
                                   .tc_count = 2};
  profile.pages[0].page_bits = 12;
  profile.pages[1].page_bits = 21;
}

/* At most `most` where `mean` are expected (Poisson's distribution). */
static double at_most(int most, double mean) {
  double term = exp(-mean), sum = term;
  for (int i = 1; i <= most; i++) sum += term *= mean / i;
  return sum;
}

static void near(double value, double truth) {
  CU_ASSERT_DOUBLE_EQUAL(value, truth, 1e-6);
}

static void test_lines_by_level(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  struct reuse_histogram *lines = &profile.lines[REUSE_OTHER];
  lines->count[0] = 1e6;                 /* the same lines again */
  lines->count[reuse_bucket(16)] = 40;   /* within the first level */
  lines->count[reuse_bucket(4096)] = 20; /* 256 KiB: the second */
  lines->cold = 5;                       /* 8 MiB: memory */
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.waits->stepped[REUSE_OTHER], (20 * 4 + 5 * 99) / 10.0);
  near(costs.waits->stepped[REUSE_STREAM], 0);
  near(costs.streams, 0);
  near(costs.vat, 0);
}

static void test_lines_fall_into_sets(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  /* 16384 .. 18431 lines, the middle of it; a cache of 16384 has 16 ways. */
  profile.lines[REUSE_OTHER].count[reuse_bucket(16384)] = 10;
  costs_of(&costs, &cal, "4k", &profile);
  double stays = at_most(15, 16 * 17407.5 / 16384);
  CU_ASSERT(stays > 0.35 && stays < 0.4);
  near(costs.waits->stepped[REUSE_OTHER], 99);
  near(costs.waits->spread[REUSE_OTHER], 4 * stays + 99 * (1 - stays));
}

static void test_lines_are_counted(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  profile.lines[REUSE_OTHER].count[reuse_bucket(4096)] = 20;
  profile.kinds[VAT_LOAD][REUSE_OTHER].count[reuse_bucket(16)] = 60;
  struct reuse_histogram *stores = &profile.kinds[VAT_STORE][REUSE_STREAM];
  stores->count[reuse_bucket(16384)] = 10; /* as above */
  stores->cold = 5;
  costs_of(&costs, &cal, "4k", &profile);
  double stays = at_most(15, 16 * 17407.5 / 16384);
  const struct costs_counts *stepped = costs.stepped_counts;
  near(stepped[REUSE_OTHER].at[COSTS_LINES][1], 20 / 10.0);
  near(stepped[REUSE_OTHER].at[COSTS_LINES][2], 0);
  near(stepped[REUSE_OTHER].at[COSTS_LOADS][0], 60 / 10.0);
  near(stepped[REUSE_OTHER].at[COSTS_WRITEBACKS][2], 0);
  near(stepped[REUSE_STREAM].at[COSTS_WRITEBACKS][2], 15 / 10.0);
  const struct costs_counts *spread = &costs.spread_counts[REUSE_STREAM];
  near(spread->at[COSTS_WRITEBACKS][1], stays);
  near(spread->at[COSTS_WRITEBACKS][2], 1 - stays + 5 / 10.0);
}

static void test_streams_by_bandwidth(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  profile.lines[REUSE_STREAM].cold = 4;
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.streams, 4 * 4.5 / 10); /* 2^23 between 2^20: 3 and 2^24: 5 */
  near(costs.waits->stepped[REUSE_STREAM], 4 * 99 / 10.0);
  near(costs.waits->stepped[REUSE_OTHER], 0);
  costs_of(&costs, &cal, "thp", &profile);
  near(costs.streams, 4 * 3 / 10.0);
}

static void test_lines_at_best(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  profile.lines[REUSE_OTHER].count[0] = 1e6;                 /* c has them */
  profile.lines[REUSE_OTHER].count[reuse_bucket(4096)] = 20; /* 256 KiB */
  profile.lines[REUSE_OTHER].cold = 5;
  profile.lines[REUSE_STREAM].cold = 1000;
  profile.pages[0].pages.cold = 25; /* each in a page that was not in use */
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.best, (20 * 2 + 5 * 3) / 10.0);
  profile.pages[0].pages.cold = 0; /* none */
  cal.levels[1].read_ns.value = 1.5;
  cal.levels[2].read_ns.value = 2.5;
  costs_of(&costs, &cal, "4k", &profile);
  double stays = at_most(15, 16 * 4351.5 / 16384); /* 4096 .. 4607 lines */
  near(costs.best, (20 * (2.5 - stays) + 5 * 2.5) / 10);
  profile.pages[0].pages.cold = 25;
  costs_of(&costs, &cal, "thp", &profile);
  CU_ASSERT(isnan(costs.best));
}

/* Of a cycle of d pages through room for e, the share s that misses is the root
 * of s = 1 - exp(-s d / e): for d / e = 2 ln 2 it is a half. */
static void test_tlbs_make_room_at_random(void) {
  struct calibration cal;
  struct costs costs;
  double distance = 2000 * log(2), one = 1;
  CU_ASSERT_DOUBLE_EQUAL(costs_random_misses(&distance, &one, 1, 1000), 0.5,
                         1e-6);
  CU_ASSERT(costs_random_misses(&one, &one, 1, 1000) < 0.02);
  CU_ASSERT_EQUAL(costs_random_misses(&one, &one, 0, 1000), 0);
  double two[2] = {10, 1e9}, counts[2] = {0, 4};
  near(costs_random_misses(two, counts, 2, 1000), 1);
  make_calibration(&cal);
  make_profile();
  profile.pages[0].pages.count[reuse_bucket(20)] = 1e6; /* the first TLB's */
  profile.pages[0].pages.cold = 6; /* 2048 pages, room for 1000 */
  costs_of(&costs, &cal, "4k", &profile);
  double all = 2048, share = costs_random_misses(&all, &one, 1, 1000);
  CU_ASSERT(share > 0.7 && share < 0.95);
  near(costs.waits->measured[COSTS_RANDOM].walk, share * 6 * 20 / 10.0);
  near(costs.waits->measured[COSTS_LRU].walk, 6 * 20 / 10.0);
  cal.pages[0].tlb[0].entries.value = NAN; /* nobody knows what passes it */
  costs_of(&costs, &cal, "4k", &profile);
  CU_ASSERT_EQUAL(costs.waits->measured[COSTS_RANDOM].walk, 0);
}

static void test_translations_by_granularity(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  profile.pages[0].pages.count[reuse_bucket(512)] = 30;
  profile.pages[0].pages.cold = 6; /* 2048 pages */
  profile.pages[1].pages.cold = 3; /* 4 pages */
  profile.tc_misses[0] = 7;
  profile.tc_misses[1] = 1;
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.waits->measured[COSTS_LRU].tlb, (30 + 6) * 2 / 10.0);
  near(costs.waits->measured[COSTS_LRU].walk, 6 * 20 / 10.0);
  near(costs.waits->measured[COSTS_LRU].walk_best, 6 * 20 / 4.0 / 10);
  near(costs.waits->asked[COSTS_LRU].tlb, costs.waits->measured[COSTS_LRU].tlb);
  near(costs.vat, 7 * 20 / 10.0);
  costs_of(&costs, &cal, "thp", &profile);
  near(costs.waits->asked[COSTS_LRU].tlb, 0);
  near(costs.waits->asked[COSTS_LRU].walk, 0);
  near(costs.waits->measured[COSTS_LRU].tlb, (30 + 6) * 2 / 10.0);
  near(costs.waits->measured[COSTS_LRU].walk, 6 * 10 / 10.0);
  near(costs.vat, 1 * 10 / 10.0);
}

/* Of 6 walks 2 are for 128 lines of streams: 64 lines lie in a page. */
static void test_streams_have_walks(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  profile.pages[0].pages.cold = 6; /* 2048 pages: beyond 1000 */
  profile.lines[REUSE_STREAM].cold = 128;
  profile.lines[REUSE_STREAM].count[reuse_bucket(6400)] = 640; /* 100 pages */
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.waits->measured[COSTS_LRU].walk, 6 * 20 / 10.0);
  near(costs.waits->measured[COSTS_LRU].streamed, 2 * 20 / 10.0);
  profile.lines[REUSE_STREAM].cold = 12800; /* no more than all */
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.waits->measured[COSTS_LRU].streamed, 6 * 20 / 10.0);
}

static void test_table_lines_are_data(void) {
  struct calibration cal;
  struct costs costs;
  make_calibration(&cal);
  make_profile();
  double(*joint)[REUSE_COARSE + 1] = profile.pages[0].joint;
  joint[REUSE_COARSE][REUSE_COARSE] = 2;           /* memory, 30 each */
  joint[reuse_coarse(2048)][reuse_coarse(64)] = 5; /* 64 .. 95 lines */
  joint[reuse_coarse(512)][REUSE_COARSE] = 100;    /* no walk */
  /* The same by distances in lines of data and in table lines. */
  double(*tables)[REUSE_COARSE + 1] = profile.pages[0].tables_joint;
  tables[REUSE_COARSE][REUSE_COARSE] = 102;
  tables[reuse_coarse(64)][reuse_coarse(64)] = 5;
  double near_lines = 79.5 + 79.5; /* as many tables as data */
  double stays = at_most(15, 16 * near_lines * 64 / 32768);
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.waits->measured[COSTS_LRU].table,
       (2 * 30 + 5 * (1 - stays) * 3) / 10);
  near(costs.waits->measured[COSTS_LRU].table_best,
       costs.waits->measured[COSTS_LRU].table / 4);

  /* On a virtual machine a walk of small pages has two such lines; what
   * calibration did not find costs what data do beyond the second level. */
  cal.machine = json_pack("{s {s b}}", "vm", "is_vm", true);
  cal.pages[0].table_line_ns[2] = number(NAN);
  near_lines = 79.5 + 2 * 79.5;
  stays = at_most(15, 16 * near_lines * 64 / 32768);
  costs_of(&costs, &cal, "4k", &profile);
  near(costs.waits->measured[COSTS_LRU].table,
       (2 * 2 * (100 - 5) + 5 * (1 - stays) * 2 * 3) / 10);
  json_decref(cal.machine);
}

static void test_what_profiles_must_hold(void) {
  struct calibration cal;
  struct reuse_params params;
  make_calibration(&cal);
  costs_params(&cal, &params);
  CU_ASSERT_EQUAL(params.page_bits_count, 2);
  CU_ASSERT_EQUAL(params.page_bits[0], 12);
  CU_ASSERT_EQUAL(params.page_bits[1], 21);
  CU_ASSERT_EQUAL_FATAL(params.tc_count, 2);
  CU_ASSERT_EQUAL(params.tcs[0].levels, 4);
  CU_ASSERT_EQUAL(params.tcs[0].nodes, 1024); /* 1000, rounded */
  CU_ASSERT_EQUAL(params.tcs[1].page_bits, 21);
  CU_ASSERT_EQUAL(params.tcs[1].levels, 3);
  CU_ASSERT_PTR_NULL(costs_missing(&cal, "4k"));
  CU_ASSERT_PTR_NOT_NULL(costs_missing(&cal, "1g")); /* no tau */
  CU_ASSERT_PTR_NULL(costs_missing(&cal, "2m"));     /* thp are as large */
  cal.page_count = 1;
  CU_ASSERT_PTR_NOT_NULL(costs_missing(&cal, "2m")); /* not there */
}

static const struct check_test tests[] = {
    {"lines come from the level that holds them", test_lines_by_level},
    {"lines fall into sets at random", test_lines_fall_into_sets},
    {"lines are counted by level", test_lines_are_counted},
    {"streams go by the bandwidth measured", test_streams_by_bandwidth},
    {"lines come no faster than random reads", test_lines_at_best},
    {"the last TLB makes room at random", test_tlbs_make_room_at_random},
    {"translations go by what an entry maps", test_translations_by_granularity},
    {"streams have walks of their own", test_streams_have_walks},
    {"table lines are data in the caches", test_table_lines_are_data},
    {"profiles hold what calibrated pages ask for",
     test_what_profiles_must_hold},
    {NULL, NULL}};

const struct check_suite suite_validate_costs = {.name = "validate_costs",
                                                 .tests = tests};
