/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of the calibration and of what the models predict. */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiments/cli/command.h"
#include "experiments/report/report.h"
#include "experiments/validate/models.h"
#include "experiments/validate/validate.h"
#include "tests/check.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/report/report_fixture.h"
#include "tests/experiments/suites.h"

static const char recorded[] =
    VAT_TEST_SOURCE "/tests/experiments/calibration_vm.json";

/* Two kinds of pages: base pages, and huge ones that a TLB's entry maps whole,
 * whose translation cache ends at the same memory but for a fifth. */
static struct cal_point line_points[] = {{16384, 1, .9, 1.1},
                                         {1048576, 100, 90, NAN}};
static struct cal_point page_points[] = {{16, 2, 2, 2}, {1024, 50, 40, 60}};
static struct cal_curve curves[] = {
    {"line_chase", "4k", false, 64, 1, line_points, 2},
    {"page_chase", "4k", true, 4096, 1, page_points, 2},
    {"page_chase", "2m", true, 4096, 1, page_points, 2},
    {"line_chase", "2m", false, 64, 8, line_points, 2}};

static struct calibration small_calibration(void) {
  struct calibration cal = {.level_count = 2,
                            .levels = {{.name = "L1",
                                        .bytes_usable = {65536, NAN, NAN},
                                        .ns = {1, 1, 1}},
                                       {.name = "memory",
                                        .bytes_usable = {NAN, NAN, NAN},
                                        .ns = {100, 90, 110}}},
                            .page_count = 2,
                            .pages = {{.kind = "4k",
                                       .granularity_bytes = 4096,
                                       .tlbs = 2,
                                       .tlb = {{.entries = {32, 32, 32}},
                                               {.entries = {512, 512, 512}}},
                                       .tau_ns = {17.25, 17, 18},
                                       .tc_nodes = {512, 512, 512}},
                                      {.kind = "2m",
                                       .granularity_bytes = 2097152,
                                       .tlbs = 1,
                                       .tlb = {{.entries = {1.2, 1, 2}}},
                                       .tau_ns = {NAN, NAN, NAN},
                                       .tc_nodes = {1.2, 1, 2}}},
                            .curves = curves,
                            .curve_count = 4};
  return cal;
}

static void test_curves_and_knees_are_drawn(void) {
  struct calibration cal = small_calibration();
  json_t *record = json_pack("{ss}", "host_cpu", "that of the results");
  struct survey survey = {.record = record};
  CU_ASSERT_FALSE(figure_has_data(&figure_calibration, &survey));
  survey.calibration = &cal;
  CU_ASSERT_TRUE(figure_has_data(&figure_calibration, &survey));
  struct chart *chart = figure_chart_of(&figure_calibration, &survey);
  const struct chart_panel *panels = chart->panels;
  const struct chart_series *lines = figure_series(chart, 0, "4k");
  CU_ASSERT_EQUAL(lines->count, 2);
  CU_ASSERT_EQUAL(figure_y_at(lines, 16384), 1);
  CU_ASSERT_EQUAL(figure_y_at(lines, 1048576), 100);
  /* Steps of 4 KiB. */
  const struct chart_series *pages = figure_series(chart, 1, "4k");
  CU_ASSERT_EQUAL(figure_y_at(pages, 65536), 2);
  CU_ASSERT_EQUAL(figure_y_at(pages, 4194304), 50);
  CU_ASSERT_EQUAL(figure_mark(&panels[0], "L1"), 65536);
  CU_ASSERT_EQUAL(figure_mark(&panels[1], "32"), 131072);
  CU_ASSERT_EQUAL(figure_mark(&panels[1], "W = 512"), 2097152);
  CU_ASSERT_TRUE(isnan(figure_mark(&panels[1], "W = 1"))); /* the same mark */
  CU_ASSERT_TRUE(isnan(figure_mark(&panels[0], "memory")));
  for (size_t i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(panels[i].x.scale, CHART_BYTES);
    CU_ASSERT_EQUAL(panels[i].y.scale, CHART_LOG);
    CU_ASSERT_EQUAL(panels[i].range.x_lo, 14);
    CU_ASSERT_EQUAL(panels[i].range.x_hi, 22);
    CU_ASSERT(panels[i].range.y_lo < 0 && panels[i].range.y_hi > 2);
  }
  CU_ASSERT_PTR_NULL(strstr(chart->foot, "that of the results"));
  json_decref(record);
  survey.record = NULL;
  figure_chart_free(chart);
  char *csv = figure_csv_of(&figure_calibration, &survey);
  CU_ASSERT_TRUE(
      figure_text_has(csv, "curve,line_chase,\"4k\",1048576,100,90,\n"));
  CU_ASSERT_TRUE(
      figure_text_has(csv, "curve,page_chase,\"2m\",4194304,50,40,60\n"));
  CU_ASSERT_PTR_NULL(strstr(csv, "curve,line_chase,\"2m\"")); /* 8 chains */
  CU_ASSERT_TRUE(figure_text_has(csv, "knee,\"L1\",,65536,,,\n"));
  CU_ASSERT_TRUE(
      figure_text_has(csv, "knee,\"TLB 2\",\"4k\",2.09715e+06,,,\n"));
  free(csv);
}

