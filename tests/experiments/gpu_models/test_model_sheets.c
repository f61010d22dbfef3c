/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model calibrated, vat model integrated: what they print and refuse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_algos/models/sheet.h"
#include "tests/experiments/gpu_models/model_told.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static void test_occupancy(void) {
  json_t *object = model_told(
      "calibrated occupancy --arch gtx480 --threads 256 --regs 20 --smem 12000 "
      "--json");
  CU_ASSERT_EQUAL(json_number_at(object, "active_blocks"),
                  4); /* 49152 / 12000 */
  CU_ASSERT_STRING_EQUAL(
      json_string_value(json_object_get(object, "limited_by")),
      "shared memory");
  CU_ASSERT_EQUAL(json_number_at(object, "occupancy"), 0.5);
  CU_ASSERT_EQUAL(json_number_at(object, "optimal_step"), 60);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "model")),
                         "calibrated");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "case")),
                         "occupancy");
  json_decref(object);
}

static void test_sched_and_fpr(void) {
  json_t *object =
      model_told("calibrated sched --blocks 16 --active 1 --sms 15 --json");
  CU_ASSERT_EQUAL(json_number_at(object, "f_sched"), 1.875);
  CU_ASSERT(json_is_false(json_object_get(object, "in_b_opt")));
  json_decref(object);
  object =
      model_told("calibrated fpr --m-bits 256K --k 6 --elements 50000 --json");
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "fpr"),
                         pow(1 - exp(-6 * 50000. / 262144), 6), 1e-5);
  json_decref(object);
  object = model_told("calibrated launch --threads 4000 --blocks 9 --json");
  CU_ASSERT_EQUAL(json_number_at(object, "active_blocks"), 0);
  CU_ASSERT(json_is_null(json_object_get(object, "f_sched")));
  json_decref(object);
}

/* (5.24): 6 * 1e6 / 50000 * 5e6 * 2 + 10. */
static void test_times(void) {
  json_t *object = model_told(
      "calibrated bloom_blastn --blocks 90 --active 1 --k 6 --query 1e6 "
      "--n-sub 50000 --n 5e6 --a1 2 --a0 10 --json");
  CU_ASSERT_EQUAL(json_number_at(object, "f_app"), 6e8);
  CU_ASSERT_EQUAL(json_number_at(object, "time"), 1200000010);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "throughput"), 5e6 / 1200000010,
                         1e-12);
  json_decref(object);
  object = model_told(
      "integrated apsp_matmul --n 8192 --sub-block 32 --threads 4 --active 4 "
      "--arch gtx480 --json");
  CU_ASSERT_EQUAL(json_number_at(object, "blocks"), 65536);
  CU_ASSERT_EQUAL(json_number_at(object, "compute_bound_threads"), 0.78125);
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "bound")),
                         "compute");
  json_decref(object);
}

static void test_the_table(void) {
  model_run("calibrated sched --blocks 14..16*1.07 --active 1,2 --sms 15");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "5.13): sched, "));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "\n       15         2 "));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "\n       16         1 "));
  model_run("calibrated occupancy --threads 256");
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "GeForce GTX 480\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "  6    threads      0.75 "));
}

/* Writes `text` to a file and runs `line` with its path at the end. */
static void run_with(const char *text, const char *line) {
  struct scratch scratch;
  char whole[700];
  scratch_init(&scratch);
  FILE *file = fopen(scratch_path(&scratch, "file"), "w");
  fputs(text, file);
  fclose(file);
  snprintf(whole, sizeof whole, "%s %s", line, scratch.path);
  model_run(whole);
  scratch_fini(&scratch);
}

#define RUN(k, blocks, seconds)                                     \
  "{\"k\":" #k ",\"blocks\":" #blocks                               \
  ",\"active\":1,\"sms\":15,\"query\":1000,\"n_sub\":10,\"n\":100," \
  "\"seconds\":" #seconds "}"

/* f_app is 1e4 k: seconds are 3e-4 f_app f_sched + 5. */
static void test_constants_are_fitted(void) {
  run_with("[" RUN(2, 15, 11) "," RUN(4, 30, 17) "," RUN(4, 20, 23) "]",
           "calibrated bloom_blastn --json --fit");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  json_t *object = json_loads(model_result.out, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(object);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "a1"), 3e-4, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "a0"), 5, 1e-8);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "r2"), 1, 1e-12);
  CU_ASSERT_EQUAL(json_number_at(object, "runs"), 3);
  json_decref(object);
  run_with("[" RUN(2, 15, 11) "," RUN(4, 30, 18) "," RUN(4, 20, 23) "]",
           "calibrated bloom_blastn --json --fit");
  object = json_loads(model_result.out, 0, NULL);
  CU_ASSERT(json_number_at(object, "r2") < 0.999 &&
            json_number_at(object, "r2") > 0.9);
  json_decref(object);
}

/* What is fitted to half of the runs of the documentation predicts the others,
 * which come of the thesis' constants (5.2.3): 300000 w-mers a second of 6
 * functions, and 10 s besides. */
