/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of chapters 5 and 6 of Ma's thesis, from the models and from results
 * that are given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_algos/models/calibrated.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

#define BLOCKS "blocks that are requested, B_r"
#define THREADS "T, threads per core"

static const char gtx480[] = "GeForce GTX 480, predicted";

static double at(const char *csv, const char *line, const char *axis,
                 unsigned x) {
  char text[16];
  snprintf(text, sizeof text, "%u", x);
  return figure_y_of(csv, gtx480, line, axis, text);
}

/* The least time, and the most throughput, in multiples of 15 alone. */
static void test_zigzag(void) {
  struct summary rows[] = {figure_row("apsp_matmul", "4k", 256),
                           figure_row("facs", "4k", 1000)};
  rows[0].device = rows[1].device = "emu";
  struct survey survey = figure_survey(rows, 2);
  CU_ASSERT_TRUE(figure_has_data(&figure_calibrated_schedule, &survey));
  CU_ASSERT_FALSE(figure_has_data(&figure_calibrated_hash_random, &survey));
  char *times = figure_csv_of(&figure_calibrated_schedule, &survey);
  char *rates = figure_csv_of(&figure_calibrated_facs, &survey);
  for (unsigned blocks = 1; blocks <= 90; blocks++) {
    double time = at(times, "f_sched", BLOCKS, blocks);
    double rate = at(rates, "1 / f_sched", BLOCKS, blocks);
    CU_ASSERT(blocks % 15 ? time > 1 : time == 1);
    CU_ASSERT(blocks % 15 ? rate < 1 : rate == 1);
  }
  CU_ASSERT(figure_near(at(times, "f_sched", BLOCKS, 1), 15));
  CU_ASSERT(figure_near(at(times, "f_sched", BLOCKS, 31), 45 / 31.));
  CU_ASSERT_PTR_NULL(strstr(rates, "measured"));
  free(times);
  free(rates);
  survey_fini(&survey);
}

/* Times flatten at T = 8, 16, 32 of sub-blocks of 64, 32, 16 (6.3.2). */
static void test_shortest_paths(void) {
  struct summary row = figure_row("apsp_matmul", "4k", 256);
  row.device = "emu";
  struct survey survey = figure_survey(&row, 1);
  char *csv = figure_csv_of(&figure_calibrated_over_threads, &survey);
  static const char *const lines[] = {"S_D = 64", "S_D = 32", "S_D = 16"};
  for (unsigned i = 0; i < 3; i++) {
    CU_ASSERT(figure_near(at(csv, lines[i], THREADS, 8u << i), 1));
    CU_ASSERT(at(csv, lines[i], THREADS, (8u << i) - 1) > 1.01);
    CU_ASSERT(figure_near(at(csv, lines[i], THREADS, 4), 2u << i));
  }
  free(csv);
  csv = figure_csv_of(&figure_calibrated_over_blocks, &survey);
  CU_ASSERT(figure_near(
      figure_y_of(csv, gtx480, "T = 4", "log\342\202\202 B_r", "16"), 4));
  free(csv);
  csv = figure_csv_of(&figure_calibrated_over_ratio, &survey);
  CU_ASSERT(figure_near(
      figure_y_of(csv, gtx480, "any S_D", "\342\210\232B_r / T", "512"), 32));
  free(csv);
  survey_fini(&survey);
}

static void test_hit_rates(void) {
  struct summary row = figure_row("hash_random", "4k", 256);
  row.device = "emu";
  struct survey survey = figure_survey(&row, 1);
  char *csv = figure_csv_of(&figure_calibrated_hit_rates, &survey);
  const char *axis = "log\342\202\202 m, KiB that are accessed at random";
  CU_ASSERT(figure_near(at(csv, "hits, C_s = 16 KiB", axis, 4), 1));
  CU_ASSERT(figure_near(at(csv, "hits, C_s = 16 KiB", axis, 6), 0.25));
  CU_ASSERT(figure_near(at(csv, "misses, C_s = 48 KiB", axis, 7), 0.625));
  free(csv);
  survey_fini(&survey);
}

