/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model tmm counts: what the emulator counts, beside the formulas. */
#include <math.h>
#include <string.h>

#include "experiments/device/device.h"
#include "experiments/gpu_models/tmm_counted.h"
#include "gpu_algos/models/tmm_algo.h"
#include "tests/experiments/gpu_models/model_told.h"
#include "tests/experiments/suites.h"

static bool counts_are_built(void) {
  const struct device *emu = device_find("emu");
  if (!emu->counted)
    puts("SKIPPED counts by the TMM model: vat is built without them");
  return emu->counted;
}

/* A sum reads each line once and writes one word; M is lines, and sectors where
 * C is of these. */
static void test_counts(void) {
  if (!counts_are_built()) return;
  json_t *lines = model_told_lines("tmm counts reduce --n 128,8192 --json");
  json_t *object = json_array_get(lines, 1);
  CU_ASSERT_EQUAL(json_array_size(lines), 2);
  CU_ASSERT_STRING_EQUAL(json_text_at(object, "row"), "reduce");
  CU_ASSERT_EQUAL(json_number_at(object, "n"), 8192);
  CU_ASSERT_EQUAL(json_number_at(object, "M"), 256);
  CU_ASSERT_EQUAL(json_number_at(object, "T1"), 8192);
  CU_ASSERT_EQUAL(json_number_at(object, "accesses"), 257);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "ratio"), 257 / 256., 1e-12);
  CU_ASSERT(json_is_true(json_object_get(object, "holds")));
  CU_ASSERT(json_is_null(json_object_get(object, "m")));
  json_decref(lines);
  lines = model_told_lines("tmm counts reduce --n 4096 --C 8 --json");
  CU_ASSERT_EQUAL(json_number_at(json_array_get(lines, 0), "M"), 512);
  CU_ASSERT_EQUAL(json_number_at(json_array_get(lines, 0), "accesses"), 513);
  /* Of one size nothing can be said, nor of two that are near. */
  CU_ASSERT(json_is_null(json_object_get(json_array_get(lines, 0), "holds")));
  json_decref(lines);
  lines = model_told_lines("tmm counts reduce --n 4096,8192 --json");
  CU_ASSERT(json_is_null(json_object_get(json_array_get(lines, 1), "holds")));
  json_decref(lines);
}

static void test_every_row_is_counted(void) {
  for (const struct tmm_algo *row = tmm_algos; row->name; row++) {
    const struct tmm_counted *counted = tmm_counteds;
    while (counted->row && strcmp(counted->row, row->name)) counted++;
    CU_ASSERT_PTR_NOT_NULL(counted->row);
  }
  for (const struct tmm_counted *c = tmm_counteds; c->row; c++)
    CU_ASSERT_PTR_NOT_NULL(tmm_algo_find(c->row));
}

/* Not the next smaller one in its place. */
static void test_sizes_that_are_none(void) {
  static const char *const cases[][2] = {
      {"tmm counts fft_stockham --n 1000",
       "fft_stockham: n = 1000 is an unsupported size; it takes powers of two, "
       "the next smaller one is 512"},
      {"maxsum --algo fft_stockham --n 1000",
       "fft_stockham: n = 1000 is an unsupported size"}};
  if (counts_are_built()) model_refuses("", cases, 2);
}

/* n is what the row calls n. */
static void test_sizes_that_are_counted(void) {
  static const struct {
    const char *line;
    double n, m, k, M;
  } cases[] = {
      {"tmm counts fft_stockham --n 512 --json", 512, NAN, NAN, 512 * 9 / 32.},
      {"tmm counts suffix_tree --n 64 --json", 64, 1024, 16, 1024},
      {"tmm counts mst_boruvka --n 64 --json", 64, 256, NAN, 256 * 6},
      {"tmm counts merge_sort --n 1024 --Z 256 --json", 1024, NAN, NAN, 64}};
  for (size_t i = 0; counts_are_built() && i < 4; i++) {
    json_t *lines = model_told_lines(cases[i].line),
           *object = json_array_get(lines, 0);
    CU_ASSERT_EQUAL(json_number_at(object, "n"), cases[i].n);
    CU_ASSERT(json_number_at(object, "m") == cases[i].m || isnan(cases[i].m));
    CU_ASSERT(json_number_at(object, "k") == cases[i].k || isnan(cases[i].k));
    CU_ASSERT_DOUBLE_EQUAL(json_number_at(object, "M"), cases[i].M, 1e-9);
    CU_ASSERT(json_number_at(object, "accesses") > cases[i].M / 2);
    json_decref(lines);
  }
}

/* Reads at random, which the row has in chunks, fill chunks of few vertices. */
static void test_what_does_not_hold(void) {
  if (!counts_are_built()) return;
  model_run("tmm counts bellman_ford --n 4,8,64");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, ": M does not hold\n"));
  model_run("tmm counts scan --n 4096,262144");
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, ": M holds\n"));
  model_run("tmm counts scan --n 4096,8192");
  CU_ASSERT_PTR_NOT_NULL(
      strstr(model_result.out,
             ": whether M holds takes an n that grows by 64, not 2"));
}

static const struct check_test tests[] = {
    {"counts beside formulas", test_counts},
    {"every row is counted", test_every_row_is_counted},
    {"sizes that it does not take are refused", test_sizes_that_are_none},
    {"sizes that are counted", test_sizes_that_are_counted},
    {"what does not hold is said", test_what_does_not_hold},
    {0}};

const struct check_suite suite_tmm_counts = {"vat model tmm counts", tests,
                                             NULL};
