/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of chapter 4 of Ma's thesis, from counts and measurements that are
 * given. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

#define LOG2 "log\342\202\202 "
#define OVER_THREADS LOG2 "T, threads per core"

enum { VARIANTS = 8 };
static struct sample_variant variants[VARIANTS];
static size_t variants_used;

static struct sample_variant *variant_of(struct summary *row) {
  struct sample_variant *variant = &variants[variants_used++ % VARIANTS];
  *variant = (struct sample_variant){0};
  row->variant = variant;
  return variant;
}

/* Of so many accesses, each kind of them a third. */
static struct summary counted(const char *algo, uint64_t n,
                              const char *generator, unsigned dummy_shared,
                              uint64_t accesses) {
  struct summary row = figure_row(algo, "4k", n);
  struct sample_variant *variant = variant_of(&row);
  row.device = "emu";
  variant->dummy_shared = dummy_shared;
  if (generator)
    snprintf(variant->generator, sizeof variant->generator, "%s", generator);
  figure_count(&row, "lines_read", accesses / 3);
  figure_count(&row, "lines_written", accesses / 3);
  figure_count(&row, "atomic_sectors", accesses / 3);
  return row;
}

static const char gtx480[] = "GeForce GTX 480, predicted";
static const char gtx280[] = "GeForce GTX 280, predicted";

/* T1 T P / (M L), and P at most; L = 800, P = 480, Z = 12288. */
static void test_figure_4_1(void) {
  const double T1 = 0x1p27, M = T1 / (sqrt(12288) * 32);
  struct summary rows[] = {counted("apsp_matmul", 256, NULL, 0, 999999),
                           counted("apsp_matmul", 256, NULL, 46080, 9999999),
                           counted("apsp_matmul", 256, "degree-16", 0, 9)};
  struct survey survey = figure_survey(rows, 3);
  CU_ASSERT_TRUE(figure_has_data(&figure_tmm_matmul_sizes, &survey));
  char *csv = figure_csv_of(&figure_tmm_matmul_sizes, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "n = 256", OVER_THREADS, "0"),
                        T1 * 480 / (999999 * 800.)));
  CU_ASSERT(
      figure_near(figure_y_of(csv, gtx480, "n = 256", OVER_THREADS, "4"), 480));
  CU_ASSERT(figure_near(
      figure_y_of(csv, gtx480, "any n, formula", OVER_THREADS, "-4"),
      T1 * 480 / 16 / (M * 800)));
  CU_ASSERT(isnan(figure_y_of(csv, gtx480, "n = 256", OVER_THREADS, "6")));
  free(csv);
  survey_fini(&survey);
}

/* Of 512 words the formula has M = T1 / (sqrt(512) 32). */
static void test_figures_4_4_to_4_6(void) {
  const double T1 = 0x1p27;
  struct summary rows[] = {counted("apsp_matmul", 256, NULL, 0, 999999),
                           counted("apsp_matmul", 256, NULL, 47104, 9999999),
                           counted("apsp_matmul", 512, NULL, 0, 3)};
  struct survey survey = figure_survey(rows, 3);
  char *csv = figure_csv_of(&figure_tmm_matmul_blocks, &survey);
  CU_ASSERT(
      figure_near(figure_y_of(csv, gtx480, "Z = 2 KiB", OVER_THREADS, "0"),
                  T1 * 480 / (9999999 * 800.)));
  CU_ASSERT(figure_near(
      figure_y_of(csv, gtx480, "Z = 2 KiB, formula", OVER_THREADS, "-4"),
      480 / 16. * sqrt(512) * 32 / 800));
  free(csv);
  csv = figure_csv_of(&figure_tmm_matmul_differences, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "counted", OVER_THREADS, "0"),
                        T1 * 480 / 800 * (1 / 999999. - 1 / 9999999.)));
  CU_ASSERT_PTR_NOT_NULL(strstr(csv, "ratio of speed-ups\",10"));
  free(csv);
  csv = figure_csv_of(&figure_tmm_matmul_machines, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, "GeForce GTX 680, predicted",
                                    "Z = 2 KiB", OVER_THREADS, "0"),
                        T1 * 1536 / (9999999 * 400.)));
  free(csv);
  survey_fini(&survey);
}

