/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/profile/what_if_fault_time.h"
#include "tests/experiments/suites.h"

/* Of 1000 faults of the heap, three quarters are where its pages can be larger,
 * and a quarter where a plan has them; what is shared has its own. */
static struct profile_walk walks[] = {{.site = 0, .where = 0, .misses = 10},
                                      {.site = 0, .where = 1, .misses = 30},
                                      {.site = 0, .where = 2, .misses = 10},
                                      {.site = 1, .where = 1, .misses = 5}};
static struct profile_site sites[] = {
    {.kind = "heap", .faults = 1000, .walk = 0, .walks = 3},
    {.kind = "shared", .faults = 500, .walk = 3, .walks = 1},
    {.kind = "heap", .faults = 500}};
static const struct profile profile = {
    .has_faults = true,
    .sites = {.site = sites, .count = 3},
    .walks = {.walk = walks, .count = 4},
};

static struct what_if_input made(double user_s) {
  return (struct what_if_input){.profile = &profile,
                                .time = {user_s, user_s, user_s},
                                .faults = {1e-6, 2},
                                .page_bytes = 1 << 21};
}

static void test_what_faults_take(void) {
  struct what_if_input in = made(1);
  struct what_if_value sites_saved[3] = {{.1, .1, .1}};
  struct what_if what = {.saved_s = {.1, .1, .1}, .sites = sites_saved};
  const double s = 2e-3 * .75 * 511 / 512;
  what_if_add_fault_time(&what, &in);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.value, .1 + s, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.lo, .1 + s / 2, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(what.saved_s.hi, .1 + 1.5 * s, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(what.ratio.value, .9 - s, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(what.sites[0].value, .1 + s, 1e-12);
  CU_ASSERT_EQUAL(what.sites[1].value, 0);
  CU_ASSERT_EQUAL(what.sites[2].value, 0);
  in.planned = true;
  CU_ASSERT_DOUBLE_EQUAL(what_if_fault_s(&in, 0, 1 << 21), s / 3, 1e-12);
  const bool given[] = {true, false, false};
  in.given = given;
  CU_ASSERT_DOUBLE_EQUAL(what_if_fault_s(&in, 0, 1 << 16), 2e-3 * 15 / 16,
                         1e-12);
}

/* The rest is what the program takes without them. */
static void test_what_is_left_without_them(void) {
  struct what_if_input in = made(1);
  CU_ASSERT_DOUBLE_EQUAL(what_if_without_faults(&in).user_s, 1 - 4e-3, 1e-12);
  in.time.user_s = in.faults.user_s = 0; /* less than a tick */
  CU_ASSERT_EQUAL(what_if_without_faults(&in).user_s, 0);
}

/* A profile or a run that has not counted them; a clock that is not known. */
static void test_faults_that_are_not_known(void) {
  struct profile older = profile;
  struct what_if_fault_time price = what_if_fault_time(&profile, .25, 4000, 1);
  CU_ASSERT_EQUAL(price.scale, 2);
  CU_ASSERT(price.user_s > 50e-9 && price.user_s < 500e-9);
  CU_ASSERT_DOUBLE_EQUAL(what_if_fault_time(&profile, .25, 4000, 8e-6).user_s,
                         1e-9, 1e-15); /* half */
  CU_ASSERT_EQUAL(what_if_fault_time(&profile, .25, 0, 1).user_s, 0);
  CU_ASSERT_EQUAL(what_if_fault_time(&profile, 0, 4000, 1).user_s, 0);
  older.has_faults = false;
  CU_ASSERT_EQUAL(what_if_fault_time(&older, .25, 4000, 1).user_s, 0);
}

static const struct check_test tests[] = {
    {"what faults take", test_what_faults_take},
    {"what is left without them", test_what_is_left_without_them},
    {"faults that are not known", test_faults_that_are_not_known},
    {NULL, NULL}};

const struct check_suite suite_what_if_fault_time = {"what-if: page faults",
                                                     tests, NULL};
