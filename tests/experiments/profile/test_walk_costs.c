/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "experiments/calibrate/measure.h"
#include "experiments/profile/walk_costs.h"
#include "tests/experiments/profile/flat_machine.h"
#include "tests/experiments/suites.h"

static const double saves = 40. * 4096 / 4080;

static void test_costs_of_a_flat_machine(void) {
  struct calibration cal;
  struct walk_costs costs;
  flat_machine_make(&cal, 40);
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1));
  CU_ASSERT_EQUAL(costs.at[0].saved_slow, 0); /* 8 pages or less are at hand */
  CU_ASSERT_EQUAL(costs.at[1].saved_slow, 0);
  /* From 16 pages to 4096, x S(x) rises from 0 to 4096 x 40. */
  for (int i = 5; i < WALK_OCTAVES; i++)
    CU_ASSERT_DOUBLE_EQUAL(costs.at[i].saved_slow, saves, 1e-9);
  CU_ASSERT_STRING_EQUAL(walk_costs_make(&costs, &cal, "4k", "1g", 1, 1),
                         "no chases on larger pages");
  CU_ASSERT_STRING_EQUAL(walk_costs_make(&costs, &cal, "64k", "2m", 1, 1),
                         "no chases on base pages");
  calibration_fini(&cal);
}

/* By hand: with 1.5 times the traffic, octave 1 is from 12 to 24 pages, and 9
 * of 16 places in it are beyond the step at 16. */
static void test_an_octave_costs_its_mean(void) {
  struct calibration cal;
  struct walk_costs costs;
  flat_machine_make(&cal, 40);
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1.5));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[1].saved_slow, saves * 9 / 16, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(costs.at[2].saved_slow, saves, 1e-9);
  calibration_fini(&cal);
}

/* Pages of a size between have chases of their own.  Where walks take 10 ns on
 * them, of 40, 30 are saved; of a first touch nothing. */
static void test_costs_of_a_size_between(void) {
  struct calibration cal;
  struct walk_costs costs;
  flat_machine_make(&cal, 40);
  flat_machine_curve(&cal, "page_chase", "thp-64k", true, 1 + 10);
  CU_ASSERT_STRING_EQUAL(walk_costs_make(&costs, &cal, "4k", "thp-64k", 1, 1),
                         "no chases on larger pages");
  flat_machine_curve(&cal, "line_chase", "thp-64k", false, 1);
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "thp-64k", 12288, 1));
  CU_ASSERT_EQUAL(costs.at[0].saved_slow, 0);
  for (int i = 5; i < WALK_OCTAVES; i++) {
    CU_ASSERT_DOUBLE_EQUAL(costs.at[i].saved_slow, saves * 30 / 40, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(costs.at[i].walk, saves * 10 / 40, 1e-9);
  }
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_slow, saves, 1e-9);
  CU_ASSERT_EQUAL(costs.at[20].walk, 0);
  calibration_fini(&cal);
}

/* Two walkers let a read of 10 ns through in walks of 20, not 40. */
static void test_costs_where_nothing_waits(void) {
  struct calibration cal;
  struct walk_costs costs;
  flat_machine_make(&cal, 40);
  flat_machine_curve(&cal, "random_read", "4k", false, 10);
  flat_machine_curve(&cal, "random_read", "2m", false, 6);
  strcpy(cal.pages[0].kind, "4k");
  cal.pages[0].walks_in_flight.value = 2;
  cal.page_count = 1;
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_slow, saves, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_fast, 20, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].walk_fast, 0, 1e-9);
  cal.pages[0].walks_in_flight.value = NAN; /* not known */
  CU_ASSERT_PTR_NULL(walk_costs_make(&costs, &cal, "4k", "2m", 12288, 1));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_fast, saves, 1e-9);
  calibration_fini(&cal);
}

/* Programs' pages are dearer than those of whole blocks, where both are known.
 */
