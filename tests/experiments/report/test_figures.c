/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scripts that figures are drawn by; no gnuplot runs here. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "experiments/report/figure.h"
#include "experiments/report/report_page.h"
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

/* The caller frees it. */
static char *script_of(const struct figure *figure, const struct summary *rows,
                       size_t count) {
  struct survey survey;
  CU_ASSERT_EQUAL_FATAL(survey_init(&survey, rows, count), 0);
  char *text = figure_script_of(figure, &survey);
  survey_fini(&survey);
  return text;
}

/* Is the line of program `program` plotted in the colour of place `place`? */
static bool is_coloured(const char *script, size_t program, size_t place) {
  char line[80];
  snprintf(line, sizeof line, "$d%zu_0 using 1:2 with linespoints lc rgb '%s'",
           program, plot_colour(place));
  return strstr(script, line);
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
  char *script = script_of(&figure_operation_time, rows, 4);
  CU_ASSERT_TRUE(is_coloured(script, 0, last));
  CU_ASSERT_TRUE(is_coloured(script, 1, algos));
  CU_ASSERT_TRUE(is_coloured(script, 2, first));
  CU_ASSERT_TRUE(is_coloured(script, 3, algos + 1));
  free(script);
}

static void test_no_two_places_look_alike(void) {
  for (size_t i = 0; i < FIGURE_PROGRAMS_MAX; i++)
    for (size_t j = 0; j < i; j++)
      CU_ASSERT(strcmp(plot_colour(i), plot_colour(j)) ||
                strcmp(plot_shape(i), plot_shape(j)));
}

static bool has(const char *script, const char *part) {
  return strstr(script, part);
}

static void test_an_outlier_does_not_set_the_axis(void) {
  struct summary rows[] = {
      row_of("permute", "4k", 64, NAN), row_of("permute", "2m", 64, 4.12),
      row_of("permute", "4k", 128, NAN), row_of("permute", "2m", 128, .7)};
  char *script = script_of(&figure_page_ratio, rows, 4);
  CU_ASSERT_TRUE(has(script, "set yrange [60:150]\n"));
  CU_ASSERT_TRUE(has(script, "set label '412 %' at first 6.00000, first 150 "));
  CU_ASSERT_FALSE(has(script, "set label '70 %'"));
  free(script);
  /* Below, what is told from noise is shown, and the rest marked. */
  rows[1].ratio_to_4k = .22;
  rows[1].ratio_lo = .1;
  rows[1].ratio_hi = 3;
  script = script_of(&figure_page_ratio, rows, 4);
  CU_ASSERT_TRUE(has(script, "set yrange [40:110]\n"));
  CU_ASSERT_TRUE(has(script, "set label '22 %' at first 6.00000, first 40 "));
  free(script);
  rows[1].ratio_hi = .3;
  script = script_of(&figure_page_ratio, rows, 4);
  CU_ASSERT_TRUE(has(script, "set yrange [10:110]\n"));
  CU_ASSERT_FALSE(has(script, "set label '22 %'"));
  free(script);
}

/* With few sizes, kinds of pages stand side by side, and within the axis. */
static void test_few_sizes_have_room(void) {
  struct summary rows[] = {
      row_of("permute", "4k", 64, NAN), row_of("permute", "thp", 64, .8),
      row_of("permute", "2m", 64, 4.12), row_of("permute", "4k", 128, NAN),
      row_of("permute", "thp", 128, .8)};
  char *script = script_of(&figure_page_ratio, rows, 5);
  CU_ASSERT_TRUE(has(script, "set xrange [5.76:7.24]"));
  CU_ASSERT_TRUE(has(script, "$d0_1 using ($1+-0.04):2:3:4 with yerrorbars"));
  CU_ASSERT_TRUE(has(script, "$d0_2 using ($1+0.04):2:3:4 with yerrorbars"));
  CU_ASSERT_TRUE(has(script, "set label '412 %' at first 6.04000, first 150 "));
  free(script);
}

static void test_names_are_whole(void) {
  static const struct sample_variant arena = {.alloc = "arena"};
  struct summary row = row_of("list_ranking_nodes", "4k", 64, NAN);
  row.variant = &arena;
  char *script = script_of(&figure_operation_time, &row, 1);
  CU_ASSERT_TRUE(has(script, "'list_ranking_nodes, arena  10.0'"));
  free(script);
}

static void test_names_in_a_csv_are_quoted(void) {
  struct summary row = row_of("a\"b", "\"4k\303\"", 64, NAN);
  struct survey survey = figure_survey(&row, 1);
  row.device = "\"";
  char *csv = figure_csv_of(&figure_operation_time, &survey);
  CU_ASSERT_TRUE(
      has(csv, "\n\"a\"\"b\",\"\"\"\",\"\"\"4k\357\277\275\"\"\",64,6.00000,"));
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
  CU_ASSERT_FALSE(figure_transposes.is_drawn(&rows[0]));
  CU_ASSERT_FALSE(figure_transposes.is_drawn(NULL));
  char *script = script_of(&figure_transposes, rows, 4);
  CU_ASSERT_FALSE(has(script, "$d0_0 using"));
  CU_ASSERT_TRUE(has(script, "$d1_0 << END\n6.00000 10 NaN\n7.00000 10 NaN\n"));
  CU_ASSERT_TRUE(has(script, "'4k solid, thp dashed'"));
  CU_ASSERT_TRUE(has(script, "'rows thp  10.0'"));
  CU_ASSERT_FALSE(has(script, "misses per element"));
  CU_ASSERT_FALSE(has(script, "'n = W'"));
  free(script);
  rows[1].simulated = rows[3].simulated = &simulated;
  script = script_of(&figure_transposes, rows, 4);
  CU_ASSERT_TRUE(has(script, "6.00000 10 0.5\n"));
  CU_ASSERT_TRUE(has(script, "set ylabel 'misses per element'"));
  CU_ASSERT_TRUE(has(script, "$d1_0 using 1:3 with"));
  CU_ASSERT_FALSE(has(script, "$d1_1 using 1:3 with"));
  CU_ASSERT_TRUE(has(script, "set label 'n = W' at first 6.58496,"));
  CU_ASSERT_TRUE(has(script, "thp dashed; a translation cache of W = 96 "));
  free(script);
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
    {"no two places look alike", test_no_two_places_look_alike},
    {"there is room for all", test_there_is_room_for_all},
    {NULL, NULL},
};

const struct check_suite suite_figures = {.name = "figures", .tests = tests};
