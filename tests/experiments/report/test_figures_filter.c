/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of chapters 5 and 6 of Ma's thesis that need runs with several
 * parameters, and what is fitted to them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_algos/models/calibrated.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

#define FUNCTIONS "k, hash functions"
#define SUBS "sub-queries, Q_s / n_sub"

static const char gtx480[] = "GeForce GTX 480, predicted";
static const char gpu[] = "a GPU, measured";

enum { RUNS = 16, LETTERS = 300000 }; /* of the query, too */

/* Of k = 4, 6, 8, 10 and four lengths of sub-queries, which overlap by ten, so
 * that the last of them is short; times are 2 ns a unit of f_app, and 1 ms. */
static struct summary run_of(size_t index, struct sample_variant *variant,
                             const char *device) {
  static const unsigned n_subs[] = {50000, 100000, 200000, 300000};
  static const unsigned all_subs[] = {7, 4, 2, 1};
  struct summary row = figure_row("bloom_blastn", "4k", LETTERS);
  unsigned k = 4 + 2 * (unsigned)(index % 4), n_sub = n_subs[index / 4];
  uint64_t subs = all_subs[index / 4], work = k * subs * LETTERS;
  *variant = (struct sample_variant){.bytes = 0};
  snprintf(variant->parameters, sizeof variant->parameters, "k=%u,n-sub=%u", k,
           n_sub);
  row.variant = variant;
  row.device = device;
  row.ns_per_op_min = (2 * (double)work + 1e6) / LETTERS;
  figure_count(&row, "w_mers", LETTERS);
  figure_count(&row, "sub_queries", subs);
  figure_count(&row, "true_positives", 0);
  figure_count(&row, "positives", 300 * subs); /* one in a thousand */
  figure_count(&row, "warp_instructions", 3 * work + 5000000);
  return row;
}

static struct survey runs_of(struct summary rows[RUNS], const char *device) {
  static struct sample_variant variants[RUNS];
  for (size_t i = 0; i < RUNS; i++) rows[i] = run_of(i, &variants[i], device);
  return figure_survey(rows, RUNS);
}

static void test_times_are_linear(void) {
  struct summary rows[RUNS];
  struct survey survey = runs_of(rows, "cuda");
  CU_ASSERT_TRUE(figure_has_data(&figure_calibrated_functions, &survey));
  char *csv = figure_csv_of(&figure_calibrated_functions, &survey);
  CU_ASSERT(figure_near(
      figure_y_of(csv, gtx480, "n_sub = 50000", FUNCTIONS, "6"), 5e7 / 3e5));
  CU_ASSERT(figure_near(figure_y_of(csv, gpu, "n_sub = 200000", FUNCTIONS, "8"),
                        2 * 8 * 2 * 0.3 + 1));
  /* What is fitted has no name. */
  double end = figure_y_of(csv, gpu, "", FUNCTIONS, "10");
  CU_ASSERT(figure_near(end, 2 * 10 * 7 * 0.3 + 1));
  free(csv);
  csv = figure_csv_of(&figure_calibrated_sub_queries, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, gpu, "k = 4", SUBS, "7"),
                        2 * 4 * 7 * 0.3 + 1));
  CU_ASSERT(
      figure_near(figure_y_of(csv, gpu, "", SUBS, "1"), 2 * 4 * 1 * 0.3 + 1));
  free(csv);
  survey_fini(&survey);
}

/* Where no GPU was measured, instructions that were counted. */
static void test_instructions_are_fitted(void) {
  struct summary rows[RUNS];
  struct survey survey = runs_of(rows, "emu");
  char *csv = figure_csv_of(&figure_calibrated_fit, &survey);
  CU_ASSERT_TRUE(figure_text_has(csv, "3.00 f_app + 5.00, R\302\262 = 1.0000"));
  CU_ASSERT_TRUE(figure_text_has(csv, "\"Emulated, counted: 16 runs\""));
  CU_ASSERT_PTR_NULL(strstr(csv, "measured"));
  free(csv);
  struct chart *chart = figure_chart_of(&figure_calibrated_fit, &survey);
  CU_ASSERT_TRUE(figure_series(chart, 0, "")->apart);
  figure_chart_free(chart);
  survey_fini(&survey);
  survey = figure_survey(rows, 2);
  CU_ASSERT_FALSE(figure_has_data(&figure_calibrated_fit, &survey));
  survey_fini(&survey);
}

static void test_tradeoff(void) {
  struct summary rows[RUNS];
  struct survey survey = runs_of(rows, "cuda");
  char *csv = figure_csv_of(&figure_calibrated_tradeoff, &survey), x[16];
  snprintf(x, sizeof x, "%.6g", 5e7 / 3e5);
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "n_sub = 10000", "time, s", x),
                        calibrated_fpr(0x1p18, 6, 49990)));
  snprintf(x, sizeof x, "%.6g", 2 * 6 * 7 * 0.3 + 1);
  CU_ASSERT(
      figure_near(figure_y_of(csv, gpu, "n_sub = 50000", "time, ms", x), 1e-3));
  free(csv);
  survey_fini(&survey);
}