static void test_costs_of_given_pages(void) {
  struct calibration cal;
  struct walk_costs costs;
  flat_machine_make(&cal, 40);
  CU_ASSERT_STRING_EQUAL(walk_costs_base(&cal), "4k");
  flat_machine_curve(&cal, "page_chase", "given", true, 71);
  CU_ASSERT_STRING_EQUAL(walk_costs_base(&cal), "given");
  CU_ASSERT_PTR_NULL(
      walk_costs_make(&costs, &cal, walk_costs_base(&cal), "2m", 12288, 1));
  CU_ASSERT_DOUBLE_EQUAL(costs.at[20].saved_slow, saves * 70 / 40, 1e-9);
  calibration_fini(&cal);
}

/* Steady chases in which a walk takes so long, by the pages. */
static void costs_of_steady(struct walk_costs *costs, const double *walk_ns) {
  struct calibration cal;
  flat_machine_make(&cal, 40);
  flat_machine_curve(&cal, "steady_chase", "4k", false, 100);
  flat_machine_curve(&cal, "steady_chase", "2m", false, 100);
  for (int i = 0; i < 6; i++) cal.curves[4].points[i].ns += walk_ns[i];
  CU_ASSERT_PTR_NULL(walk_costs_make(costs, &cal, "4k", "2m", 1 << 20, 1));
  calibration_fini(&cal);
}

/* By hand: 30 and 0 are 15 twice; 40, 36 and 20 are 32, as 36 and 20 alone, 28,
 * are still less than 40.  Less than nothing is nothing, once it has had its
 * part in that. */
static void test_costs_rise(void) {
  static const double noisy[] = {-5, 10, 30, 0, 50, 70},
                      rising[] = {0, 10, 15, 15, 50, 70},
                      dearest_first[] = {10, -40, 40, 36, 20, 70},
                      as_one[] = {0, 0, 32, 32, 32, 70};
  struct walk_costs a, b;
  costs_of_steady(&a, noisy);
  costs_of_steady(&b, rising);
  CU_ASSERT(b.at[12].saved_slow > 10);
  for (int i = 0; i < WALK_OCTAVES; i++)
    CU_ASSERT_DOUBLE_EQUAL(a.at[i].saved_slow, b.at[i].saved_slow, 1e-9);
  costs_of_steady(&a, dearest_first);
  costs_of_steady(&b, as_one);
  for (int i = 0; i < WALK_OCTAVES; i++)
    CU_ASSERT_DOUBLE_EQUAL(a.at[i].saved_slow, b.at[i].saved_slow, 1e-9);
}

/* As recorded on a virtual machine that had been up for ten hours: in 1 GiB of
 * pages as the kernel gives them walks cost twice what they do in whole blocks,
 * of which there is least doubt where neighbours have no part.  (The 2 GiB of
 * the last octaves were as slow in blocks, which were not yet divided then: see
 * base_pages.c.) */
static void test_costs_as_recorded(void) {
  const char *path =
      VAT_TEST_SOURCE "/tests/experiments/calibration_given.json";
  char why[400];
  struct calibration cal;
  struct walk_costs given, blocks, busy;
  const double pages = 1 << 18;
  CU_ASSERT_EQUAL_FATAL(calibration_read(&cal, path, why, sizeof why), 0);
  CU_ASSERT_STRING_EQUAL_FATAL(walk_costs_base(&cal), "given");
  CU_ASSERT_PTR_NULL(walk_costs_make(&given, &cal, "given", "2m", pages, 1));
  CU_ASSERT_PTR_NULL(walk_costs_make(&blocks, &cal, "4k", "2m", pages, 1));
  /* Twice the traffic is an octave further away, while most are distinct. */
  CU_ASSERT_PTR_NULL(walk_costs_make(&busy, &cal, "given", "2m", pages, 2));
  CU_ASSERT_EQUAL(busy.at[0].saved_slow, given.at[0].saved_slow);
  double dearest = 0;
  for (int i = 1; i <= 10; i++) {
    const double one = given.at[i].saved_slow, two = busy.at[i].saved_slow;
    CU_ASSERT_DOUBLE_EQUAL(two, given.at[i + 1].saved_slow,
                           0.02 * given.at[i + 1].saved_slow + 0.02);
    dearest = fmax(dearest, two / fmax(one, 1));
  }
  CU_ASSERT(dearest > 1.2);
  for (int i = 12; i <= 20; i++) {
    double more = given.at[i].saved_slow / fmax(1, blocks.at[i].saved_slow);
    CU_ASSERT(more > 1.5);
    CU_ASSERT(given.at[i].saved_least <= given.at[i].saved_slow);
    CU_ASSERT(given.at[i].saved_most >= given.at[i].saved_slow);
    /* On the large pages nothing differs. */
    CU_ASSERT_EQUAL(given.at[i].walk, blocks.at[i].walk);
  }
  calibration_fini(&cal);
}