/* 256 vertices and 1024 or 4096 edges; memory rules all. */
static void test_figures_of_graphs(void) {
  struct summary rows[] = {
      counted("apsp_matmul", 256, "degree-4", 0, 30000000),
      counted("apsp_matmul", 256, "degree-16", 0, 30000000),
      counted("johnson_array", 256, "degree-4", 0, 3000000),
      counted("johnson_array", 256, "degree-16", 0, 60000000)};
  struct survey survey = figure_survey(rows, 4);
  char *csv = figure_csv_of(&figure_tmm_matmul_over_johnson, &survey);
  CU_ASSERT(
      figure_near(figure_y_of(csv, gtx480, "m = 4 n", OVER_THREADS, "0"), 10));
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "m = 16 n", OVER_THREADS, "0"),
                        0.5));
  free(csv);
  struct chart *chart =
      figure_chart_of(&figure_tmm_matmul_over_johnson, &survey);
  CU_ASSERT_TRUE(figure_is_of(chart, "apsp_matmul and johnson_array, n = 256"));
  figure_chart_free(chart);
  csv = figure_csv_of(&figure_tmm_johnson_edges, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "T = 2", LOG2 "m", "12"),
                        6e7 * 800 / 960));
  free(csv);
  csv = figure_csv_of(&figure_tmm_johnson_densities, &survey);
  CU_ASSERT(figure_near(figure_y_of(csv, gtx480, "m = 16 n", OVER_THREADS, "0"),
                        0x1p24 * 480 / (6e7 * 800)));
  free(csv);
  survey_fini(&survey);
}

/* T = n / P: n lg n accesses for n threads take 800 lg n. */
static void test_figure_4_14(void) {
  struct summary rows[] = {
      counted("list_ranking_wyllie", 1024, NULL, 0, 30720),
      counted("list_ranking_wyllie", 4096, NULL, 0, 49152)};
  struct survey survey = figure_survey(rows, 2);
  char *csv = figure_csv_of(&figure_tmm_list_ranking, &survey);
  CU_ASSERT(figure_near(
      figure_y_of(csv, gtx280, "list_ranking_wyllie, formula", LOG2 "n", "12"),
      9600));
  CU_ASSERT(figure_near(
      figure_y_of(csv, gtx280, "list_ranking_wyllie", LOG2 "n", "10"), 24000));
  CU_ASSERT(
      figure_near(figure_y_of(csv, gtx280, "linear", LOG2 "n", "12"), 96000));
  free(csv);
  struct chart *chart = figure_chart_of(&figure_tmm_list_ranking, &survey);
  CU_ASSERT_TRUE(figure_ends_in(chart, "linear  96000 steps"));
  CU_ASSERT_TRUE(figure_is_of(chart, "list_ranking_wyllie"));
  CU_ASSERT_EQUAL(chart->count, 1); /* nothing was measured */
  figure_chart_free(chart);
  survey_fini(&survey);
}

/* In another file: there beside each other, and drawn once. */
static void test_measured_times_stand_beside(void) {
  struct summary emu[] = {counted("apsp_matmul", 256, NULL, 0, 999999)};
  struct summary cuda[] = {figure_row("apsp_matmul", "4k", 1024),
                           figure_row("apsp_matmul", "4k", 1024)};
  for (int i = 0; i < 2; i++) {
    cuda[i].device = "cuda";
    variant_of(&cuda[i])->block_threads = 64u << i;
  }
  struct survey counts = figure_survey(emu, 1), times = figure_survey(cuda, 2);
  CU_ASSERT_TRUE(figure_has_data(&figure_tmm_matmul_sizes, &times));
  const struct survey *const all[] = {&times, &counts, NULL};
  json_t *record = json_loads(
      "{\"gpu\":{\"name\":\"Some GPU\",\"compute_capability\":[9,0],"
      "\"sms\":132,\"clock_khz\":1980000}}",
      0, NULL);
  counts.all = times.all = all;
  times.record = record;
  CU_ASSERT_TRUE(figure_has_data(&figure_tmm_matmul_sizes, &counts));
  CU_ASSERT_FALSE(figure_has_data(&figure_tmm_matmul_sizes, &times));
  char *csv = figure_csv_of(&figure_tmm_matmul_sizes, &counts);
  CU_ASSERT(figure_near(figure_y_of(csv, "Some GPU, measured", "n = 1024",
                                    LOG2 "threads of a block", "7"),
                        cuda[1].ns_per_op_min * cuda[1].ram_ops / 1e6));
  free(csv);
  json_decref(record);
  survey_fini(&counts);
  survey_fini(&times);
}

static void test_no_counts_no_figure(void) {
  struct summary row = figure_row("apsp_matmul", "4k", 256);
  row.device = "emu";
  struct survey survey = figure_survey(&row, 1);
  CU_ASSERT_FALSE(figure_has_data(&figure_tmm_matmul_sizes, &survey));
  survey_fini(&survey);
}

static const struct check_test tests[] = {
    {"speed-ups over threads, 4.1", test_figure_4_1},
    {"and over local memory, 4.4 to 4.6", test_figures_4_4_to_4_6},
    {"graphs of several densities, 4.2, 4.3, 4.7", test_figures_of_graphs},
    {"time over sizes, 4.14", test_figure_4_14},
    {"what was measured stands beside it", test_measured_times_stand_beside},
    {"nothing is drawn where nothing was counted", test_no_counts_no_figure},
    {0}};

/* Figures know of a kernel what it says of itself. */
static const char *why_not(void) {
#if defined HAVE_EMU || defined HAVE_CUDA
  return NULL;
#else
  return "built without kernels";
#endif
}

const struct check_suite suite_figures_tmm = {"figures of the TMM model", tests,
                                              why_not};
