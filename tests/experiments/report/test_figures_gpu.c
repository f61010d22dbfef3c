/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 3a to 5 of Kothapalli et al., from counts and measurements that are
 * given. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/gpu_models/gpu_record.h"
#include "experiments/report/chart_layout.h"
#include "experiments/report/report_machine.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

enum { VARIANTS = 4 };
static struct sample_variant variants[VARIANTS];

/* `generator`: NULL for the first. */
static struct summary row_of(const char *algo, const char *device, uint64_t n,
                             const char *generator) {
  static size_t used;
  struct summary row = figure_row(algo, "4k", n);
  row.device = device;
  if (generator) {
    struct sample_variant *variant = &variants[used++ % VARIANTS];
    snprintf(variant->generator, sizeof variant->generator, "%s", generator);
    row.variant = variant;
  }
  return row;
}

/* Of instructions, accesses, lines and waves. */
static struct summary counted(const char *algo, uint64_t n,
                              const char *generator, uint64_t instructions,
                              uint64_t accesses, uint64_t lines,
                              uint64_t waves) {
  struct summary row = row_of(algo, "emu", n, generator);
  figure_count(&row, "sectors_read", 4 * lines);
  figure_count(&row, "warp_instructions", instructions);
  figure_count(&row, "accesses", accesses);
  figure_count(&row, "lines_read", lines - lines / 4);
  figure_count(&row, "lines_written", lines / 4);
  figure_count(&row, "bank_waves", waves);
  return row;
}

static const char h100[] =
    "{\"gpu\":{\"name\":\"Some 'H100'\",\"compute_capability\":[9,0],"
    "\"sms\":132,\"clock_khz\":1980000}}";

/* The ms of a line at x in the CSV; NAN where it is not. */
static double ms_of(const char *csv, const char *panel, const char *line,
                    const char *x) {
  char at[160];
  snprintf(at, sizeof at, "\"%s\",\"%s\",%s,", panel, line, x);
  const char *found = strstr(csv, at);
  if (!found) return NAN;
  return strtod(strchr(found + strlen(at), ',') + 1, NULL);
}

static const char gtx280[] = "GeForce GTX 280, predicted";
static const char measured_h100[] = "Some 'H100', measured";

/* 2^20 words, 64 warp instructions for each of 1024 warps; a line serves s
 * threads: all threads spend 500 a line and 1 an access, of which 30 x 32 go
 * on at once. */
static void test_figure_3a(void) {
  struct summary rows[] = {
      counted("coalescing", 1 << 20, NULL, 65536, 1 << 21, 1 << 16, 0),
      counted("coalescing", 1 << 20, "stride-4", 65536, 1 << 21, 1 << 19, 0),
      counted("coalescing", 1 << 20, "stride-1", 65536, 1 << 21, 1 << 21, 0),
      counted("coalescing", 1 << 24, NULL, 1, 1, 1, 0)};
  struct survey survey = figure_survey(rows, 4);
  CU_ASSERT_TRUE(figure_has_data(&figure_gpu_coalescing, &survey));
  char *csv = figure_csv_of(&figure_gpu_coalescing, &survey);
  const double at_once = 30 * 32 * 1.3e6, n = 1 << 20;
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, counted", "1"),
                        2 * n * 501 / at_once));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, counted", "4"),
                        2 * n * 126 / at_once));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, counted", "32"),
                        2 * n * 32.25 / at_once));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "SUM, counted", "32"),
                        (2 * n * 32.25 + 65536 * 32 * 4) / at_once));
  /* 69 elements a thread, where 68.3 would do. */
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, formula", "4"),
                        69 * 15360 * 2 * 126 / at_once));
  free(csv);
  struct chart *chart = figure_chart_of(&figure_gpu_coalescing, &survey);
  CU_ASSERT_STRING_EQUAL(chart->detail,
                         "GeForce GTX 280, predicted: n = 1048576.");
  CU_ASSERT_STRING_EQUAL(chart->panels[0].y.title, "time, ms");
  CU_ASSERT_TRUE(figure_ends_in(chart, "MAX, counted  0.0542 ms"));
  CU_ASSERT_EQUAL(chart->panels[0].x.scale, CHART_DOUBLES);
  const struct chart_series *by_counts =
      figure_series(chart, 0, "MAX, counted");
  const struct chart_series *by_formula =
      figure_series(chart, 0, "MAX, formula");
  CU_ASSERT_FALSE(by_counts->open || by_counts->dash);
  CU_ASSERT_TRUE(by_formula->open && by_formula->dash == 1);
  CU_ASSERT_STRING_EQUAL(chart->foot, "emulator on Some machine");
  CU_ASSERT_TRUE(figure_is_of(chart, "coalescing, n = 1048576"));
  CU_ASSERT_TRUE(figure_has_title(chart, "GeForce GTX 280, predicted"));
  CU_ASSERT_EQUAL(chart->count, 1); /* nothing was measured */
  figure_chart_free(chart);
  survey_fini(&survey);
}