/* A line an input, blocks ascending; what let vat choose is no point. */
static void test_measured(void) {
  static struct sample_variant variants[4] = {{.grid_blocks = 30},
                                              {.grid_blocks = 15},
                                              {.grid_blocks = 15},
                                              {.bytes = 0}};
  struct summary rows[4];
  strcpy(variants[2].generator, "global-8k");
  for (size_t i = 0; i < 4; i++) {
    rows[i] = figure_row("hash_random", "4k", 1 << 20);
    rows[i].device = "cuda";
    rows[i].variant = &variants[i];
    rows[i].ns_per_op_min = 0.5 * (double)(i + 1);
  }
  struct survey survey = figure_survey(rows, 4);
  char *csv = figure_csv_of(&figure_calibrated_hash_random, &survey);
  const char *gpu = "a GPU, measured";
  CU_ASSERT(
      figure_near(figure_y_of(csv, gpu, "hash_random", BLOCKS, "30"), 2000));
  CU_ASSERT(
      figure_near(figure_y_of(csv, gpu, "hash_random", BLOCKS, "15"), 1000));
  CU_ASSERT(
      figure_near(figure_y_of(csv, gpu, "global-8k", BLOCKS, "15"), 1e3 / 1.5));
  CU_ASSERT_PTR_NULL(strstr(csv, BLOCKS "\",0,"));
  free(csv);
  survey_fini(&survey);
}

/* Which counts `rate` of the strangers. */
static struct summary filter_row(const struct sample_variant *variant,
                                 double subs, double rate) {
  struct summary row = figure_row("bloom_blastn_cpu", "4k", 300000);
  const double mers = 1e9, members = 1e8;
  row.variant = variant;
  figure_count(&row, "w_mers", (uint64_t)mers);
  figure_count(&row, "sub_queries", (uint64_t)subs);
  figure_count(&row, "true_positives", (uint64_t)members);
  figure_count(&row, "positives",
               (uint64_t)(members + rate * (mers * subs - members)));
  return row;
}

/* Of 300000 letters in sub-queries of 50000, which overlap by 10: six whole
 * ones, and one of 50 w-mers, which lets almost nothing through. */
static void test_rates(void) {
  static struct sample_variant usual, markov = {.generator = "markov"}, file;
  double model = calibrated_fpr(0x1p18, 6, 49990) * 6 / 7,
         whole = model * 7 / 6;
  strcpy(file.file, "lambda.fa");
  struct summary rows[] = {filter_row(&usual, 7, model),
                           filter_row(&usual, 7, 2 * model), /* again */
                           filter_row(&markov, 7, 0.923 * model),
                           filter_row(&file, 7, whole), /* too few */
                           filter_row(&file, 8, 2 * whole)};
  struct summary none = figure_row("bloom_blastn", "4k", 1000);
  rows[4].n++;
  struct survey survey = figure_survey(rows, 5);
  CU_ASSERT_TRUE(figure_has_data(&figure_calibrated_rates, &survey));
  char *csv = figure_csv_of(&figure_calibrated_rates, &survey);
  double errors[4] = {NAN, NAN, NAN, NAN};
  size_t count = 0;
  for (char *line = strchr(csv, '\n') + 1; *line && count < 4;
       line = strchr(line, '\n') + 1)
    sscanf(line, "%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%lf",
           &errors[count++]);
  CU_ASSERT_EQUAL(count, 3);
  CU_ASSERT(fabs(errors[0]) < 1e-4);
  CU_ASSERT(fabs(errors[1] + 0.077) < 1e-4);
  CU_ASSERT(fabs(errors[2] - 1) < 1e-4);
  free(csv);
  struct chart *chart = figure_chart_of(&figure_calibrated_rates, &survey);
  CU_ASSERT_TRUE(figure_ends_in(chart, "uniform: 1"));
  const struct chart_series *bars = figure_series(chart, 0, "uniform: 1");
  CU_ASSERT_EQUAL(figure_y_at(bars, -0.5), 0); /* of the bar beside */
  CU_ASSERT_EQUAL(figure_y_at(figure_series(chart, 0, "markov: 1"), -7.5), 1);
  CU_ASSERT_EQUAL(figure_y_at(figure_series(chart, 0, "markov: 1"), -8.5), 0);
  CU_ASSERT_EQUAL(figure_y_at(figure_series(chart, 0, "of files: 1"), 20.5), 1);
  figure_chart_free(chart);
  survey_fini(&survey);
  survey = figure_survey(&none, 1);
  CU_ASSERT_FALSE(figure_has_data(&figure_calibrated_rates, &survey));
  survey_fini(&survey);
}

static const struct check_test tests[] = {
    {"blocks are best in multiples, 5.2, 5.16, 6.1", test_zigzag},
    {"shortest paths, 6.2 to 6.4", test_shortest_paths},
    {"what a cache has, 5.3", test_hit_rates},
    {"what was measured stands beside it", test_measured},
    {"rates of a filter, 5.8", test_rates},
    {0}};

const struct check_suite suite_figures_calibrated = {
    "figures of the calibrated model", tests, NULL};
