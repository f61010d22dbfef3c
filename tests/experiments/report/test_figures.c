/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The charts of figures 2.1, 2.5 and 2.7. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "experiments/report/chart_layout.h"
#include "experiments/report/report_page.h"
#include "huge_pages/region.h"
#include "tests/check.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

static struct summary row_of(const char *algo, const char *pages, uint64_t n,
                             double ratio) {
  struct summary row = figure_row(algo, pages, n);
  row.ratio_to_4k = ratio;
  row.ratio_lo = ratio - .02;
  row.ratio_hi = ratio + .02;
  return row;
}

static struct chart *chart_of(const struct figure *figure,
                              const struct summary *rows, size_t count) {
  struct survey survey = figure_survey(rows, count);
  struct chart *chart = figure_chart_of(figure, &survey);
  survey_fini(&survey);
  return chart;
}

static void test_colours_follow_the_table_of_algorithms(void) {
  struct summary rows[] = {
      row_of("sequential_scan", "4k", 64, NAN), row_of("zebra", "4k", 64, NAN),
      row_of("permute", "4k", 64, NAN), row_of("aardvark", "4k", 64, NAN)};
  size_t algos = 0, last = 0, first = 0;
  for (; cpu_algos[algos]; algos++) {
    if (!strcmp(cpu_algos[algos]->name, "sequential_scan")) last = algos;
    if (!strcmp(cpu_algos[algos]->name, "permute")) first = algos;
  }
  struct chart *chart = chart_of(&figure_operation_time, rows, 4);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "sequential_scan")->colour, last);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "zebra")->colour, algos);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "permute")->colour, first);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "aardvark")->colour, algos + 1);
  figure_chart_free(chart);
}

/* The thesis's programs have the colours of those that are tuned of them, which
 * stand behind them, dashed, and are named in the caption. */
static void test_tuned_programs_stand_beside_the_thesis_s(void) {
  struct summary rows[] = {row_of("heapify", "4k", 64, NAN),
                           row_of("permute", "4k", 64, NAN),
                           row_of("introsort", "4k", 64, NAN),
                           row_of("heapify_levels", "4k", 64, NAN)};
  static const struct sample_variant sorted = {.generator = "sorted"};
  struct survey survey = figure_survey(rows, 4);
  CU_ASSERT_EQUAL_FATAL(survey.program_count, 4);
  CU_ASSERT_STRING_EQUAL(survey.programs[0]->algo, "permute");
  CU_ASSERT_STRING_EQUAL(survey.programs[1]->algo, "introsort");
  CU_ASSERT_STRING_EQUAL(survey.programs[2]->algo, "heapify_levels");
  CU_ASSERT_STRING_EQUAL(survey.programs[3]->algo, "heapify");
  CU_ASSERT_PTR_EQUAL(survey_tuned_of(&survey, survey.programs[3]), &rows[3]);
  CU_ASSERT_PTR_NULL(survey_tuned_of(&survey, survey.programs[1]));
  struct chart *chart = figure_chart_of(&figure_operation_time, &survey);
  const struct chart_series *tuned = figure_series(chart, 0, "heapify");
  const struct chart_series *plain = figure_series(chart, 0, "heapify_levels");
  CU_ASSERT(tuned->dash == 1 && tuned->open && !plain->dash && !plain->open);
  CU_ASSERT_EQUAL(tuned->colour, plain->colour);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "introsort")->dash, 0);
  CU_ASSERT_TRUE(figure_text_has(
      chart->detail,
      "As in the thesis: permute, heapify_levels. Tuned versions of programs "
      "of "
      "the thesis, dashed, in the same colour: introsort, heapify."));
  figure_chart_free(chart);
  survey_fini(&survey);
  rows[3].variant = &sorted; /* another input is another program */
  chart = chart_of(&figure_operation_time, rows, 4);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "heapify")->dash, 0);
  CU_ASSERT_TRUE(figure_text_has(
      chart->detail,
      "Tuned versions of programs of the thesis: heapify, introsort."));
  figure_chart_free(chart);
}

static void test_no_two_places_look_alike(void) {
  for (size_t i = 0; i < FIGURE_PROGRAMS_MAX; i++)
    for (size_t j = 0; j < i; j++)
      CU_ASSERT(strcmp(chart_colour(i), chart_colour(j)) ||
                strcmp(chart_shape(i), chart_shape(j)));
}

/* What is written at the edge for a point of the second row's kind. */
static const char *edge_of(const struct chart *chart, size_t series,
                           size_t point) {
  static char text[32];
  chart_beyond(&chart->panels[0], series, point, text);
  return text;
}

