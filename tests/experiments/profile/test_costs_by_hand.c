/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the costs of a plan come to, by hand. */
#include <string.h>

#include "experiments/probe/calibration.h"
#include "experiments/profile/planning.h"
#include "tests/experiments/profile/saved_plan.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const double mib = 1 << 20;
static const struct saved_tables tables;

/* By hand: all is 682 MiB on base pages; the plan's 192 MiB have no other
 * pages, and 49152 faults become 96, and 33 of vat's library.  That has
 * 1.5 MiB of memory. */
static void test_costs_by_hand(void) {
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--budget=192M",
                                       "--json"};
  json_t *json = saved_plan_json(&tables, more);
  double used = json_number_at(json, "used_bytes");
  double touched = json_number_at(json, "costs.touched_bytes");
  CU_ASSERT_EQUAL(json_number_at(json, "harm.peak_rss_bytes.0"), 721420288);
  CU_ASSERT_EQUAL(json_number_at(json, "harm.peak_rss_bytes.1"),
                  721420288 + used - touched + 1.5 * mib);
  CU_ASSERT_EQUAL(used, 192 * mib);
  CU_ASSERT_EQUAL(touched, 192 * mib);
  CU_ASSERT_EQUAL(json_number_at(json, "harm.faults_saved"),
                  192 * 256 - 96 - 33);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(json, "costs.sys_saved_s"),
                         192. / 1024 * (0.4 - 0.1), 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(json, "costs.first_touch_then_s"),
                         0.1 * 2 / 1024, 1e-12);
  json_decref(json);
}

/* The same saved_plan_machine, of which is known how many base pages share an
 * entry. */
static void write_machine(const char *path, double joined) {
  char why[CALIBRATION_TEXT + 600];
  struct calibration cal;
  const char *from = strchr(saved_plan_machine, '=') + 1;
  CU_ASSERT_EQUAL_FATAL(calibration_read(&cal, from, why, sizeof why), 0);
  struct cal_coalescing *found = &cal.coalescing;
  *found = (struct cal_coalescing){.page_bytes = 4096, .tlbs = 1};
  strcpy(found->proof, "pagemap");
  found->tlb[0].entries = (struct cal_value){64, 64, 64};
  found->tlb[0].joined = joined;
  for (int i = 0; i < CALIBRATION_RUNS; i++)
    found->tlb[0].reach[i] = (struct cal_value){1, 1, 1};
  json_t *json = calibration_to_json(&cal);
  CU_ASSERT_EQUAL_FATAL(json_dump_file(json, path, 0), 0);
  json_decref(json);
  calibration_fini(&cal);
}

/* By hand: user time stays; 49152 faults become 3072 of 64 KiB, and of the
 * 0.3 s that 4 KiB take more than 2 MiB of a GiB, the faults that are
 * left take a part. */
static void test_size_between_by_hand(void) {
  struct scratch scratch;
  char option[700];
  scratch_init(&scratch);
  write_machine(scratch_path(&scratch, "machine.json"), 1);
  snprintf(option, sizeof option, "--machine=%s", scratch.path);
  const char *more[SAVED_PLAN_MORE] = {option, "--budget=192M",
                                       "--pages=thp-64k", "--json"};
  json_t *json = saved_plan_json(&tables, more);
  double left =
      first_touch_again(&(struct first_touch){.base_again = 1}, 65536);
  double rate = 0.1 + 0.3 * left;
  CU_ASSERT_STRING_EQUAL(json_text_at(json, "pages"), "thp-64k");
  CU_ASSERT_STRING_EQUAL(json_text_at(json, "saved_time"), "system");
  CU_ASSERT_EQUAL(json_number_at(json, "predicted.user_ratio"), 1);
  CU_ASSERT_EQUAL(json_number_at(json, "used_bytes"), 192 * mib);
  CU_ASSERT_EQUAL(json_number_at(json, "harm.faults_saved"),
                  192 * 256 - 192 * 16 - 33);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(json, "costs.first_touch_then_s"),
                         rate / 1024 / 16, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(json, "costs.sys_saved_s"),
                         192. / 1024 * (0.4 - rate), 1e-9);
  const json_t *curve = json_at(json, "saved_curve");
  CU_ASSERT_FATAL(json_array_size(curve) > 2);
  const json_t *last = json_array_get(curve, json_array_size(curve) - 1);
  CU_ASSERT_EQUAL(json_number_at(last, "0"),
                  json_number_at(json, "everything.bytes"));
  CU_ASSERT(json_number_at(last, "1") >=
            json_number_at(json, "costs.sys_saved_s"));
  CU_ASSERT_EQUAL(json_number_at(curve, "0.1"), 0);
  json_decref(json);
  char figure[720];
  snprintf(figure, sizeof figure, "--figure=%s.svg", scratch.path);
  saved_plan_run(&tables, (const char *[SAVED_PLAN_MORE]){
                              option, "--pages=thp-64k", figure});
  CU_ASSERT_EQUAL(saved_plan.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.err, "saved_curve"));
  saved_plan_run(&tables,
                 (const char *[SAVED_PLAN_MORE]){option, "--pages=thp-64k"});
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "does not join entries"));
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.out, "hugepages-64kB/enabled"));
  scratch_path(&scratch, "machine.json");
  write_machine(scratch.path, 4);
  saved_plan_run(&tables,
                 (const char *[SAVED_PLAN_MORE]){option, "--pages=thp-64k"});
  CU_ASSERT_EQUAL(saved_plan.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(saved_plan.err, "--what-if --pages 4k,16k,2m"));
  scratch_fini(&scratch);
}

