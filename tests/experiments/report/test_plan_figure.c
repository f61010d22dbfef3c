/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "experiments/cli/command.h"
#include "experiments/report/plan_figure.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

static const double mib = 1 << 20;

static struct plan_point points[] = {
    {0, 1}, {2 << 20, 1}, {192 << 20, 0.8}, {384 << 20, 0.75}};

static struct page_plan make(double budget) {
  return (struct page_plan){.pages = "thp",
                            .budget_bytes = budget,
                            .curve = points,
                            .points = sizeof points / sizeof *points};
}

/* A point a budget but for none, which has no logarithm; the ratio of 1 and the
 * lowest are on the axis. */
static void test_curve_is_drawn(void) {
  struct page_plan plan = make(200 * mib);
  struct chart chart;
  plan_figure_fill(&plan, NULL, 0, &chart);
  CU_ASSERT_EQUAL_FATAL(chart.count, 1);
  const struct chart_panel *panel = &chart.panels[0];
  CU_ASSERT_EQUAL_FATAL(panel->count, 1);
  CU_ASSERT_STRING_EQUAL(panel->series[0]->label, "predicted");
  CU_ASSERT_EQUAL_FATAL(panel->series[0]->count, 3);
  CU_ASSERT_EQUAL(panel->series[0]->points[1].x, 192 * mib);
  CU_ASSERT_EQUAL(panel->series[0]->points[1].y, 0.8);
  CU_ASSERT_EQUAL(panel->mark_count, 1);
  CU_ASSERT(panel->y.lo < 0.75 && panel->y.lo > 0.5 && panel->y.hi > 1);
  chart_fini(&chart);
  plan = make(NAN);
  plan_figure_fill(&plan, NULL, 0, &chart);
  CU_ASSERT_EQUAL(chart.panels[0].mark_count, 0);
  chart_fini(&chart);
}

/* With their intervals, which the axis reaches. */
static void test_measured_points_are_drawn(void) {
  const struct chart_point measured[] = {{192 * mib, 0.6, 0.5, 0.7},
                                         {288 * mib, 0.7, NAN, NAN}};
  struct page_plan plan = make(NAN);
  struct chart chart;
  plan_figure_fill(&plan, measured, 2, &chart);
  const struct chart_panel *panel = &chart.panels[0];
  CU_ASSERT_EQUAL_FATAL(panel->count, 2);
  CU_ASSERT_EQUAL_FATAL(panel->series[1]->count, 2);
  CU_ASSERT_EQUAL(panel->series[1]->points[0].lo, 0.5);
  CU_ASSERT(panel->series[1]->apart && panel->y.lo < 0.5);
  chart_fini(&chart);
}

static void test_no_times_no_figure(void) {
  struct page_plan plan = make(NAN);
  struct plan_point unknown[] = {{0, NAN}, {2 << 20, NAN}};
  plan.curve = unknown;
  plan.points = 2;
  CU_ASSERT_EQUAL(plan_figure_write(&plan, "/dev/null"), VAT_USAGE);
}

static void test_pictures(void) {
  static const struct {
    const char *name, *begins;
  } rows[] = {{"f.svg", "<?xml"}, {"f.png", "\211PNG"}};
  struct scratch scratch;
  scratch_init(&scratch);
  for (size_t i = 0; i < 2; i++) {
    struct page_plan plan = make(200 * mib);
    int code = plan_figure_write(&plan, scratch_path(&scratch, rows[i].name));
    char *picture = scratch_read(scratch.path, NULL);
    CU_ASSERT(code == VAT_ABSENT || code == VAT_OK); /* no gnuplot */
    CU_ASSERT_EQUAL(picture != NULL, code == VAT_OK);
    if (picture) CU_ASSERT_PTR_EQUAL(strstr(picture, rows[i].begins), picture);
    free(picture);
  }
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"the curve, with its budget", test_curve_is_drawn},
    {"measured points are drawn", test_measured_points_are_drawn},
    {"no times, no figure", test_no_times_no_figure},
    {"pictures by their names", test_pictures},
    {NULL, NULL}};

const struct check_suite suite_plan_figure = {"figure of a plan", tests, NULL};