static void test_an_outlier_does_not_set_the_axis(void) {
  char text[32];
  struct summary rows[] = {
      row_of("permute", "4k", 64, NAN), row_of("permute", "2m", 64, 4.12),
      row_of("permute", "4k", 128, NAN), row_of("permute", "2m", 128, .7)};
  struct chart *chart = chart_of(&figure_page_ratio, rows, 4);
  CU_ASSERT_EQUAL(chart->panels[0].range.y_lo, 60);
  CU_ASSERT_EQUAL(chart->panels[0].range.y_hi, 150);
  CU_ASSERT_EQUAL(chart->panels[0].series[0]->points[0].x, 6);
  CU_ASSERT_EQUAL(chart_beyond(&chart->panels[0], 0, 0, text), 1);
  CU_ASSERT_STRING_EQUAL(text, "412 %");
  CU_ASSERT_EQUAL(chart_beyond(&chart->panels[0], 0, 1, text), 0);
  CU_ASSERT_STRING_EQUAL(text, "");
  figure_chart_free(chart);
  /* Below, what is told from noise is shown, and the rest marked. */
  rows[1].ratio_to_4k = .22;
  rows[1].ratio_lo = .1;
  rows[1].ratio_hi = 3;
  chart = chart_of(&figure_page_ratio, rows, 4);
  CU_ASSERT_EQUAL(chart->panels[0].range.y_lo, 40);
  CU_ASSERT_EQUAL(chart->panels[0].range.y_hi, 110);
  CU_ASSERT_EQUAL(chart_beyond(&chart->panels[0], 0, 0, text), -1);
  CU_ASSERT_STRING_EQUAL(text, "22 %");
  figure_chart_free(chart);
  rows[1].ratio_hi = .3;
  chart = chart_of(&figure_page_ratio, rows, 4);
  CU_ASSERT_EQUAL(chart->panels[0].range.y_lo, 10);
  CU_ASSERT_EQUAL(chart->panels[0].range.y_hi, 110);
  CU_ASSERT_STRING_EQUAL(edge_of(chart, 0, 0), "");
  figure_chart_free(chart);
}

/* With few sizes, kinds of pages stand side by side, and within the axis. */
static void test_few_sizes_have_room(void) {
  struct summary rows[] = {
      row_of("permute", "4k", 64, NAN), row_of("permute", "thp", 64, .8),
      row_of("permute", "2m", 64, 4.12), row_of("permute", "4k", 128, NAN),
      row_of("permute", "thp", 128, .8)};
  struct chart *chart = chart_of(&figure_page_ratio, rows, 5);
  const struct chart_panel *panel = &chart->panels[0];
  CU_ASSERT_DOUBLE_EQUAL(panel->range.x_lo, 5.76, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(panel->range.x_hi, 7.24, 1e-9);
  CU_ASSERT_EQUAL(panel->series[0]->interval, CHART_BARS);
  CU_ASSERT_EQUAL(panel->series[1]->interval, CHART_BARS);
  CU_ASSERT_DOUBLE_EQUAL(panel->series[0]->points[0].x, 5.96, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(panel->series[1]->points[0].x, 6.04, 1e-9);
  CU_ASSERT_STRING_EQUAL(edge_of(chart, 1, 0), "412 %");
  figure_chart_free(chart);
}

static void test_names_are_whole(void) {
  static const struct sample_variant arena = {.alloc = "arena"};
  struct summary row = row_of("list_ranking_nodes", "4k", 64, NAN);
  row.variant = &arena;
  struct chart *chart = chart_of(&figure_operation_time, &row, 1);
  CU_ASSERT_TRUE(figure_ends_in(chart, "list_ranking_nodes, arena  10.0"));
  figure_chart_free(chart);
}

static void test_names_in_a_csv_are_quoted(void) {
  struct summary row = row_of("a\"b", "\"4k\303\"", 64, NAN);
  struct survey survey = figure_survey(&row, 1);
  row.device = "\"";
  char *csv = figure_csv_of(&figure_operation_time, &survey);
  CU_ASSERT_PTR_NOT_NULL(strstr(
      csv, "\n\"a\"\"b\",\"\"\"\",\"\"\"4k\357\277\275\"\"\",64,6.00000,"));
  free(csv);
  survey_fini(&survey);
}

/* Figure 2.7: what is no transpose is not in it, page kinds differ by dashes,
 * and the misses have a panel where there are any. */
static void test_transposes_are_drawn_by_kind(void) {
  static const struct simulated simulated = {.tc_nodes = 96, .misses = 8};
  struct summary rows[] = {row_of("permute", "4k", 64, NAN),
                           row_of("transpose_rows", "4k", 64, NAN),
                           row_of("transpose_rows", "thp", 64, .8),
                           row_of("transpose_rows", "4k", 128, NAN)};
  for (size_t i = 0; i < 4; i++) rows[i].ram_ops = 16;
  struct chart *chart = chart_of(&figure_transposes, rows, 4);
  CU_ASSERT_EQUAL_FATAL(chart->count, 1);
  const struct chart_panel *panel = &chart->panels[0];
  for (size_t i = 0; i < 2; i++) /* permute, which is none */
    CU_ASSERT_EQUAL(panel->series[i]->count, 0);
  const struct chart_series *series = figure_series(chart, 0, "rows 4k");
  CU_ASSERT_EQUAL(series->count, 2);
  CU_ASSERT_EQUAL(figure_y_at(series, 6), 10);
  CU_ASSERT_EQUAL(figure_y_at(series, 7), 10);
  CU_ASSERT_EQUAL(series->dash, 0);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "rows thp")->dash, 1);
  CU_ASSERT_STRING_EQUAL(chart->keys[0].text, "4k solid, thp dashed");
  CU_ASSERT_TRUE(figure_ends_in(chart, "rows thp  10.0"));
  CU_ASSERT_TRUE(isnan(figure_mark(panel, "n = W")));
  figure_chart_free(chart);
  rows[1].simulated = rows[3].simulated = &simulated;
  chart = chart_of(&figure_transposes, rows, 4);
  CU_ASSERT_EQUAL_FATAL(chart->count, 2);
  panel = &chart->panels[1];
  CU_ASSERT_STRING_EQUAL(panel->y.title, "misses per element");
  CU_ASSERT_EQUAL(figure_y_at(figure_series(chart, 1, "rows 4k"), 6), 0.5);
  CU_ASSERT_EQUAL(figure_series(chart, 0, "rows thp")->count, 1);
  CU_ASSERT_EQUAL(panel->series[3]->count, 0); /* was not simulated */
  CU_ASSERT_DOUBLE_EQUAL(figure_mark(panel, "n = W"), 6.58496, 1e-5);
  CU_ASSERT_TRUE(
      figure_has_key(chart, "thp dashed; a translation cache of W = 96 "));
  figure_chart_free(chart);
}

