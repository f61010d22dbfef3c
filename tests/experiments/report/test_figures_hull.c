/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 3.5 and 3.6 of the thesis, from counts that are given. */
#include <stdlib.h>
#include <string.h>

#include "experiments/report/chart_layout.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

static struct summary hull_of(uint64_t n, uint64_t loads, uint64_t vertices) {
  struct summary row = figure_row("hull_gpu", "4k", n);
  row.device = "emu";
  figure_count(&row, "loads", loads);
  figure_count(&row, "stores", loads / 4);
  figure_count(&row, "vertices", vertices);
  figure_count(&row, "split_iterations", 7);
  figure_count(&row, "passes_most", 123);
  return row;
}

/* 2^16 points are 2^11 loads of a warp: 8 scans and 2 of stores, and log h is
 * 5.  A single vertex counts as two. */
static void test_operations(void) {
  struct summary rows[] = {hull_of(1 << 16, 8 << 11, 32),
                           hull_of(1 << 17, 8 << 12, 1)};
  struct survey survey = figure_survey(rows, 2);
  CU_ASSERT_TRUE(figure_has_data(&figure_hull_operations, &survey));
  char *csv = figure_csv_of(&figure_hull_operations, &survey);
  CU_ASSERT_PTR_NOT_NULL(strstr(
      csv, "\"hull_gpu on emu, square\",65536,10,2,16384,4096,32,7,123\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(csv, ",131072,10,10,32768,"));
  free(csv);
  struct chart *chart = figure_chart_of(&figure_hull_operations, &survey);
  CU_ASSERT_TRUE(figure_has_title(chart, "Related to their order"));
  CU_ASSERT_STRING_EQUAL(chart->foot, "emulator on Some machine");
  figure_chart_free(chart);
  survey_fini(&survey);
}

static void test_iterations(void) {
  struct summary rows[] = {hull_of(1 << 16, 1, 2)};
  struct survey survey = figure_survey(rows, 1);
  struct chart *chart = figure_chart_of(&figure_hull_iterations, &survey);
  CU_ASSERT_TRUE(figure_has_title(chart, "Splitting stage"));
  CU_ASSERT_TRUE(figure_has_title(chart, "Independent stage"));
  CU_ASSERT_TRUE(figure_ends_in(chart, "hull_gpu on emu, square  7"));
  CU_ASSERT_TRUE(figure_ends_in(chart, "hull_gpu on emu, square  123"));
  CU_ASSERT_FALSE(chart_is_few(chart, &chart->panels[0]));
  figure_chart_free(chart);
  survey_fini(&survey);
}

static void test_few_iterations(void) {
  struct summary row = hull_of(1 << 16, 1, 2);
  row.counter[3].value = 2;
  struct survey survey = figure_survey(&row, 1);
  struct chart *chart = figure_chart_of(&figure_hull_iterations, &survey);
  CU_ASSERT_TRUE(chart_is_few(chart, &chart->panels[0]));
  CU_ASSERT_FALSE(chart_is_few(chart, &chart->panels[1]));
  figure_chart_free(chart);
  survey_fini(&survey);
}

/* Iterations are known on any device, operations where they are counted. */
static void test_absent_is_not_drawn(void) {
  struct summary row = hull_of(1 << 16, 1, 2), other;
  other = hull_of(1 << 16, 1, 2); /* a sum has no vertices */
  other.algo = "reduce";
  for (size_t i = 2; i < other.counters; i++) other.counter[i].present = false;
  row.counter[0].present = false;
  const struct summary rows[] = {row, other};
  struct survey survey = figure_survey(rows, 2),
                none = figure_survey(&other, 1);
  CU_ASSERT_FALSE(figure_has_data(&figure_hull_operations, &survey));
  CU_ASSERT_TRUE(figure_has_data(&figure_hull_iterations, &survey));
  CU_ASSERT_FALSE(figure_has_data(&figure_hull_iterations, &none));
  char *csv = figure_csv_of(&figure_hull_iterations, &survey);
  CU_ASSERT_PTR_NOT_NULL(strstr(csv, ",65536,,,,0,2,7,123\n"));
  CU_ASSERT_PTR_NULL(strstr(csv, "reduce"));
  free(csv);
  survey_fini(&survey);
  survey_fini(&none);
}

static const struct check_test tests[] = {
    {"figure 3.5: operations", test_operations},
    {"figure 3.6: iterations", test_iterations},
    {"figure 3.6: no tics at halves", test_few_iterations},
    {"absent is not drawn", test_absent_is_not_drawn},
    {0}};

const struct check_suite suite_figures_hull = {"figures of hulls", tests, NULL};
