/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "experiments/cli/command.h"
#include "experiments/report/mosaics_figure.h"
#include "tests/experiments/suites.h"

static struct mosaics make(struct mosaic *rows, size_t count) {
  struct mosaics mosaics = {.row = rows, .count = count};
  for (size_t i = 0; i < count; i++)
    for (size_t m = 2; m < MOSAIC_MODELS; m++) rows[i].told[m] = NAN;
  for (size_t m = 0; m < MOSAIC_MODELS; m++)
    mosaics.score[m] =
        (struct mosaic_score){.title = "model", .rows = m < 2 ? count : 0};
  return mosaics;
}

/* A series for each program; what one model told is beyond the axis. */
static void test_a_panel_for_each_model(void) {
  struct mosaic rows[] = {{"one", "a", 0, .9, .8, 1, {.95, .2}, 0, 0},
                          {"one", "b", 0, .8, .7, .9, {.85, .9}, 0, 0},
                          {"two", "a", 0, .7, .6, .8, {.72, NAN}, 0, 0}};
  struct mosaics mosaics = make(rows, 3);
  struct chart chart;
  mosaics_figure_fill(&mosaics, &chart);
  CU_ASSERT_EQUAL_FATAL(chart.count, 2);
  CU_ASSERT_EQUAL(chart.key_count, 2);
  const struct chart_panel *panel = &chart.panels[0];
  CU_ASSERT_EQUAL_FATAL(panel->count, 2);
  CU_ASSERT_EQUAL_FATAL(panel->series[0]->count, 2);
  CU_ASSERT_EQUAL(panel->series[0]->points[1].x, .8);
  CU_ASSERT_EQUAL(panel->series[0]->points[1].y, .85);
  CU_ASSERT(panel->diagonal && panel->x.lo < .7 && panel->x.hi > 1);
  panel = &chart.panels[1];
  CU_ASSERT_EQUAL(panel->series[0]->points[0].y, panel->y.lo);
  chart_fini(&chart);
}

static void test_nothing_told_no_figure(void) {
  struct mosaic row = {"one", "a", 0, .9, .8, 1, {NAN, NAN}, 0, 0};
  struct mosaics mosaics = make(&row, 1);
  for (size_t m = 0; m < MOSAIC_MODELS; m++) mosaics.score[m].rows = 0;
  CU_ASSERT_EQUAL(mosaics_figure_write(&mosaics, "/dev/null"), VAT_USAGE);
}

static const struct check_test tests[] = {
    {"a panel for each model", test_a_panel_for_each_model},
    {"nothing told, no figure", test_nothing_told_no_figure},
    {NULL, NULL}};

const struct check_suite suite_mosaics_figure = {"figure of mosaics", tests,
                                                 NULL};
