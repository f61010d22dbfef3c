/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/profile/profile_walks.h"
#include "experiments/profile/what_if_table.h"
#include "tests/experiments/profile/flat_machine.h"
#include "tests/experiments/profile/two_sites.h"
#include "tests/experiments/suites.h"

enum { MISSES = 640000 };

/* With 9 lines of data for each miss of the first burst, which stands for as
 * many misses as all others together, and none for theirs: 4.5 a miss. */
static void test_traffic_by_hand(void) {
  struct profile p;
  two_sites_make(&p, MISSES, 1, 1);
  CU_ASSERT_EQUAL(what_if_traffic(&p), 1);
  p.flow.burst[0].period =
      (1000 + TWO_SITES_LENGTH) * (TWO_SITES_BURSTS - 1) - TWO_SITES_LENGTH;
  p.flow.burst[0].fills = (uint64_t)9 * TWO_SITES_LENGTH;
  CU_ASSERT_DOUBLE_EQUAL(what_if_traffic(&p), (1 + 4.5) / 2, 1e-12);
  profile_fini(&p);
  two_sites_make(&p, 0, 1, 1);
  CU_ASSERT_EQUAL(what_if_traffic(&p), 1);
  profile_fini(&p);
}

static struct what_if predict_for(const struct profile *profile, double walk_ns,
                                  double user_s, bool planned,
                                  const bool *given) {
  struct calibration cal;
  struct what_if what = {0};
  struct what_if_input input = {.profile = profile,
                                .planned = planned,
                                .given = given,
                                .traffic = what_if_traffic(profile),
                                .time = {user_s, user_s, user_s},
                                .machine = {100, 4},
                                .machine_lo = {200, 4},
                                .machine_hi = {50, 4}};
  flat_machine_make(&cal, walk_ns);
  CU_ASSERT_PTR_NULL(
      walk_costs_make(&input.costs, &cal, "4k", "2m", 12288, input.traffic));
  what_if_make(&what, &input);
  calibration_fini(&cal);
  return what;
}

static struct what_if predict(const struct profile *profile, double walk_ns,
                              double user_s) {
  return predict_for(profile, walk_ns, user_s, false, NULL);
}

/* As below, but all that the second site misses is saved: another quarter. */
static void test_given_by_hand(void) {
  const bool given[3] = {false, true, false};
  struct profile p;
  two_sites_make(&p, MISSES, 1, 1);
  struct what_if what = predict_for(&p, 40, 1, false, given);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, 0.0257, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.covered, 1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[0].value, 0.01285, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[1].value, 0.01285, 1e-5);
  what_if_fini(&what);
  profile_fini(&p);
}

/* As below, but a plan takes away what the second site misses, also where
 * nothing can be huge: half. */
static void test_plan_by_hand(void) {
  struct profile p;
  two_sites_make(&p, MISSES, 1, 1);
  profile_walks_add(&p, 1, 2, 10, MISSES / 2);
  for (size_t i = 1; i < p.flow.waits; i += 2)
    p.flow.wait[i].flags |= PROFILE_PLANNED;
  struct what_if what = predict_for(&p, 40, 1, true, NULL);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, 0.01285, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.covered, 0.5, 1e-12);
  CU_ASSERT_EQUAL(what.sites[0].value, 0);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[1].value, 0.01285, 1e-5);
  what_if_fini(&what);
  profile_fini(&p);
}

/* Each access misses, and waits for the one before: all of 3/4 x 640000 x 40.16
 * ns is saved, of 1 s. */
static void test_chain_by_hand(void) {
  struct profile p;
  two_sites_make(&p, MISSES, 1, 1);
  struct what_if what = predict(&p, 40, 1);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, 0.01927, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.ratio.value, 0.98073, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.covered, 0.75, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[0].value, 0.01285, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[1].value, 0.00642, 1e-5);
  CU_ASSERT_EQUAL(what.sites[2].value, 0);
  what_if_fini(&what);
  profile_fini(&p);
}

/* As long as all of it took, in which not all can have waited. */
static void test_waits_that_did_not_fit(void) {
  struct profile p;
  two_sites_make(&p, MISSES, 1, 1);
  struct what_if whole = predict(&p, 40, 1), what = predict(&p, 40, 0.012);
  CU_ASSERT_DOUBLE_EQUAL(whole.overlap, 1, 1e-3);
  CU_ASSERT(what.overlap > 0.3 && what.overlap < 0.6);
  CU_ASSERT(what.saved_s.value < 0.012);
  what_if_fini(&whole);
  what_if_fini(&what);
  profile_fini(&p);
}

/* Independent misses, four walks at once: a quarter of it at least, and with a
 * window that holds many of them not much more. */