static void test_the_caption_tells_tau_and_w(void) {
  struct calibration cal = small_calibration();
  struct survey survey = {.calibration = &cal};
  char *text = figure_detail_of(&figure_calibration, &survey);
  CU_ASSERT_TRUE(figure_text_has(
      text, "on 4k 17.2 ns, W 512 entries of 4 KiB; on 2m - ns"));
  CU_ASSERT_TRUE(figure_text_has(text, "L1 64 KiB 1.00 ns, memory 100 ns."));
  free(text);
  /* However long, it ends in time. */
  cal.page_count = CALIBRATION_KINDS;
  cal.level_count = CALIBRATION_LEVELS;
  for (size_t i = 0; i < CALIBRATION_KINDS; i++) {
    cal.pages[i] = cal.pages[0];
    memset(cal.pages[i].kind, 'k', sizeof cal.pages[i].kind - 1);
    cal.pages[i].tau_ns.value = cal.pages[i].tc_nodes.value = -1.23456e-300;
  }
  for (size_t i = 0; i < CALIBRATION_LEVELS; i++) {
    cal.levels[i] = cal.levels[0];
    memset(cal.levels[i].name, 'l', sizeof cal.levels[i].name - 1);
  }
  text = figure_detail_of(&figure_calibration, &survey);
  CU_ASSERT(strlen(text) < CHART_DETAIL);
  free(text);
}

/* A program of which one point of three is held out, and one left out. */
static struct validation small_validation(struct summary rows[3],
                                          struct point points[4],
                                          struct program programs[2],
                                          double *predicted) {
  struct validation v = {.points = {.points = points,
                                    .count = 4,
                                    .programs = programs,
                                    .program_count = 2}};
  for (size_t i = 0; i < 3; i++)
    rows[i] = (struct summary){.algo = "heapsort", .pages = "4k", .n = 1 << i};
  rows[2].pages = "thp";
  for (size_t i = 0; i < 4; i++)
    points[i] = (struct point){
        .row = &rows[i % 3], .ns = 10, .use = POINT_FITS_C, .base = SIZE_MAX};
  points[2].use = points[3].use = POINT_HELD_OUT;
  programs[0] = (struct program){cpu_algo_find("heapsort"), 0, 3, NULL};
  programs[1] = (struct program){cpu_algo_find("permute"), 3, 1, "too few"};
  for (size_t m = 0; m < MODELS; m++) {
    v.judged.predicted[m] = predicted + 4 * m;
    for (size_t i = 0; i < 4; i++)
      predicted[4 * m + i] = pow(10, (double)(m + 1) * .25);
    v.judged.all[m].time = (struct score){1, .1 * (double)m, .5};
  }
  snprintf(v.verdict, sizeof v.verdict, "holds: well");
  return v;
}