/* 4 cycles of each wave for all threads of a warp, as often as there are; the
 * formula: 16 cycles of computing and 4 of each thread that meets. */
static void test_figure_3b(void) {
  struct summary rows[] = {
      counted("bank_conflicts", 15360, NULL, 0, 0, 0, 480 * 32),
      counted("bank_conflicts", 15360, "bank-16", 0, 0, 0, 480 * 32 * 16)};
  struct survey survey = figure_survey(rows, 2);
  char *csv = figure_csv_of(&figure_gpu_banks, &survey);
  CU_ASSERT(
      figure_near(ms_of(csv, gtx280, "MAX, counted", "1"), 512 * 4 / 1.3e6));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, counted", "16"),
                        16 * 512 * 4 / 1.3e6));
  CU_ASSERT(
      figure_near(ms_of(csv, gtx280, "MAX, formula", "1"), 512 * 16 / 1.3e6));
  CU_ASSERT(
      figure_near(ms_of(csv, gtx280, "SUM, formula", "1"), 512 * 20 / 1.3e6));
  CU_ASSERT(
      figure_near(ms_of(csv, gtx280, "MAX, formula", "16"), 512 * 64 / 1.3e6));
  free(csv);
  survey_fini(&survey);
}

/* The sizes of the paper are there, whatever was counted. */
static void test_figure_4a(void) {
  struct summary rows[] = {counted("matmul_tiled", 32, NULL, 100, 960, 60, 70)};
  struct survey survey = figure_survey(rows, 1);
  char *csv = figure_csv_of(&figure_gpu_matmul, &survey);
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, formula", "6"), 0.00997749));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, formula", "7"), 0.0798199));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "SUM, formula", "11"), 430.185));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, formula", "5"), 0.00124719));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, counted", "5"),
                        (500 * 60 + 960 + 32 * 4 * 70) / (30 * 32 * 1.3e6)));
  CU_ASSERT(isnan(ms_of(csv, gtx280, "MAX, formula", "12")));
  free(csv);
  struct chart *chart = figure_chart_of(&figure_gpu_matmul, &survey);
  CU_ASSERT_TRUE(figure_ends_in(chart, "MAX, formula  327 ms"));
  CU_ASSERT_TRUE(figure_is_of(chart, "matmul_tiled"));
  const struct chart_panel *panel = &chart->panels[0];
  CU_ASSERT_EQUAL(panel->y.scale, CHART_LOG);
  CU_ASSERT(panel->range.y_hi > 3); /* the axis has 1000 */
  CU_ASSERT_DOUBLE_EQUAL(
      chart_place(panel->y.scale,
                  figure_y_at(figure_series(chart, 0, "MAX, formula"), 10)),
      1.61138, 1e-5);
  figure_chart_free(chart);
  survey_fini(&survey);
}

