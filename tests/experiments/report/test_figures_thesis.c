/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures 2.2, 2.3 and 2.6, misses over W, and what all figures have. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/chart_layout.h"
#include "experiments/report/em_scan.h"
#include "tests/check.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

static struct summary row_of(const char *algo, const char *pages, uint64_t n,
                             double ns) {
  struct summary row = figure_row(algo, pages, n);
  row.ns_per_op_min = row.ns_per_op_median = ns;
  return row;
}

static const char guest[] =
    "{\"host_cpu\":\"Some "
    "'machine'\",\"vm\":{\"is_vm\":true,\"hypervisor\":\"KVM\"},\"cpu\":{"
    "\"vendor\":"
    "\"GenuineIntel\",\"family\":6,\"model_number\":207},\"caches\":["
    "{\"level\":2,\"type\":\"unified\",\"bytes\":16384},"
    "{\"level\":1,\"type\":\"instruction\",\"bytes\":999},"
    "{\"level\":1,\"type\":\"data\",\"bytes\":1024},"
    "{\"level\":3,\"type\":\"unified\",\"bytes\":1048576}]}";

static struct survey survey_of(const struct summary *rows, size_t count,
                               json_t *record) {
  struct survey survey;
  survey_init(&survey, rows, count);
  survey.record = record;
  return survey;
}

/* Section 2.1.1 as printed: nc_{l+1} - sum of s_i (c_{i+1} - c_i); and as an
 * expectation over the levels. */
static double printed(const struct em_levels *e, double n) {
  size_t l = 0;
  while (n > e->level[l].elements) l++;
  double ns = n * e->level[l].ns.value;
  for (size_t i = 0; i < l; i++)
    ns -= e->level[i].elements *
          (e->level[i + 1].ns.value - e->level[i].ns.value);
  return ns / n;
}

static double expected(const struct em_levels *e, double n) {
  double ns = 0, before = 0;
  for (size_t i = 0; i < e->count && before < n; i++) {
    double to = fmin(n, e->level[i].elements);
    ns += (to - before) / n * e->level[i].ns.value;
    before = to;
  }
  return ns;
}

/* The thesis's machine: the table of figure 2.2, whose sizes are 2^12, 2^15 and
 * 2^20.58 elements; each time is known within 10 %. */
#define TENTH(ns) \
  { (ns), 0.9 * (ns), 1.1 * (ns) }
static const struct em_levels thesis = {4,
                                        {{"L1", 4096, TENTH(4.080)},
                                         {"L2", 32768, TENTH(4.575)},
                                         {"L3", 1572864, TENTH(9.937)},
                                         {"memory", INFINITY, TENTH(38.746)}}};