/* By hand: a table that took its own place twice is faulted in three times. */
static void test_memory_that_is_renewed(void) {
  const struct saved_tables renewed = {.renewed = 2};
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--budget=192M",
                                       "--json"};
  json_t *json = saved_plan_json(&renewed, more);
  CU_ASSERT_EQUAL(json_number_at(json, "used_bytes"), 192 * mib);
  CU_ASSERT_EQUAL(json_number_at(json, "harm.faults_saved"),
                  3 * (192 * 256 - 96) - 33);
  CU_ASSERT_EQUAL(json_number_at(json, "harm.zeroed_bytes"), 0);
  json_decref(json);
}

/* The hot table of 192 MiB and the small blocks need 203.6 MiB, and these an
 * arena, which takes 4 MiB of the budget; and all blocks are looked up. */
static void test_budget_of_an_arena(void) {
  static const char *const budgets[] = {"--budget=206M", "--budget=208M"};
  for (int i = 0; i < 2; i++) {
    const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, budgets[i],
                                         "--json"};
    json_t *json = saved_plan_json(&tables, more);
    double more_at_peak = json_number_at(json, "harm.peak_rss_bytes.1") -
                          json_number_at(json, "harm.peak_rss_bytes.0");
    CU_ASSERT_EQUAL(json_array_size(json_at(json, "choices")), i + 1);
    CU_ASSERT_EQUAL(json_number_at(json, "used_bytes"), (i ? 208 : 192) * mib);
    const double small = 11.25 * (1 + 128. / 4096);
    if (i)
      CU_ASSERT_EQUAL(json_number_at(json, "choices.1.bytes"), small * mib);
    /* 32768 blocks of 240 to 400 bytes, which take 16 more each. */
    CU_ASSERT_EQUAL(more_at_peak, i ? (small + 4 - 10.5) * mib : 1.5 * mib);
    double all_s = i ? (32768 + 3) * 1.4e-9 : 0;
    double found_s = i ? 32768 * 9.7e-9 : 0;
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(json, "costs.look_ups_s"),
                           all_s + found_s, 1e-12);
    double saved = json_number_at(json, "choices.0.saving_s") - all_s;
    if (i) saved += json_number_at(json, "choices.1.saving_s");
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(json, "predicted.user_ratio"),
                           1 - saved / json_number_at(json, "native.user_s"),
                           1e-12);
    json_decref(json);
  }
}

/* Of a user time that is much longer than what is saved. */
static void test_not_worth_it(void) {
  const char *more[SAVED_PLAN_MORE] = {saved_plan_machine, "--user-time=1000",
                                       "--json"};
  json_t *json = saved_plan_json(&tables, more);
  CU_ASSERT_PTR_NOT_NULL(strstr(json_text_at(json, "verdict"), "noise"));
  json_decref(json);
}

static const struct check_test tests[] = {
    {"costs by hand", test_costs_by_hand},
    {"a size between, by hand", test_size_between_by_hand},
    {"memory that is renewed", test_memory_that_is_renewed},
    {"an arena takes a part of the budget", test_budget_of_an_arena},
    {"not worth it", test_not_worth_it},
    {NULL, NULL}};

const struct check_suite suite_costs_by_hand = {"costs by hand", tests, NULL};
