/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "experiments/profile/what_if_measured.h"
#include "tests/experiments/suites.h"

enum { SITES = 2 };
static const struct what_if_time second = {1, 1, 1};

/* 90 % of what is predicted within 1.645 standard deviations of .02; 95 % of
 * what is measured within 1.96 of .01. */
static struct what_if predicted(struct what_if_value *sites) {
  sites[0] = (struct what_if_value){.06, .04, .08};
  sites[1] = (struct what_if_value){.04, .03, .05};
  return (struct what_if){.saved_s = {.1, .0671, .1329},
                          .ratio = {.9, .9 - .0329, .9 + .0329},
                          .sites = sites};
}
static const struct what_if_correction measured = {
    .known = true, .measured = {.8, .7804, .8196}};

/* .8 = .02^2 / (.02^2 + .01^2) of .2, and .2 of .1.  Of a part of .6, it may be
 * that it has not 1.8 times what it had, as the rest has more: .6 .4 .08. */
static void test_nearer_to_what_is_better_known(void) {
  struct what_if_value sites[SITES];
  struct what_if what = predicted(sites);
  struct what_if_correction by = measured;
  what_if_correct_all(&what, &by, &second, SITES);
  CU_ASSERT_DOUBLE_EQUAL(by.told, .1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(by.saved, .18, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(by.deviation, .008944, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(by.factor, 1.8, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, .18, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.hi, .18 + 1.645 * .008944, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(what.ratio.value, .82, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(what.ratio.lo, .82 - 1.645 * .008944, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(sites[0].value, .108, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(sites[1].value, .072, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(sites[0].lo, .108 - .032794, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(sites[0].hi, .108 + .032794, 1e-5);
}

/* A plan that was predicted to save a quarter of it. */
static void test_another_layout_has_its_share(void) {
  struct what_if_value sites[SITES];
  struct what_if all = predicted(sites);
  struct what_if plan = {.saved_s = {.025, .01, .04}};
  struct what_if_correction by = measured;
  what_if_correct_all(&all, &by, &second, SITES);
  what_if_correct(&plan, &by, &second, 0);
  CU_ASSERT_DOUBLE_EQUAL(plan.saved_s.value, .045, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(plan.ratio.value, .955, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(plan.saved_s.hi - .045,
                         1.645 * hypot(.25 * .008944, .25 * .75 * .08), 1e-5);
}

static void test_what_has_no_interval_counts_for_nothing(void) {
  struct what_if_value sites[SITES];
  struct what_if what = predicted(sites);
  struct what_if_correction by = measured;
  what.ratio.lo = what.ratio.hi = NAN;
  what_if_correct_all(&what, &by, &second, SITES);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, .2, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(by.deviation, .01, 1e-12);
}

/* Then nobody knows where it is saved. */
static void test_nothing_was_predicted(void) {
  struct what_if_value sites[SITES] = {{0, 0, 0}, {0, 0, 0}};
  struct what_if what = {.ratio = {1, 1, 1}, .sites = sites};
  struct what_if_correction by = measured;
  what_if_correct_all(&what, &by, &second, SITES);
  CU_ASSERT_TRUE(isnan(by.factor));
  CU_ASSERT_TRUE(what.saved_s.value > 0);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, by.saved, 1e-12);
  CU_ASSERT_EQUAL(sites[0].value, 0);
}

static void test_nothing_was_measured(void) {
  struct what_if_value sites[SITES];
  struct what_if what = predicted(sites);
  struct what_if_correction by = {.known = false};
  what_if_correct_all(&what, &by, &second, SITES);
  what_if_correct(&what, &by, &second, SITES);
  CU_ASSERT_EQUAL(what.saved_s.value, .1);
  CU_ASSERT_EQUAL(sites[0].hi, .08);
}

static const struct check_test tests[] = {
    {"what is saved lies nearer to what is better known",
     test_nearer_to_what_is_better_known},
    {"another layout has its share", test_another_layout_has_its_share},
    {"a prediction without an interval counts for nothing",
     test_what_has_no_interval_counts_for_nothing},
    {"what was not predicted has no parts", test_nothing_was_predicted},
    {"without a measurement all stays", test_nothing_was_measured},
    {NULL, NULL},
};
const struct check_suite suite_what_if_measured = {
    "what if, corrected by a measurement", tests, NULL};