static void test_predictions_are_drawn_where_held_out(void) {
  struct summary rows[3];
  struct point points[4];
  struct program programs[2];
  double predicted[4 * MODELS];
  struct validation v = small_validation(rows, points, programs, predicted);
  struct survey survey = {.record = NULL};
  CU_ASSERT_FALSE(figure_has_data(&figure_predicted, &survey));
  survey.validation = &v;
  CU_ASSERT_TRUE(figure_has_data(&figure_predicted, &survey));
  struct chart *chart = figure_chart_of(&figure_predicted, &survey);
  CU_ASSERT_EQUAL(chart->count, 5);
  for (size_t m = 0; m < chart->count; m++) {
    const struct chart_panel *panel = &chart->panels[m];
    CU_ASSERT_EQUAL_FATAL(panel->count, 2);
    CU_ASSERT_EQUAL(panel->series[0]->count, 1);
    CU_ASSERT(figure_near(log10(figure_y_at(panel->series[0], 10)),
                          0.25 * (double)(m + 1)));
    CU_ASSERT_EQUAL(panel->series[1]->count, 0);
    CU_ASSERT_EQUAL(panel->range.x_lo, panel->range.y_lo); /* one diagonal */
    CU_ASSERT_EQUAL(panel->range.x_hi, panel->range.y_hi);
  }
  CU_ASSERT_STRING_EQUAL(chart->panels[1].title, "EM: 10 % off");
  CU_ASSERT_STRING_EQUAL(chart->panels[4].title, "FULL: 40 % off");
  CU_ASSERT_EQUAL(chart->key_count, 1);
  CU_ASSERT_STRING_EQUAL(chart->keys[0].text, "heapsort");
  CU_ASSERT_TRUE(
      figure_text_has(chart->detail,
                      "Here it holds: well. Nine in ten points are nearer "
                      "than: RAM 50 %, EM 50 %"));
  figure_chart_free(chart);
  char *csv = figure_csv_of(&figure_predicted, &survey);
  CU_ASSERT_STRING_EQUAL(
      csv,
      "algo,pages,n,measured_ns_per_op,ram_ns_per_op,em_ns_per_op,"
      "vat_ns_per_op,em_vat_ns_per_op,full_ns_per_op\n"
      "\"heapsort\",\"thp\",4,10,1.77828,3.16228,5.62341,10,17.7828\n");
  free(csv);
  points[2].use = POINT_FITS_OVERLAP;
  CU_ASSERT_FALSE(figure_has_data(&figure_predicted, &survey));
}

static int report_with(const char *results, const char *machine,
                       const char *dir, char error[RESULTS_ERROR_SIZE]) {
  struct results read;
  if (results_read(&read, results, error)) return -1;
  const char *machines[] = {machine, NULL};
  int code = report_write_results(&read, &results, 1, machines, dir, error);
  results_fini(&read);
  return code;
}

/* Results that cannot be predicted leave out that figure alone. */
static void test_a_report_without_predictions_is_whole(void) {
  struct scratch scratch;
  char error[RESULTS_ERROR_SIZE] = "", evil[600];
  scratch_init(&scratch);
  report_fixture_evil(&scratch, evil, sizeof evil);
  CU_ASSERT_EQUAL(report_with(evil, recorded, scratch.dir, error), VAT_OK);
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-calibration.svg"));
  CU_ASSERT_TRUE(report_fixture_has(&scratch, "fig-calibration.csv"));
  CU_ASSERT_FALSE(report_fixture_has(&scratch, "fig-predicted.svg"));
  char *page = scratch_read(scratch_path(&scratch, "index.html"), NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(page);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<h2>Waiting time of an access"));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "calibration of another machine"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(page, "<li>Measured against predicted. Not drawn."));
  free(page);
  CU_ASSERT_EQUAL(report_with(evil, "/none.json", scratch.dir, error),
                  VAT_USAGE);
  CU_ASSERT_TRUE(figure_text_has(error, "/none.json"));
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"curves and knees are drawn", test_curves_and_knees_are_drawn},
    {"the caption tells tau and W", test_the_caption_tells_tau_and_w},
    {"predictions are drawn where held out",
     test_predictions_are_drawn_where_held_out},
    {NULL, NULL},
};
const struct check_suite suite_figures_prediction = {
    .name = "figures_prediction", .tests = tests};

static const struct check_test drawing_tests[] = {
    {"a report without predictions is whole",
     test_a_report_without_predictions_is_whole},
    {NULL, NULL},
};
const struct check_suite suite_report_prediction = {
    .name = "report_prediction",
    .skip = report_fixture_no_gnuplot,
    .tests = drawing_tests};