/* Over the page size: a line of transparent pages, and a point of the pool's;
 * faults are the pages that were granted. */
static void test_page_sizes_are_an_axis(void) {
  static const struct hp_granted granted[] = {
      {.sizes = 1, .by = {{4096, 1 << 20}}},
      {.sizes = 1, .by = {{65536, 1 << 20}}},
      {.sizes = 2, .by = {{4096, 1 << 20}, {2 << 20, 4 << 20}}},
      {.sizes = 1, .by = {{2 << 20, 4 << 20}}}};
  struct summary rows[] = {
      row_of("permute", "4k", 64, NAN), row_of("permute", "thp-64k", 64, .9),
      row_of("permute", "thp", 64, .8), row_of("permute", "2m", 64, .7)};
  for (size_t i = 0; i < 4; i++) rows[i].granted = &granted[i];
  struct chart *chart = chart_of(&figure_page_sizes, rows, 4);
  CU_ASSERT_EQUAL_FATAL(chart->count, 2);
  CU_ASSERT_STRING_EQUAL(chart->panels[0].title, "permute");
  for (size_t p = 0; p < 2; p++) {
    CU_ASSERT_EQUAL(chart->panels[p].series[0]->count, 3);
    CU_ASSERT_EQUAL(chart->panels[p].series[1]->count, 1);
  }
  const struct chart_series *times = chart->panels[0].series[0];
  CU_ASSERT_EQUAL(figure_y_at(times, 4096), 100);
  CU_ASSERT_DOUBLE_EQUAL(figure_y_at(times, 65536), 90, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(times->points[2].lo, 78, 1e-9);
  CU_ASSERT_EQUAL(chart->panels[0].range.y_lo, 60);
  const struct chart_series *faults = chart->panels[1].series[0];
  CU_ASSERT_EQUAL(figure_y_at(faults, 4096), 256);
  CU_ASSERT_EQUAL(figure_y_at(faults, 65536), 16);
  CU_ASSERT_EQUAL(figure_y_at(faults, 2 << 20), 258);
  const struct chart_series *pool = chart->panels[1].series[1];
  CU_ASSERT_EQUAL(figure_y_at(pool, 1.25 * (2 << 20)), 2);
  figure_chart_free(chart);
  struct survey survey = figure_survey(rows, 2); /* two sizes are no curve */
  CU_ASSERT_FALSE(figure_has_data(&figure_page_sizes, &survey));
  survey_fini(&survey);
}

static void test_there_is_room_for_all(void) {
  size_t count = 0;
  while (figures[count]) count++;
  CU_ASSERT(count <= REPORT_FIGURES_MAX);
}

static const struct check_test tests[] = {
    {"colours follow the table of algorithms",
     test_colours_follow_the_table_of_algorithms},
    {"an outlier does not set the axis", test_an_outlier_does_not_set_the_axis},
    {"few sizes have room", test_few_sizes_have_room},
    {"names are whole", test_names_are_whole},
    {"names in a CSV are quoted", test_names_in_a_csv_are_quoted},
    {"transposes are drawn by kind", test_transposes_are_drawn_by_kind},
    {"tuned programs stand beside the thesis's",
     test_tuned_programs_stand_beside_the_thesis_s},
    {"no two places look alike", test_no_two_places_look_alike},
    {"page sizes are an axis", test_page_sizes_are_an_axis},
    {"there is room for all", test_there_is_room_for_all},
    {NULL, NULL},
};

const struct check_suite suite_figures = {.name = "figures", .tests = tests};