static void test_em_complexity_is_the_closed_form(void) {
  CU_ASSERT_DOUBLE_EQUAL(em_scan_ns(&thesis, 4096).value, 4.080, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(em_scan_ns(&thesis, 8192).value, (4.080 + 4.575) / 2,
                         1e-12);
  CU_ASSERT_DOUBLE_EQUAL(em_scan_ns(&thesis, 2 * 1572864.0).value, 24.2850,
                         1e-4);
  for (double n = 100; n < 1e9; n *= 1.7) {
    struct cal_value ns = em_scan_ns(&thesis, n);
    CU_ASSERT_DOUBLE_EQUAL(ns.value, printed(&thesis, n), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ns.value, expected(&thesis, n), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ns.lo, 0.9 * ns.value, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ns.hi, 1.1 * ns.value, 1e-9);
  }
}

static void test_caches_are_the_machine_s(void) {
  struct em_levels levels;
  json_t *record = json_loads(guest, 0, NULL);
  em_levels_of(record, &levels);
  CU_ASSERT_EQUAL_FATAL(levels.count, 4);
  CU_ASSERT_STRING_EQUAL(levels.level[0].name, "L1");
  CU_ASSERT_EQUAL(levels.level[0].elements, 128);
  CU_ASSERT_EQUAL(levels.level[2].elements, 131072);
  CU_ASSERT_TRUE(isinf(levels.level[3].elements));
  json_decref(record);
  em_levels_of(NULL, &levels);
  CU_ASSERT_EQUAL(levels.count, 0);
}

/* The thesis's machine as calibrated. */
static struct calibration thesis_calibration(void) {
  struct calibration cal = {
      .level_count = 4,
      .page_count = 2,
      .pages = {
          {.kind = "4k", .page_bytes = 4096, .granularity_bytes = 4096},
          {.kind = "2m", .page_bytes = 2097152, .granularity_bytes = 2097152}}};
  for (size_t i = 0; i < 4; i++) {
    bool memory = i == 3;
    cal.levels[i].read_ns = thesis.level[i].ns;
    cal.levels[i].ns = (struct cal_value){99, 99, 99}; /* of dependent ones */
    cal.levels[i].bytes_reported = 99;
    cal.levels[i].bytes_usable.value =
        memory ? NAN : 8 * thesis.level[i].elements;
    snprintf(cal.levels[i].name, CALIBRATION_NAME, "%s", thesis.level[i].name);
  }
  return cal;
}

static void test_access_times_are_those_of_reads_that_do_not_wait(void) {
  struct calibration cal = thesis_calibration();
  struct em_levels levels;
  CU_ASSERT_TRUE(em_levels_measured(&cal, &levels));
  CU_ASSERT_EQUAL_FATAL(levels.count, 4);
  for (size_t i = 0; i < 4; i++) {
    CU_ASSERT_STRING_EQUAL(levels.level[i].name, thesis.level[i].name);
    CU_ASSERT_EQUAL(levels.level[i].elements, thesis.level[i].elements);
    CU_ASSERT_EQUAL(levels.level[i].ns.value, thesis.level[i].ns.value);
    CU_ASSERT_EQUAL(levels.level[i].ns.hi, thesis.level[i].ns.hi);
  }
  /* Absent is not 0. */
  cal.levels[2].read_ns.value = NAN;
  CU_ASSERT_FALSE(em_levels_measured(&cal, &levels));
  cal = thesis_calibration();
  cal.levels[1].bytes_usable.value = NAN;
  CU_ASSERT_FALSE(em_levels_measured(&cal, &levels));
  cal = thesis_calibration();
  cal.level_count = 0;
  CU_ASSERT_FALSE(em_levels_measured(&cal, &levels));
}

/* Of ten sizes, 2^10 to 2^28: on huge pages what EM says, on base pages so much
 * more for each doubling beyond 2^22.58, four times the last cache. */
enum { EM_SIZES = 10 };
static const double grows = 0.125, from_lg = 22.58496;

static void em_rows(struct summary rows[2 * EM_SIZES]) {
  for (size_t i = 0; i < EM_SIZES; i++) {
    uint64_t n = UINT64_C(1) << (10 + 2 * i);
    double ns = em_scan_ns(&thesis, (double)n).value;
    double more = fmax(0, 10 + 2 * (double)i - from_lg) * grows;
    rows[2 * i] = row_of("random_scan", "4k", n, (1 + more) * ns);
    rows[2 * i + 1] = row_of("random_scan", "2m", n, ns);
  }
}

static void test_figure_2_2(void) {
  struct summary rows[2 * EM_SIZES];
  struct calibration cal = thesis_calibration();
  em_rows(rows);
  struct survey survey = survey_of(rows, 2 * EM_SIZES, NULL);
  /* Without access times there is no EM time. */
  CU_ASSERT_FALSE(figure_has_data(&figure_em_complexity, &survey));
  survey.calibration = &cal;
  CU_ASSERT_TRUE(figure_has_data(&figure_em_complexity, &survey));
  struct chart *chart = figure_chart_of(&figure_em_complexity, &survey);
  CU_ASSERT_EQUAL(figure_mark(&chart->panels[0], "L2"), 15);
  CU_ASSERT_TRUE(figure_ends_in(chart, "4 KiB pages  1.68"));
  CU_ASSERT_TRUE(figure_ends_in(chart, "2 MiB pages  1.00"));
  CU_ASSERT_TRUE(figure_text_has(
      chart->detail,
      "L1 32 KiB, 2^12.0 elements, 4.08 ns; L2 256 KiB, 2^15.0 elements, 4.58 "
      "ns; L3 12 MiB, 2^20.6 elements, 9.94 ns; memory 38.7 ns."));
  CU_ASSERT_TRUE(figure_text_has(
      chart->detail,
      "takes the EM time 1.68 [1.52, 1.86] times on 4 KiB pages, 1.00 [0.909, "
      "1.11] times on 2 MiB pages."));
  /* At 2^24, 2^26, 2^28 alone. */
  CU_ASSERT_PTR_NULL(strstr(chart->detail, "With each doubling"));
  CU_ASSERT_PTR_NULL(strstr(chart->detail, "some translation"));
  figure_chart_free(chart);
  survey_fini(&survey);
}

/* A fourth size beyond the last cache gives a slope. */
static void test_what_em_leaves_is_a_slope(void) {
  struct summary rows[2 * EM_SIZES + 2];
  struct calibration cal = thesis_calibration();
  em_rows(rows);
  uint64_t n = UINT64_C(1) << 30;
  double ns = em_scan_ns(&thesis, (double)n).value;
  rows[20] = row_of("random_scan", "4k", n, (1 + (30 - from_lg) * grows) * ns);
  rows[21] = row_of("random_scan", "2m", n, ns);
  struct survey survey = survey_of(rows, 22, NULL);
  survey.calibration = &cal;
  char *csv = figure_csv_of(&figure_em_complexity, &survey);
  CU_ASSERT_TRUE(
      figure_text_has(csv, "level,\"L1\",,4096,12,,,4.08,3.672,4.488\n"));
  CU_ASSERT_TRUE(
      figure_text_has(csv, "level,\"memory\",,,,,,38.746,34.8714,42.6206\n"));
  CU_ASSERT_TRUE(figure_text_has(
      csv, "ratio,,\"2m\",1024,10.00000,4.08,4.08,1,0.909091,1.11111\n"));
  CU_ASSERT_TRUE(figure_text_has(
      csv, "slope,,\"4k\",6.29146e+06,22.585,,,0.125,0.125,0.125\n"));
  CU_ASSERT_TRUE(figure_text_has(csv, "slope,,\"2m\",6.29146e+06,22.585,,,"));
  free(csv);
  /* The host's pages are small; and another machine's calibration is told. */
  cal.pages[1].granularity_bytes = 4096;
  char *text = figure_detail_of(&figure_em_complexity, &survey);
  CU_ASSERT_TRUE(figure_text_has(
      text,
      "doubling of n beyond four times the last cache, the ratio changes "
      "by 0.125 [0.125, 0.125] on 4 KiB pages, "));
  CU_ASSERT_TRUE(figure_text_has(text, "EM predicts 0."));
  CU_ASSERT_TRUE(figure_text_has(text, "contains some translation"));
  free(text);
  survey_fini(&survey);
}

static void test_figure_2_3(void) {
  struct summary rows[] = {
      row_of("permute", "4k", 1 << 14, 1),
      row_of("permute", "2m", 1 << 14, 9),
      row_of("permute", "4k", 1 << 16, 2),
      row_of("permute", "4k", 1 << 18, 3),
      row_of("permute", "4k", 1 << 20, 4),
      row_of("heapify", "4k", 1 << 14, 3),
      row_of("heapify", "4k", 1 << 16, 3),
      row_of("heapify", "4k", 1 << 18, 4),
      row_of("heapify", "4k", 1 << 20, 4.4),
      row_of("heapsort", "4k", 64, 1),
      row_of("heapsort", "4k", 128, 2),
  };
  json_t *record = json_loads(guest, 0, NULL);
  struct survey survey = survey_of(rows, 11, record);
  CU_ASSERT_TRUE(figure_has_data(&figure_logarithms, &survey));
  char *csv = figure_csv_of(&figure_logarithms, &survey);
  CU_ASSERT_TRUE(
      figure_text_has(csv, "what,name,log2_n,part_of_last\nfunction,\"log"));
  CU_ASSERT_TRUE(figure_text_has(csv, "function,\"log n\",10.00000,0.5\n"));
  CU_ASSERT_TRUE(figure_text_has(csv, "function,\"log n\",20.00000,1\n"));
  CU_ASSERT_TRUE(figure_text_has(csv, "measured,\"permute\",14.00000,0.25\n"));
  CU_ASSERT_TRUE(figure_text_has(csv, "measured,\"permute\",20.00000,1\n"));
  CU_ASSERT_PTR_NULL(strstr(csv, "heapify"));  /* grows by less than half */
  CU_ASSERT_PTR_NULL(strstr(csv, "heapsort")); /* two sizes */
  CU_ASSERT_PTR_NULL(strstr(csv, ",2.25\n"));  /* other pages */
  free(csv);
  struct chart *chart = figure_chart_of(&figure_logarithms, &survey);
  CU_ASSERT_TRUE(figure_has_title(chart, "Functions"));
  for (size_t i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(chart->panels[i].range.y_lo, 0);
    CU_ASSERT_DOUBLE_EQUAL(chart->panels[i].range.y_hi, 1.06, 1e-9);
  }
  CU_ASSERT_TRUE(figure_ends_in(chart, "permute"));
  figure_chart_free(chart);
  survey_fini(&survey);
  survey = survey_of(rows + 5, 6, record);
  CU_ASSERT_FALSE(figure_has_data(&figure_logarithms, &survey));
  survey_fini(&survey);
  json_decref(record);
}

static void test_figure_2_6(void) {
  struct summary rows[] = {row_of("permute", "4k", 1 << 20, 12),
                           row_of("permute", "2m", 1 << 20, 5),
                           row_of("introsort", "4k", 1 << 20, .5),
                           row_of("introsort", "4k", 1 << 21, .5)};
  rows[2].ram_ops *= 20;
  rows[3].ram_ops *= 21;
  json_t *record = json_loads(guest, 0, NULL);
  struct survey survey = survey_of(rows, 4, record);
  CU_ASSERT_TRUE(figure_has_data(&figure_virtual_machine, &survey));
  struct chart *chart = figure_chart_of(&figure_virtual_machine, &survey);
  CU_ASSERT_TRUE(figure_ends_in(chart, "introsort 4k  10.5"));
  CU_ASSERT_TRUE(figure_ends_in(chart, "permute 2m  5.00"));
  /* Every figure names the machine. */
  CU_ASSERT_STRING_EQUAL(chart->foot, "Some 'machine', a KVM guest");
  CU_ASSERT_TRUE(chart_has_foot(chart));
  CU_ASSERT_TRUE(
      figure_text_has(chart->detail,
                      "at n = 1048576, the line of permute is at 12.0 ns per "
                      "element and that of introsort at 10.0: sorting takes "
                      "less"));
  figure_chart_free(chart);
  char *csv = figure_csv_of(&figure_virtual_machine, &survey);
  CU_ASSERT_TRUE(figure_text_has(
      csv, "\"introsort\",\"cpu\",\"4k\",1048576,20.00000,10,6"));
  free(csv);
  /* Sizes that differ: half way between 10 and 10 / 20 * 22 of 2^22. */
  rows[0].n = 1 << 21;
  rows[0].ram_ops = 1 << 21;
  rows[3].n = 1 << 22;
  rows[3].ram_ops = 22.0 * (1 << 22);
  survey_fini(&survey);
  survey = survey_of(rows, 4, record);
  char *text = figure_detail_of(&figure_virtual_machine, &survey);
  CU_ASSERT_TRUE(
      figure_text_has(text,
                      "at n = 2097152, the line of permute is at 12.0 ns per "
                      "element and that of introsort at 10.5: sorting takes"));
  free(text);
  json_object_set_new(json_object_get(record, "vm"), "is_vm", json_false());
  CU_ASSERT_FALSE(figure_has_data(&figure_virtual_machine, &survey));
  survey_fini(&survey);
  json_object_set_new(json_object_get(record, "vm"), "is_vm", json_true());
  survey = survey_of(rows, 2, record);
  CU_ASSERT_FALSE(figure_has_data(&figure_virtual_machine, &survey));
  survey_fini(&survey);
  json_decref(record);
}

/* Names are whole, and the panel grows with them. */
static void test_labels_are_not_cut(void) {
  struct summary rows[] = {row_of("bloom_of_a_very_long_name", "4k", 64, 10)};
  struct survey survey = survey_of(rows, 1, NULL);
  struct chart *chart = figure_chart_of(&figure_operation_time, &survey);
  CU_ASSERT_TRUE(figure_ends_in(chart, "bloom_of_a_very_long_name  10.0"));
  CU_ASSERT_EQUAL(chart_width(chart), 582);
  figure_chart_free(chart);
  survey_fini(&survey);
  rows[0].algo = "one_that_is_far_longer_than_any_label_should_ever_be";
  char narrow[FIGURE_LABEL];
  CU_ASSERT_STRING_EQUAL(figure_label(rows, narrow, 12),
                         "one_that\342\200\246");
  CU_ASSERT_STRING_EQUAL(
      FIGURE_LABELED(rows),
      "one_that_is_far_longer_than_any_label_sh\342\200\246");
}

/* Bars of two kinds stand to both sides of their size, one alone on it. */
static void test_bars_stand_at_their_size(void) {
  struct summary rows[] = {row_of("permute", "4k", 64, 10),
                           row_of("permute", "2m", 64, 9),
                           row_of("permute", "1g", 64, 8)};
  for (size_t i = 1; i < 3; i++)
    rows[i].ratio_to_4k = rows[i].ratio_lo = rows[i].ratio_hi = .9;
  struct survey survey = survey_of(rows, 2, NULL);
  struct chart *chart = figure_chart_of(&figure_page_ratio, &survey);
  CU_ASSERT_EQUAL(chart->panels[0].series[0]->interval, CHART_BARS);
  CU_ASSERT_EQUAL(chart->panels[0].series[0]->points[0].x, 6);
  CU_ASSERT_DOUBLE_EQUAL(chart->panels[0].range.x_lo, 4.76, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(chart->panels[0].range.x_hi, 7.24, 1e-9);
  figure_chart_free(chart);
  survey_fini(&survey);
  survey = survey_of(rows, 3, NULL);
  chart = figure_chart_of(&figure_page_ratio, &survey);
  for (size_t i = 0; i < 2; i++) {
    const struct chart_series *series = chart->panels[0].series[i];
    CU_ASSERT_EQUAL(series->interval, CHART_BARS);
    CU_ASSERT_DOUBLE_EQUAL(series->points[0].x, i ? 6.04 : 5.96, 1e-9);
  }
  figure_chart_free(chart);
  survey_fini(&survey);
}

static const struct check_test tests[] = {
    {"EM complexity is the closed form", test_em_complexity_is_the_closed_form},
    {"access times are those of reads that do not wait",
     test_access_times_are_those_of_reads_that_do_not_wait},
    {"caches are the machine's", test_caches_are_the_machine_s},
    {"figure 2.2", test_figure_2_2},
    {"what EM leaves is a slope", test_what_em_leaves_is_a_slope},
    {"figure 2.3", test_figure_2_3},
    {"figure 2.6", test_figure_2_6},
    {"labels are not cut", test_labels_are_not_cut},
    {"bars stand at their size", test_bars_stand_at_their_size},
    {NULL, NULL},
};
const struct check_suite suite_figures_thesis = {.name = "figures_thesis",
                                                 .tests = tests};
