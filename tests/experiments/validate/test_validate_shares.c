/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What others leave of the last cache, by hand. */
#include <math.h>

#include "experiments/validate/models.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static struct reuse_profile profile;

/* Each of 1000 operations goes to a line that was not accessed in the last 1024
 * or more: so many others are accessed in so many operations. */
static void test_distance_takes_operations(void) {
  profile = (struct reuse_profile){.ram_ops = 1000};
  profile.lines[REUSE_OTHER].cold = 600;
  profile.lines[REUSE_STREAM].count[reuse_bucket(1024)] = 400;
  CU_ASSERT_DOUBLE_EQUAL(costs_ops_between(&profile, 512 * 64), 511, 1);
  CU_ASSERT_DOUBLE_EQUAL(costs_ops_between(&profile, 1024 * 64), 1023, 1);
  /* Then only 600 of 1000 operations find another one. */
  double far = costs_ops_between(&profile, 4096 * 64);
  double next = costs_ops_between(&profile, 8192 * 64);
  CU_ASSERT_DOUBLE_EQUAL(next - far, 4096 / 0.6, 1);
  CU_ASSERT_EQUAL(costs_ops_between(&profile, 0), 0);
}

/* 1000 bytes in all; shares of 1000, 900, ... 200 bytes, each byte in an
 * operation; waits as many ns as bytes are missing. */
static void make(struct costs *costs, double neighbours) {
  *costs = (struct costs){.last_bytes = 1000, .neighbours = neighbours};
  for (int k = 0; k < COSTS_SHARES; k++) {
    costs->shares[k] = (struct costs_share){1000 - 100 * k, 1000 - 100 * k};
    costs->waits[k].spread[REUSE_OTHER] = 100 * k;
    costs->waits[k].measured[COSTS_RANDOM].table = k;
  }
}

static void test_others_leave_a_share(void) {
  struct costs costs;
  make(&costs, 0.1);
  CU_ASSERT_EQUAL(costs_share_left(&costs, 0), 0);
  /* s + 0.1 * 5 s = 1000: 666.7 bytes */
  CU_ASSERT_DOUBLE_EQUAL(costs_share_left(&costs, 5), 10 / 3.0, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(costs_share_left(&costs, 10), 5, 1e-9);
  CU_ASSERT_EQUAL(costs_share_left(&costs, 1e6), COSTS_SHARES - 1);
  for (int k = 0; k < COSTS_SHARES; k++) /* all memory is 400 bytes */
    costs.shares[k].bytes = costs.shares[k].ops =
        fmin(400, costs.shares[k].bytes);
  CU_ASSERT_EQUAL(costs_share_left(&costs, 14), 0);
  CU_ASSERT(costs_share_left(&costs, 16) > 6);
  make(&costs, 0);
  CU_ASSERT_EQUAL(costs_share_left(&costs, 1e6), 0);
}

static void test_waits_lie_between(void) {
  struct costs costs;
  make(&costs, 1);
  for (double share = 0; share <= COSTS_SHARES - 1; share += 0.25) {
    struct costs_waits waits = costs_waits_at(&costs, share);
    CU_ASSERT_DOUBLE_EQUAL(waits.spread[REUSE_OTHER], 100 * share, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(waits.measured[COSTS_RANDOM].table, share, 1e-12);
  }
}

/* t = 2 + 0.01 (1000 - s), the table lines left out, with s (1 + 0.05 t) =
 * 1000: t = 2 + 10 (1 - 1 / (1 + 0.05 t)), of which the root above 0 is 4....
 */
static void test_time_and_share_agree(void) {
  struct costs costs;
  struct fitted fitted = {.c = 2, .overlap = 0.01};
  unsigned neighbours = term_find(terms, "neighbours");
  unsigned tables = term_find(terms, "table-lines");
  make(&costs, 0.05);
  double ns = model_predict(MODEL_FULL, &costs, &fitted, tables);
  double share = 1000 / (1 + 0.05 * ns);
  CU_ASSERT(ns > 2);
  CU_ASSERT_DOUBLE_EQUAL(ns, 2 + 0.01 * (1000 - share), 1e-3);
  CU_ASSERT_EQUAL(model_predict(MODEL_FULL, &costs, &fitted, neighbours), 2);
  double before = 0;
  for (costs.neighbours = 0; costs.neighbours < 1; costs.neighbours += 0.05) {
    ns = model_predict(MODEL_FULL, &costs, &fitted, 0);
    CU_ASSERT(ns >= before);
    before = ns;
  }
}

static const struct check_test tests[] = {
    {"a distance takes operations", test_distance_takes_operations},
    {"others leave a share by the time that passes", test_others_leave_a_share},
    {"waits lie between those of two shares", test_waits_lie_between},
    {"time and share agree", test_time_and_share_agree},
    {NULL, NULL}};

const struct check_suite suite_validate_shares = {.name = "validate_shares",
                                                  .tests = tests};