static void test_costs_of_several_machines(void) {
  static const double walk_ns[] = {60, 20, 40, 50};
  struct walk_costs each[4], joint;
  for (int i = 0; i < 4; i++) {
    struct calibration cal;
    flat_machine_make(&cal, walk_ns[i]);
    CU_ASSERT_PTR_NULL(walk_costs_make(&each[i], &cal, "4k", "2m", 12288, 1));
    calibration_fini(&cal);
  }
  walk_costs_join(&joint, each, 1);
  CU_ASSERT_EQUAL(joint.at[20].saved_slow, each[0].at[20].saved_slow);
  CU_ASSERT_EQUAL(joint.at[20].saved_least, each[0].at[20].saved_least);
  walk_costs_join(&joint, each, 3);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_slow, saves, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_least, saves / 2, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_most, saves * 1.5, 1e-9);
  CU_ASSERT_EQUAL(joint.at[20].walk, each[0].at[20].walk);
  walk_costs_join(&joint, each, 4);
  CU_ASSERT_DOUBLE_EQUAL(joint.at[20].saved_slow, saves * 45 / 40, 1e-9);
}

/* Neighbours slow passes down up to four times, and kinds alike: what these
 * differ by is what each pass says, not what medians of different passes do. */
static void test_steady_kinds_are_paired(void) {
  enum { COUNT = 7 };
  static const double slowed[COUNT] = {1, 4, 1.5, 2, 3, 1, 2.5};
  double times[2 * COUNT];
  struct cal_point base, large, *points[] = {&base, &large};
  for (int i = 0; i < COUNT; i++) {
    times[i] = 200 * slowed[i];
    times[COUNT + i] = 150 * slowed[i];
  }
  times[2] *= 2; /* one kind alone, which no median minds */
  steady_summarize(times, 2, COUNT, points);
  CU_ASSERT_DOUBLE_EQUAL(large.ns / base.ns, 0.75, 1e-12);
  CU_ASSERT_EQUAL(base.lo, 200);
  CU_ASSERT_EQUAL(base.hi, 600);
  CU_ASSERT_EQUAL(large.hi, 450);
  CU_ASSERT(base.ns > 400 && base.ns < 500);
}

static const struct check_test tests[] = {
    {"an octave costs its mean", test_an_octave_costs_its_mean},
    {"costs of a flat machine", test_costs_of_a_flat_machine},
    {"costs of pages as programs have them", test_costs_of_given_pages},
    {"farther lines cost no less", test_costs_rise},
    {"costs of a size between", test_costs_of_a_size_between},
    {"costs where nothing waits", test_costs_where_nothing_waits},
    {"both, as they were recorded", test_costs_as_recorded},
    {"costs of several calibrations", test_costs_of_several_machines},
    {"a long chase is paired by passes", test_steady_kinds_are_paired},
    {NULL, NULL}};

const struct check_suite suite_walk_costs = {"walk costs", tests, NULL};