static void test_independent_misses_overlap(void) {
  struct profile p;
  two_sites_make(&p, MISSES, 1, 0);
  struct what_if what = predict(&p, 40, 0.007);
  CU_ASSERT(what.overlap >= 0.2 && what.overlap < 0.4);
  what_if_fini(&what);
  profile_fini(&p);
}

static void test_no_misses_save_nothing(void) {
  struct profile p;
  two_sites_make(&p, 0, 1, 0);
  struct what_if what = predict(&p, 40, 1);
  CU_ASSERT_EQUAL(what.saved_s.value, 0);
  CU_ASSERT_EQUAL(what.ratio.value, 1);
  CU_ASSERT_EQUAL(what.ratio.lo, 1);
  CU_ASSERT_EQUAL(what.ratio.hi, 1);
  what_if_fini(&what);
  profile_fini(&p);
}

/* Over many programs: ratios in (0, 1] and in their intervals, sites that add
 * up, and more misses that save no less. */
static void test_properties(void) {
  struct cpu_random random = {.state = 11};
  for (int round = 0; round < 24; round++) {
    uint64_t misses = 4 + cpu_random_below(&random, 1000000);
    uint32_t gap = 1 + (uint32_t)cpu_random_below(&random, 300);
    unsigned back = (unsigned)cpu_random_below(&random, 3);
    double walk = (double)cpu_random_below(&random, 100);
    double user_s = 0.001 * (double)(1 + cpu_random_below(&random, 1000));
    struct profile p, more;
    two_sites_make(&p, misses, gap, back);
    two_sites_make(&more, 2 * misses, gap, back);
    struct what_if what = predict(&p, walk, user_s);
    struct what_if twice = predict(&more, walk, 2 * user_s);
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += what.sites[i].value;
    bool good = what.ratio.value > 0 && what.ratio.value <= 1 &&
                what.ratio.lo <= what.ratio.value + 1e-12 &&
                what.ratio.hi >= what.ratio.value - 1e-12 &&
                fabs(sum - what.saved_s.value) <= 1e-9 * what.saved_s.value &&
                twice.saved_s.value >= what.saved_s.value * (1 - 1e-6);
    if (!good)
      printf("\nround %d: %g (%g %g), sites %g of %g, twice %g\n", round,
             what.ratio.value, what.ratio.lo, what.ratio.hi, sum,
             what.saved_s.value, twice.saved_s.value);
    CU_ASSERT_FATAL(good);
    what_if_fini(&what);
    what_if_fini(&twice);
    profile_fini(&p);
    profile_fini(&more);
  }
}

static void note_share(void *context, double done) {
  double *shares = context; /* how many, the last, whether they fell */
  shares[0]++;
  if (done < shares[1]) shares[2] = 1;
  shares[1] = done;
}

/* For people who wait. */
static void test_progress(void) {
  struct profile p;
  double shares[3] = {0};
  struct calibration cal;
  struct what_if what = {0};
  struct what_if_input input = {.profile = &p,
                                .traffic = 1,
                                .time = {0.012, 0.012, 0.012},
                                .machine = {100, 4},
                                .machine_lo = {200, 4},
                                .machine_hi = {50, 4},
                                .tick = note_share,
                                .context = shares};
  two_sites_make(&p, MISSES, 1, 1);
  flat_machine_make(&cal, 40);
  walk_costs_make(&input.costs, &cal, "4k", "2m", 12288, 1);
  what_if_make(&what, &input);
  CU_ASSERT(shares[0] > 30 && shares[1] > 0.8 && shares[1] <= 1);
  CU_ASSERT_EQUAL(shares[2], 0);
  what_if_fini(&what);
  calibration_fini(&cal);
  profile_fini(&p);
}

static void test_tlbs_as_calibrated(void) {
  struct calibration cal = {.page_count = 1};
  struct cal_pages *pages = &cal.pages[0];
  *pages = (struct cal_pages){.kind = "4k", .page_bytes = 4096, .tlbs = 2};
  pages->tlb[0].entries.value = 61;
  pages->tlb[1].entries.value = 1700;
  struct tlb_shape shape = what_if_here_tlbs(&cal);
  CU_ASSERT_EQUAL(shape.level[0].entries, 64);
  CU_ASSERT_EQUAL(shape.level[0].ways, 4);
  CU_ASSERT_EQUAL(shape.level[1].entries, 2048);
  CU_ASSERT(vat_tlb_shape_check(&shape.level[1]));
  pages->tlb[1].entries.value = NAN;
  CU_ASSERT_EQUAL(what_if_here_tlbs(&cal).level[1].entries, 0);
  pages->tlbs = 0;
  CU_ASSERT_EQUAL(what_if_here_tlbs(&cal).level[0].entries, 0);
}

