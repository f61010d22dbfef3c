/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts: their ranges, their labels, and how gnuplot is told of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/report/chart_layout.h"
#include "tests/check.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

/* A chart of one panel, whose y is on such an axis. */
static struct chart_panel *begin(struct chart *chart, enum chart_scale y) {
  *chart = (struct chart){.box = {470, 402, 104, 120, 56, 52}};
  struct chart_panel *panel = chart_panel(chart, "x", "y", "A panel");
  panel->y.scale = y;
  return panel;
}

static struct chart_series *add(struct chart_panel *panel, const char *label,
                                double first, double last) {
  struct chart_series *series = chart_series(panel, 0, "%s", label);
  chart_point(series, 10, first);
  chart_point(series, 12, last);
  return series;
}

/* Finishes the chart, releases it, and says whether its script has it all. */
static bool is_drawn(struct chart *chart, const char *const *parts) {
  char *script;
  size_t size;
  FILE *out = open_memstream(&script, &size);
  bool all = true;
  chart_finish(chart);
  chart_gnuplot(out, chart, CHART_SVG);
  fclose(out);
  for (; *parts; parts++) all &= figure_text_has(script, *parts);
  free(script);
  chart_fini(chart);
  return all;
}

static void test_ranges(void) {
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  add(panel, "a", 1, 50);
  chart_interval(panel->series[0], 11.5, 50, 40, 100);
  chart_point(panel->series[0], NAN, 1000);
  chart_point(panel->series[0], 1000, INFINITY);
  chart_finish(&chart);
  CU_ASSERT_EQUAL(panel->range.x_lo, 10);
  CU_ASSERT_EQUAL(panel->range.x_hi, 12);
  CU_ASSERT_EQUAL(panel->range.y_lo, 0);
  CU_ASSERT_DOUBLE_EQUAL(panel->range.y_hi, 106, 1e-9);
  chart_fini(&chart);
  panel = begin(&chart, CHART_LOG);
  add(panel, "a", 10, 1000);
  chart_interval(panel->series[0], 11, 10, 0.001, 10); /* a decade at most */
  panel->x.lo = 0;
  chart_finish(&chart);
  CU_ASSERT_EQUAL(panel->range.x_lo, 0);
  CU_ASSERT_DOUBLE_EQUAL(panel->range.y_lo, -0.15, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(panel->range.y_hi, 3.3, 1e-9);
  chart_fini(&chart);
  panel = begin(&chart, CHART_POWERS);
  add(panel, "a", 0.02, 30);
  chart_finish(&chart);
  CU_ASSERT_EQUAL(panel->range.y_lo, -2);
  CU_ASSERT_EQUAL(panel->range.y_hi, 2);
  chart_fini(&chart);
}

static void test_panels_share_ranges(void) {
  struct chart chart;
  struct chart_panel *first = begin(&chart, CHART_LINEAR);
  struct chart_panel *second = chart_panel(&chart, "", "", "Another");
  struct chart_panel *none = chart_panel(&chart, "", "", "Empty");
  add(first, "a", 1, 100);
  chart_point(chart_series(second, 1, "b"), 20, 3);
  chart_series(none, 2, "c");
  chart_drop_empty(&chart);
  CU_ASSERT_EQUAL(chart.count, 2);
  chart.same_x = chart.same_y = true;
  chart_finish(&chart);
  CU_ASSERT_EQUAL(first->range.x_hi, 20);
  CU_ASSERT_EQUAL(second->range.x_lo, 10);
  CU_ASSERT_EQUAL(second->range.y_hi, first->range.y_hi);
  CU_ASSERT_EQUAL(chart_width(&chart), 2 * chart.box.width);
  chart_fini(&chart);
}

static void test_there_is_an_end_to_panels(void) {
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  for (size_t i = 0; i < 2 * CHART_PANELS; i++)
    add(chart_panel(&chart, "", "", "%zu", i), "a", 1, 2);
  for (size_t i = 0; i < 2 * CHART_MARKS; i++) chart_mark(panel, 11, "m");
  for (size_t i = 0; i < 2 * CHART_KEYS; i++) chart_key(&chart, i, "k");
  for (size_t i = 0; i < 2 * CHART_ROWS; i++) {
    char name[16];
    snprintf(name, sizeof name, "%zu", i);
    CU_ASSERT(i < CHART_ROWS ? chart_row(panel, name) == (double)i
                             : isnan(chart_row(panel, name)));
  }
  CU_ASSERT_EQUAL(chart.count, CHART_PANELS);
  CU_ASSERT_EQUAL(panel->mark_count, CHART_MARKS);
  CU_ASSERT_EQUAL(chart.key_count, CHART_KEYS);
  chart_fini(&chart);
}

/* Three that end at one height, and one near the top. */
static void test_labels_do_not_lie_on_each_other(void) {
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  size_t count;
  add(panel, "a", 1, 100);
  for (size_t i = 0; i < 3; i++) add(panel, "b", 1, 99);
  add(panel, "", 1, 99);
  chart_finish(&chart);
  struct chart_end *ends = chart_ends(&chart, panel, &count);
  double gap = CHART_LABEL_PIXELS * panel->range.y_hi / (402 - 56 - 52);
  CU_ASSERT_EQUAL_FATAL(count, 4);
  CU_ASSERT(ends[3].y <= panel->range.y_hi);
  for (size_t i = 1; i < count; i++)
    CU_ASSERT(ends[i].y - ends[i - 1].y > gap - 1e-9);
  free(ends);
  chart_fini(&chart);
}

/* Of forty series some have no label, and all that are there fit. */
static void test_many_labels_have_room(void) {
  static const char longest[] =
      "a program of a name that is far longer than labels are, on such an "
      "input";
  for (int compact = 0; compact < 2; compact++) {
    struct chart chart;
    struct chart_panel *panel = begin(&chart, CHART_LINEAR);
    char text[CHART_TEXT];
    size_t count;
    chart.compact = compact;
    panel->more = 2;
    for (size_t i = 0; i < 40; i++) add(panel, longest, 1, (double)i);
    chart_finish(&chart);
    struct chart_end *ends = chart_ends(&chart, panel, &count);
    CU_ASSERT_EQUAL_FATAL(count, CHART_LABELS_MOST + 1);
    CU_ASSERT(ends[0].y >= -1e-9);
    CU_ASSERT_EQUAL(ends[count - 1].series, 39);
    chart_end_text(&chart, panel, ends[0].series, text);
    CU_ASSERT_STRING_EQUAL(text, "and 18 more in the CSV");
    chart_end_text(&chart, panel, ends[1].series, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\342\200\246  "));
    CU_ASSERT(chart.box.right > CHART_CHARACTER_PIXELS * (int)strlen(text));
    free(ends);
    chart_fini(&chart);
  }
}

static void test_names_of_marks_do_not_either(void) {
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  add(panel, "a", 1, 2);
  chart_mark(panel, 10.2, "a name");
  chart_mark(panel, 10.3, "another");
  chart_mark(panel, 11.9, "far away");
  chart_mark(panel, INFINITY, "nowhere");
  chart_finish(&chart);
  CU_ASSERT_EQUAL(panel->mark_count, 3);
  CU_ASSERT_EQUAL(panel->marks[0].line, 0);
  CU_ASSERT_EQUAL(panel->marks[1].line, 1);
  CU_ASSERT_EQUAL(panel->marks[2].line, 0);
  CU_ASSERT_FALSE(chart_mark_is_left(panel, 0));
  CU_ASSERT_TRUE(chart_mark_is_left(panel, 2));
  chart_fini(&chart);
}

static void test_labels_have_the_last_value(void) {
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  char text[CHART_TEXT];
  struct chart_series *series = add(panel, "a", 1, 7);
  CU_ASSERT_STRING_EQUAL(chart_label_text(&chart, panel, series, text), "a  7");
  chart.compact = true;
  CU_ASSERT_STRING_EQUAL(chart_label_text(&chart, panel, series, text),
                         "a  7.00");
  chart.compact = false;
  panel->unit = "ms";
  series->points[0].y = 0.5;
  CU_ASSERT_STRING_EQUAL(chart_label_text(&chart, panel, series, text),
                         "a  7.00 ms");
  panel->bare = true;
  CU_ASSERT_STRING_EQUAL(chart_label_text(&chart, panel, series, text), "a");
  chart_fini(&chart);
}

static void test_series_are_drawn_as_they_are(void) {
  static const char *const parts[] = {
      "with linespoints lc rgb '#0072B2' lw 2 dt 1 pt 7 ps 0.45 pi 3",
      "lw 2 dt '-' pt 6 ps 0.7 ", /* open */
      "with lines lc rgb '#009E73' lw 2 dt 1",
      "1:2 with points lc rgb '#E69F00'",
      "1:2:3:4 with yerrorbars lc rgb '#CC79A7'",
      "1:3:4 with filledcurves lc rgb '#56B4E9'",
      "lc rgb '#9A9A9A' lw 1",
      "lw 2 dt 1\n", /* beside labels */
      "lw 2 dt '-'\n",
      "10.00000 3 3 3\n",
      "10.00000 3 2 4\n",
      "plot 5 lc rgb '#808080'",
      "first 3 to graph 1, first 4 behind",
      NULL};
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  for (size_t i = 0; i < 7; i++)
    chart_point(chart_series(panel, i, "s%zu", i), 10, 3);
  panel->series[0]->every = 3;
  panel->series[1]->open = true;
  panel->series[1]->dash = 1;
  panel->series[1]->shape = 0;
  panel->series[2]->unmarked = true;
  panel->series[3]->apart = panel->series[4]->apart = true;
  panel->series[4]->points[0].lo = panel->series[5]->points[0].lo = 2;
  panel->series[4]->points[0].hi = panel->series[5]->points[0].hi = 4;
  panel->series[5]->interval = CHART_BAND;
  panel->series[6]->grey = true;
  panel->level = 5;
  panel->band_lo = 3;
  panel->band_hi = 4;
  CU_ASSERT_TRUE(is_drawn(&chart, parts));
}

static void test_axes_are_marked_in_plain_numbers(void) {
  static const char *const few[] = {"set ytics 1\n", "set xlabel 'x'",
                                    "set ylabel 'y'", "set xrange [10:12]",
                                    NULL};
  static const char *const logs[] = {
      "'1' 0.00000, '10' 1.00000, '100' 2.00000, '1000' 3.00000",
      "set logscale x 2\nset xtics 2\n", "10.00000 0 0 0\n", NULL};
  static const char *const bytes[] = {
      "set xtics ('32 KiB' 15, '256 KiB' 18, '2 MiB' 21)",
      "'1' 0.00000, '2' 0.30103, '5' 0.69897, '10' 1.00000", NULL};
  static const char *const powers[] = {"'10\342\201\273\302\271' -1, ",
                                       "set ytics autofreq\n", NULL};
  struct chart chart;
  add(begin(&chart, CHART_LINEAR), "a", 1, 2);
  CU_ASSERT_TRUE(is_drawn(&chart, few));
  struct chart_panel *panel = begin(&chart, CHART_LOG);
  add(panel, "a", 1, 100000);
  panel->x.scale = CHART_DOUBLES;
  CU_ASSERT_TRUE(is_drawn(&chart, logs));
  panel = begin(&chart, CHART_LOG);
  chart_point(chart_series(panel, 0, "a"), 16384, 1);
  chart_point(chart_series(panel, 0, "b"), 4194304, 100);
  panel->x.scale = CHART_BYTES;
  CU_ASSERT_TRUE(is_drawn(&chart, bytes));
  add(begin(&chart, CHART_POWERS), "a", 0.01, 1);
  add(chart_panel(&chart, "", "", "b"), "b", 1, 100);
  CU_ASSERT_TRUE(is_drawn(&chart, powers));
}

/* Whatever they are called; each series below the one before. */
static void test_rows_have_names(void) {
  static const char *const parts[] = {"set ytics ('100 %% sure' 2, 'b' 1)",
                                      "12 2.0700 11 13\n",
                                      "14 1.9300 14 14\n",
                                      "15 0.9300 15 15\n",
                                      "with xerrorbars",
                                      "set xrange [0:15.9]",
                                      NULL};
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  struct chart_series *upper = chart_series(panel, 0, "%s", "");
  struct chart_series *lower = chart_series(panel, 1, "%s", "");
  chart_interval(upper, 12, chart_row(panel, "100 % sure"), 11, 13);
  chart_interval(lower, 14, chart_row(panel, "100 % sure"), NAN, NAN);
  chart_interval(lower, 15, chart_row(panel, "b"), NAN, NAN);
  upper->apart = lower->apart = true;
  CU_ASSERT_TRUE(is_drawn(&chart, parts));
}

static void test_texts_stand_around_panels(void) {
  static const char *const parts[] = {"'A panel' at screen",
                                      "'of this' at screen",
                                      "'Some machine' at screen",
                                      "'first' at screen",
                                      "'m' at first 11.00000, graph 1",
                                      "set label '300 %' at first 12.00000",
                                      NULL};
  struct chart chart;
  struct chart_panel *panel = begin(&chart, CHART_LINEAR);
  add(panel, "a", 1, 300);
  strcpy(panel->of, "of this");
  strcpy(chart.foot, "Some machine");
  chart.head = 40;
  chart_key(&chart, 0, "first");
  chart_mark(panel, 11, "m");
  panel->y.hi = 150;
  panel->beyond = true;
  CU_ASSERT_TRUE(is_drawn(&chart, parts));
  panel = begin(&chart, CHART_LINEAR);
  strcpy(chart.foot, "Some machine");
  panel->of_no_input = true;
  CU_ASSERT_FALSE(chart_has_foot(&chart));
  chart_fini(&chart);
}

static const struct check_test tests[] = {
    {"ranges", test_ranges},
    {"panels share ranges", test_panels_share_ranges},
    {"there is an end to panels", test_there_is_an_end_to_panels},
    {"labels do not lie on each other", test_labels_do_not_lie_on_each_other},
    {"many labels have room", test_many_labels_have_room},
    {"names of marks do not, either", test_names_of_marks_do_not_either},
    {"labels have the last value", test_labels_have_the_last_value},
    {"series are drawn as they are", test_series_are_drawn_as_they_are},
    {"axes are marked in plain numbers", test_axes_are_marked_in_plain_numbers},
    {"rows have names", test_rows_have_names},
    {"texts stand around panels", test_texts_stand_around_panels},
    {NULL, NULL},
};

const struct check_suite suite_chart = {.name = "chart", .tests = tests};