static void test_figures_4b_and_5(void) {
  struct summary rows[] = {
      counted("list_ranking_hj", 4096, NULL, 10, 960, 960, 0),
      counted("histogram_shared", 4096, NULL, 9, 960, 60, 30)};
  struct survey survey = figure_survey(rows, 2);
  char *csv = figure_csv_of(&figure_gpu_list_ranking, &survey);
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, formula", "22"), 21.12));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, formula", "18"), 1.32923));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "SUM, counted", "12"),
                        (960 * 501 + 32 * 4 * 10) / (30 * 32 * 1.3e6)));
  free(csv);
  csv = figure_csv_of(&figure_gpu_histogram, &survey);
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "SUM, counted", "12"),
                        (500 * 60 + 960 + 32 * 4 * 39) / (30 * 32 * 1.3e6)));
  CU_ASSERT(ms_of(csv, gtx280, "MAX, formula", "26") > 3);
  free(csv);
  survey_fini(&survey);
}

/* Counted in one file, measured in another: beside each other, in the figures
 * of the first. */
static void test_measured_times_stand_beside(void) {
  struct summary emu[] = {counted("matmul_tiled", 64, NULL, 100, 960, 60, 70)};
  struct summary cuda[] = {row_of("matmul_tiled", "cuda", 1024, NULL),
                           row_of("matmul_tiled", "cuda", 2048, NULL)};
  cuda[0].ns_per_op_min = 30; /* 1024 operations, see figure_row() */
  cuda[1].ns_per_op_min = 60;
  json_t *record = json_loads(h100, 0, NULL);
  struct survey counts = figure_survey(emu, 1), times = figure_survey(cuda, 2);
  times.record = record;
  counts.beside = &times;
  times.beside = &counts;
  CU_ASSERT_TRUE(figure_has_data(&figure_gpu_matmul, &counts));
  CU_ASSERT_FALSE(figure_has_data(&figure_gpu_matmul, &times));
  char *csv = figure_csv_of(&figure_gpu_matmul, &counts);
  CU_ASSERT(figure_near(ms_of(csv, measured_h100, "measured", "10"), 0.03072));
  CU_ASSERT(figure_near(ms_of(csv, measured_h100, "measured", "11"), 0.12288));
  /* 4096 blocks of 256 threads of 48640 cycles on 132 x 128 x 4 at 1.98 GHz. */
  CU_ASSERT(figure_near(ms_of(csv, measured_h100, "MAX, formula", "10"),
                        4096. * 256 * 48640 / (132 * 128 * 4 * 1.98e6)));
  CU_ASSERT(figure_near(ms_of(csv, measured_h100, "MAX, counted", "6"),
                        (500 * 60 + 960 + 32 * 4 * 70) / (132 * 512 * 1.98e6)));
  free(csv);
  times.beside = NULL; /* alone, they have figures of their own */
  CU_ASSERT_TRUE(figure_has_data(&figure_gpu_matmul, &times));
  csv = figure_csv_of(&figure_gpu_matmul, &times);
  CU_ASSERT(figure_near(ms_of(csv, measured_h100, "measured", "10"), 0.03072));
  CU_ASSERT(figure_near(ms_of(csv, gtx280, "MAX, formula", "10"), 40.8676));
  free(csv);
  times.record = NULL; /* nobody knows which GPU */
  csv = figure_csv_of(&figure_gpu_matmul, &times);
  CU_ASSERT(
      figure_near(ms_of(csv, "a GPU, measured", "measured", "10"), 0.03072));
  CU_ASSERT(isnan(ms_of(csv, "a GPU, measured", "MAX, formula", "10")));
  free(csv);
  survey_fini(&counts);
  survey_fini(&times);
  json_decref(record);
}