static void test_allocators_are_told(void) {
  static const struct {
    const char *object, *function, *advice, *besides;
  } rows[] = {
      {"/usr/lib/libjemalloc.so.2", "malloc", "MALLOC_CONF=thp:", NULL},
      {"/opt/prog", "je_arena_new", "MALLOC_CONF=thp:", NULL},
      {"/usr/bin/redis-server", "je_malloc", "JE_MALLOC_CONF=", "disable-thp"},
      {"/opt/prog", "tc_malloc", "TCMALLOC_", NULL},
      {"/usr/lib/libmimalloc.so.2", "malloc", "MIMALLOC_ALLOW_LARGE", NULL},
      {"/usr/lib/libmimalloc.so.2.0", "malloc", "MIMALLOC_LARGE_OS", NULL},
      {"/opt/prog", "mi_open", "GLIBC_TUNABLES=", NULL}, /* of MyISAM */
      {"/usr/lib/libc.so.6", "malloc", "GLIBC_TUNABLES=", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct profile_row row[2] = {
        {.at = {"/usr/lib/libc.so.6", "", "memcpy", 0, 0}},
        {.at = {rows[i].object, "", rows[i].function, 0, 0}}};
    struct profile profile = {.functions = {row, 2}};
    struct heap_advice heap;
    heap_advice_of(&profile, &heap);
    CU_ASSERT_PTR_EQUAL(strstr(heap.advice, rows[i].advice), heap.advice);
    CU_ASSERT_EQUAL(!*heap.besides, !rows[i].besides);
    if (rows[i].besides)
      CU_ASSERT_PTR_NOT_NULL(strstr(heap.besides, rows[i].besides));
  }
}

/* A walk costs 40.16 ns at a distance of 2^10 as above, of 1 s: of 10^6 walks
 * of fetches, those that huge pages could save, and none of them overlaps. */
static void test_code_by_hand(void) {
  struct profile p;
  struct calibration cal;
  struct what_if what = {.overlap = NAN};
  struct what_if_code code;
  struct what_if_input input = {.profile = &p, .traffic = 1, .time = {1, 1, 1}};
  two_sites_make(&p, 0, 1, 1);
  flat_machine_make(&cal, 40);
  CU_ASSERT_PTR_NULL(
      walk_costs_make(&input.costs, &cal, "4k", "2m", 12288, input.traffic));
  what_if_code_make(&code, &input, &what);
  CU_ASSERT(isnan(code.saved_s.value) && isnan(code.ratio.value));
  p.code.instructions = 1000;
  p.code.object = calloc(1, sizeof *p.code.object);
  p.code.objects = 1;
  what_if_code_make(&code, &input, &what);
  CU_ASSERT_EQUAL(code.saved_s.value, 0);
  p.code.object->walks[0][10] = 500000; /* nothing huge there */
  p.code.object->walks[1][10] = 1000000;
  what_if_code_make(&code, &input, &what);
  double each = input.costs.at[10].saved_slow;
  CU_ASSERT_DOUBLE_EQUAL(each, 40.16, 0.01);
  CU_ASSERT_DOUBLE_EQUAL(code.saved_s.value, each * 1e-3, 1e-9);
  CU_ASSERT_EQUAL(code.saved_s.lo, 0);
  CU_ASSERT(code.saved_s.hi >= code.saved_s.value);
  CU_ASSERT_DOUBLE_EQUAL(code.ratio.value, 1 - code.saved_s.value, 1e-12);
  /* Beside the walks, misses that the second level has, if all of them show. */
  double before = code.saved_s.hi;
  input.costs.hit = 2;
  p.code.totals.huge_missed = 5000000;
  what_if_code_make(&code, &input, &what);
  CU_ASSERT_DOUBLE_EQUAL(code.saved_s.hi, before + 5e6 * 2e-9, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(code.saved_s.value, each * 1e-3, 1e-9);
  profile_fini(&p);
  calibration_fini(&cal);
}

static const struct check_test tests[] = {
    {"code, by hand", test_code_by_hand},
    {"lines that caches are filled with, by hand", test_traffic_by_hand},
    {"a chain of misses, by hand", test_chain_by_hand},
    {"what a plan saves, by hand", test_plan_by_hand},
    {"sites whose mappings are cut, by hand", test_given_by_hand},
    {"waits that did not fit", test_waits_that_did_not_fit},
    {"independent misses overlap", test_independent_misses_overlap},
    {"no misses save nothing", test_no_misses_save_nothing},
    {"ratios, sites and more misses", test_properties},
    {"the share that is done", test_progress},
    {"a program's allocator, and what to set", test_allocators_are_told},
    {"TLBs as they were calibrated", test_tlbs_as_calibrated},
    {NULL, NULL}};

const struct check_suite suite_what_if = {"what if", tests, NULL};