static void test_rate_lines(void) {
  struct summary rows[RUNS];
  struct survey survey = runs_of(rows, "emu");
  const char *axis = "n_sub, thousand letters";
  char *csv = figure_csv_of(&figure_calibrated_rate_lines, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, "k = 6", "m = 64 Kbit", axis, "50"),
                        calibrated_fpr(0x1p16, 6, 49990)));
  CU_ASSERT(figure_near(figure_y_of(csv, "m = 256 Kbit", "k = 10", axis, "50"),
                        calibrated_fpr(0x1p18, 10, 49990)));
  /* Three whole sub-queries, and one of 20 w-mers, which lets none through. */
  double counted = figure_y_of(csv, "k = 6", "", axis, "100");
  CU_ASSERT(fabs(counted - 4e-3 / 3) < 1e-6);
  free(csv);
  struct chart *chart = figure_chart_of(&figure_calibrated_rate_lines, &survey);
  const struct chart_series *counts = figure_series(chart, 0, "");
  CU_ASSERT_TRUE(counts->apart);
  CU_ASSERT_TRUE(counts->points[0].lo < counts->points[0].y);
  CU_ASSERT_TRUE(counts->points[0].hi > counts->points[0].y);
  figure_chart_free(chart);
  survey_fini(&survey);
}

static void test_cache_times(void) {
  static struct sample_variant variants[3];
  struct summary rows[3];
  static const char *const tables[] = {"global-1m", "global-32k", "shared-32k"};
  const char *axis = "log\342\202\202 m, KiB that are accessed at random";
  for (size_t i = 0; i < 3; i++) {
    rows[i] = figure_row("hash_random", "4k", 1 << 20);
    rows[i].device = "cuda";
    rows[i].variant = &variants[i];
    rows[i].ns_per_op_min = 3 - (double)i;
    strcpy(variants[i].generator, tables[i]);
  }
  struct survey survey = figure_survey(rows, 3);
  char *csv = figure_csv_of(&figure_calibrated_cache_time, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "G = 4", axis, "5"), 1));
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "G = 4", axis, "10"),
                        4 - 3 * 48 / 1024.));
  CU_ASSERT(figure_near(figure_y_of(csv, gpu, "n = 1048576", axis, "5"), 2));
  CU_ASSERT(figure_near(figure_y_of(csv, gpu, "n = 1048576", axis, "10"), 3));
  free(csv);
  survey_fini(&survey);
}

/* Of dummies that leave sub-blocks of 32, and no others. */
static void test_active_blocks(void) {
  static struct sample_variant variants[] = {
      {.block_threads = 64, .dummy_shared = 20480},
      {.block_threads = 256, .dummy_shared = 20480},
      {.block_threads = 256, .dummy_shared = 16384}, /* 64 */
      {.block_threads = 256, .dummy_shared = 40964}, /* 16 */
      {.block_threads = 256, .dummy_shared = 40960}};
  struct summary rows[5];
  const char *axis = "log\342\202\202 threads of a block";
  for (size_t i = 0; i < 5; i++) {
    rows[i] = figure_row("apsp_matmul", "4k", 8192);
    rows[i].device = "cuda";
    rows[i].variant = &variants[i];
    rows[i].ram_ops = 1e6;
    rows[i].ns_per_op_min = 1 + (double)i;
  }
  struct survey survey = figure_survey(rows, 5);
  char *csv = figure_csv_of(&figure_calibrated_active, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, gpu, "20 KiB idle", axis, "6"), 1));
  CU_ASSERT(figure_near(figure_y_of(csv, gpu, "20 KiB idle", axis, "8"), 2));
  CU_ASSERT(figure_near(figure_y_of(csv, gpu, "40 KiB idle", axis, "8"), 5));
  CU_ASSERT_PTR_NULL(strstr(csv, "16 KiB idle"));
  for (unsigned active = 1; active <= 4; active *= 2) {
    char label[16];
    snprintf(label, sizeof label, "B_a = %u", active);
    CU_ASSERT(fabs(figure_y_of(csv, gtx480, label, "T, threads per core", "4") -
                   4) < 0.01);
  }
  free(csv);
  survey_fini(&survey);
}

static const struct check_test tests[] = {
    {"times over functions and sub-queries, 5.10, 5.11", test_times_are_linear},
    {"a line is fitted, 5.13", test_instructions_are_fitted},
    {"false positives against time, 5.14", test_tradeoff},
    {"false positives over sub-queries, 5.7", test_rate_lines},
    {"times of a cache, 5.4", test_cache_times},
    {"blocks that are active, 6.5", test_active_blocks},
    {0}};

const struct check_suite suite_figures_filter = {
    "figures of filters with several parameters", tests, NULL};