/* Counts of another size are not drawn over what is measured by stride. */
static void test_sizes_are_not_mixed(void) {
  struct summary rows[] = {counted("coalescing", 1 << 20, NULL, 1, 960, 960, 0),
                           row_of("coalescing", "cuda", 1 << 22, NULL),
                           row_of("coalescing", "cuda", 1 << 22, "stride-8")};
  json_t *record = json_loads(h100, 0, NULL);
  struct survey survey = figure_survey(rows, 3);
  survey.record = record;
  char *csv = figure_csv_of(&figure_gpu_coalescing, &survey);
  CU_ASSERT(isnan(ms_of(csv, measured_h100, "MAX, counted", "32")));
  CU_ASSERT(figure_near(ms_of(csv, measured_h100, "measured", "8"), 41.943));
  CU_ASSERT(ms_of(csv, measured_h100, "MAX, formula", "8") > 0);
  CU_ASSERT(ms_of(csv, gtx280, "MAX, counted", "32") > 0);
  free(csv);
  survey_fini(&survey);
  json_decref(record);
}

static void test_nothing_of_a_gpu_is_no_figure(void) {
  struct summary rows[] = {
      figure_row("permute", "4k", 64), row_of("coalescing", "emu", 64, NULL),
      row_of("coalescing", "cuda", 64, NULL), row_of("scan", "cuda", 64, NULL)};
  rows[1].reps = rows[2].reps = 0; /* none that counts */
  struct survey survey = figure_survey(rows, 4);
  for (size_t i = 0; figures[i]; i++)
    if (figures[i]->of_gpu)
      CU_ASSERT_FALSE(figure_has_data(figures[i], &survey));
  survey_fini(&survey);
}

/* Not counted is not drawn, and a generator without a number has no place. */
static void test_absent_is_not_drawn(void) {
  struct summary rows[] = {counted("coalescing", 64, NULL, 1, 960, 960, 0),
                           row_of("coalescing", "emu", 64, "stride-2"),
                           counted("coalescing", 64, "other", 1, 960, 960, 0)};
  struct survey survey = figure_survey(rows, 3);
  char *csv = figure_csv_of(&figure_gpu_coalescing, &survey);
  CU_ASSERT(ms_of(csv, gtx280, "MAX, counted", "32") > 0);
  CU_ASSERT(isnan(ms_of(csv, gtx280, "MAX, counted", "2")));
  CU_ASSERT_PTR_NULL(strstr(csv, "nan"));
  CU_ASSERT_PTR_NULL(strstr(csv, ",,"));
  free(csv);
  survey_fini(&survey);
}

/* Lines alone tell no time: not even the formula is drawn beside them. */
static void test_counts_of_no_use_are_no_figure(void) {
  struct summary rows[] = {row_of("coalescing", "emu", 64, NULL),
                           counted("coalescing", 64, "stride-2", 1, 96, 96, 0)};
  figure_count(&rows[0], "lines_read", 960);
  figure_count(&rows[0], "lines_written", 960);
  struct survey survey = figure_survey(rows, 1);
  CU_ASSERT_FALSE(figure_has_data(&figure_gpu_coalescing, &survey));
  survey_fini(&survey);
  survey = figure_survey(rows, 2);
  CU_ASSERT_TRUE(figure_has_data(&figure_gpu_coalescing, &survey));
  char *csv = figure_csv_of(&figure_gpu_coalescing, &survey);
  CU_ASSERT(ms_of(csv, gtx280, "MAX, formula", "2") > 0);
  CU_ASSERT(isnan(ms_of(csv, gtx280, "MAX, formula", "32")));
  free(csv);
  survey_fini(&survey);
}