static void test_half_of_the_runs_predicts_the_others(void) {
  static const int others[][3] = {
      {4, 100000, 62},  {4, 300000, 27}, {6, 50000, 167},  {6, 200000, 49},
      {8, 100000, 114}, {8, 300000, 45}, {10, 50000, 271}, {10, 200000, 75}};
  /* By words, as there may be blanks in the path. */
  static const char *const fitted[] = {"calibrated",
                                       "bloom_blastn",
                                       "--json",
                                       "--fit",
                                       VAT_TEST_SOURCE
                                       "/doc/examples/bloom_gtx480.json",
                                       NULL};
  char line[300];
  run_command(&model_result, cmd_model, fitted, false);
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  json_t *fit = json_loads(model_result.out, 0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(fit);
  CU_ASSERT_EQUAL(json_number_at(fit, "runs"), 8);
  CU_ASSERT(json_number_at(fit, "r2") > 0.9999);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(fit, "a0"), 10, 0.5);
  for (size_t i = 0; i < 8; i++) {
    snprintf(line, sizeof line,
             "calibrated bloom_blastn --blocks 90 --active 1 --query 2.5e8 "
             "--n 5e7 --k %d --n-sub %d --a1 %.9g --a0 %.9g --json",
             others[i][0], others[i][1], json_number_at(fit, "a1"),
             json_number_at(fit, "a0"));
    json_t *run = model_told(line);
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(run, "time"), others[i][2], 1);
    json_decref(run);
  }
  json_decref(fit);
}

static void test_bad_runs_are_refused(void) {
  static const char *const cases[][2] = {
      {"[", ":1: cut off: "},
      {"7", ":1: not JSON: "},
      {"{}", ": it must be an array of runs"},
      {"[]",
       ": the model gives all runs the same time; a fit needs different ones"},
      {"[3]", ": run 1: \"seconds\" is missing"},
      {"[{\"seconds\":-1}]", ": run 1: \"seconds\" is no time"},
      {"[{\"seconds\":1e300}]", ": run 1: \"seconds\" is no time"},
      {"[{\"seconds\":1}]", ": run 1: \"blocks\" is missing"},
      {"[" RUN(2, 15, 11) "," RUN(2, 15, 12) "]",
       ": the model gives all runs the same time"},
      {"[" RUN(2, 15, 11) "," RUN(0, 15, 12) "]", ": run 2: k 0: out of range"},
      {"[" RUN(2, 15.5, 11) "]",
       ": run 1: blocks 15.5: it must be a whole number"},
      {"[" RUN("2", 15, 11) "]", ": run 1: \"k\" is missing or not a number"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_with(cases[i][0], "calibrated bloom_blastn --fit");
    bool right =
        model_result.code == VAT_USAGE && strstr(model_result.err, cases[i][1]);
    if (!right)
      printf("\n%s: %d %s\n", cases[i][0], model_result.code, model_result.err);
    CU_ASSERT(right);
  }
}

static void test_refusals(void) {
  static const char *const cases[][2] = {
      {"calibrated", "calibrated what? there are occupancy, launch, sched, "},
      {"calibrated speed",
       "speed: unknown result of calibrated; choose one of occ"},
      {"calibrated sched --active 1", "sched of which blocks? give --blocks"},
      {"calibrated sched --blocks 0 --active 1", "--blocks 0: out of range"},
      {"calibrated sched --blocks x",
       "--blocks x: not a whole number in its range, or more than 10000 "
       "numbers"},
      {"calibrated sched --blocks 9 --active 1 --k 3",
       "--k: sched does not depend on it; leave it out"},
      {"calibrated sched fpr", "fpr: unexpected argument"},
      {"calibrated occupancy --arch gtx1",
       "--arch gtx1: unknown machine; choose one of gtx480, c1060, a100, "
       "h100, "},
      {"calibrated sched --fit f", "--fit: sched has no constants"},
      {"calibrated facs --fit f --k 3", "--k: --fit sets it; leave it out"},
      {"calibrated facs --fit /no/such", "/no/such"},
      {"calibrated sched --blocks 1..1e6*1.002 --active 1..1e6*1.002",
       "--active: over a million combinations"},
      {"integrated apsp_matmul --n 9", "apsp_matmul of which threads? give"},
      {"integrated kernel --q 3", "--q: no such option; see vat model int"},
      {"--json calibrated",
       "calibrated: the model comes first; write vat model calibrated"}};
  model_refuses("", cases, sizeof cases / sizeof *cases);
}

static void test_help_has_the_sheets(void) {
  static const struct sheet_model *const models[] = {&sheet_model_calibrated,
                                                     &sheet_model_integrated};
  for (size_t i = 0; i < 2; i++) {
    char line[80];
    snprintf(line, sizeof line, "%s --help", models[i]->name);
    model_run(line);
    CU_ASSERT_EQUAL(model_result.code, VAT_OK);
    for (const struct sheet *s = models[i]->sheets; s->name; s++) {
      snprintf(line, sizeof line, "\n  %s: ", s->name);
      CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, line));
    }
  }
}

static const struct check_test tests[] = {
    {"occupancy", test_occupancy},
    {"sched and fpr", test_sched_and_fpr},
    {"times", test_times},
    {"the table", test_the_table},
    {"constants are fitted", test_constants_are_fitted},
    {"half of the runs predicts the others",
     test_half_of_the_runs_predicts_the_others},
    {"bad runs are refused", test_bad_runs_are_refused},
    {"refusals", test_refusals},
    {"help has the sheets", test_help_has_the_sheets},
    {0}};

const struct check_suite suite_model_sheets = {
    "vat model calibrated, integrated", tests, NULL};