/* Times are the GPU's that ran, counts the emulator's on its host. */
static void test_machines_are_those_that_ran(void) {
  struct summary rows[] = {row_of("scan", "cuda", 64, NULL),
                           row_of("scan", "emu", 64, NULL),
                           figure_row("permute", "4k", 64)};
  json_t *record = json_loads(h100, 0, NULL);
  char titles[REPORT_MACHINE_SIZE];
  json_object_set_new(record, "host_cpu", json_string("Some CPU"));
  struct survey times = figure_survey(rows, 1),
                counts = figure_survey(rows + 1, 1),
                all = figure_survey(rows, 3);
  times.record = counts.record = all.record = record;
  report_machine_titles(&times, false, titles);
  CU_ASSERT_STRING_EQUAL(titles, "Some 'H100'");
  report_machine_titles(&all, false, titles);
  CU_ASSERT_STRING_EQUAL(titles, "Some CPU; Some 'H100'");
  report_machine_titles(&counts, false, titles);
  CU_ASSERT_STRING_EQUAL(titles, "Some CPU");
  report_machine_titles(&counts, true, titles);
  CU_ASSERT_STRING_EQUAL(titles, "emulator on Some CPU");
  counts.beside = &times;
  report_machine_titles(&counts, true, titles);
  CU_ASSERT_STRING_EQUAL(titles, "Some 'H100'; emulator on Some CPU");
  struct chart *chart = malloc(sizeof *chart);
  figure_chart(&figure_gpu_matmul, &counts, chart);
  CU_ASSERT_STRING_EQUAL(chart->foot, titles);
  figure_chart_free(chart);
  survey_fini(&times);
  survey_fini(&counts);
  survey_fini(&all);
  json_decref(record);
}

static void test_gpus_of_records(void) {
  static const char unknown[] =
      "{\"gpu\":{\"name\":\"x\",\"sms\":1,\"clock_khz\":1,"
      "\"compute_capability\":[99,0]}}";
  const char *const bad[] = {
      "{}",
      "{\"gpu\":7}",
      "{\"gpu\":{\"name\":\"x\",\"sms\":1,\"clock_khz\":1}}",
      "{\"gpu\":{\"name\":\"x\",\"sms\":1,\"compute_capability\":[9,0]}}",
      "{\"gpu\":{\"name\":\"x\",\"clock_khz\":1,\"compute_capability\":[9,0]}}",
      "{\"gpu\":{\"sms\":1,\"clock_khz\":1,\"compute_capability\":[9,0]}}",
      "{\"gpu\":{\"name\":\"x\",\"sms\":1e300,\"clock_khz\":1,"
      "\"compute_capability\":[9,0]}}",
      "{\"gpu\":{\"name\":\"x\",\"sms\":65537,\"clock_khz\":1,"
      "\"compute_capability\":[9,0]}}",
      "{\"gpu\":{\"name\":\"x\",\"sms\":1.5,\"clock_khz\":1,"
      "\"compute_capability\":[9,0]}}",
      "{\"gpu\":{\"name\":\"x\",\"sms\":1,\"clock_khz\":1e300,"
      "\"compute_capability\":[9,0]}}",
      unknown};
  struct gpu_record gpu;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    json_t *record = json_loads(bad[i], 0, NULL);
    CU_ASSERT_FALSE(gpu_record_read(&gpu, record));
    json_decref(record);
  }
  json_t *record = json_loads(h100, 0, NULL);
  CU_ASSERT_TRUE(gpu_record_read(&gpu, record));
  CU_ASSERT_STRING_EQUAL(gpu.arch.title, "Some 'H100'");
  CU_ASSERT_EQUAL(gpu.arch.sms, 132);
  CU_ASSERT_EQUAL(gpu.arch.cores, 128);
  CU_ASSERT_EQUAL(gpu.arch.clock_hz, 1.98e9);
  CU_ASSERT_EQUAL(gpu.arch.served, 32);
  json_decref(record);
}

static const struct check_test tests[] = {
    {"figure 3a", test_figure_3a},
    {"figure 3b", test_figure_3b},
    {"figure 4a", test_figure_4a},
    {"figures 4b and 5", test_figures_4b_and_5},
    {"measured times stand beside", test_measured_times_stand_beside},
    {"sizes are not mixed", test_sizes_are_not_mixed},
    {"nothing of a GPU is no figure", test_nothing_of_a_gpu_is_no_figure},
    {"absent is not drawn", test_absent_is_not_drawn},
    {"counts of no use are no figure", test_counts_of_no_use_are_no_figure},
    {"machines are those that ran", test_machines_are_those_that_ran},
    {"GPUs of records", test_gpus_of_records},
    {0}};

const struct check_suite suite_figures_gpu = {"figures of GPUs", tests, NULL};
