/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The straight pieces of programs, what ends where they break, and how both are
 * shown. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/probe/calibration.h"
#include "experiments/report/pieces.h"
#include "experiments/report/report_pieces.h"
#include "tests/check.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/suites.h"

enum { SIZES = 13, ROWS = 2 * SIZES + 3 };

/*
 * permute at 2^14 to 2^26: on base pages 2 ns up to 2^19.5, then 3 ns more with
 * each doubling; on huge pages 2 ns.  And a program with three sizes.
 */
static void make_rows(struct summary rows[ROWS]) {
  for (size_t i = 0; i < SIZES; i++) {
    double x = 14 + (double)i;
    rows[2 * i] = figure_row("permute", "4k", UINT64_C(1) << (14 + i));
    rows[2 * i + 1] = figure_row("permute", "2m", UINT64_C(1) << (14 + i));
    rows[2 * i].ns_per_op_min = 2 + 3 * fmax(0, x - 19.5);
    rows[2 * i + 1].ns_per_op_min = 2;
  }
  for (size_t i = 0; i < 3; i++)
    rows[2 * SIZES + i] = figure_row("heapsort", "4k", UINT64_C(1) << (14 + i));
}

/* Of no machine, as the survey: L1 of 32 KiB, L2 of 1 MiB; a TLB of 1024
 * entries, 4 MiB, on base pages, and one of unknown size on huge ones. */
static const struct calibration calibrated = {
    .level_count = 3,
    .levels = {{.name = "L1", .bytes_usable = {32768, NAN, NAN}},
               {.name = "L2", .bytes_usable = {1048576, NAN, NAN}},
               {.name = "memory", .bytes_usable = {NAN, NAN, NAN}}},
    .page_count = 2,
    .pages = {{.kind = "4k",
               .page_bytes = 4096,
               .granularity_bytes = 4096,
               .tlbs = 1,
               .tlb = {{.entries = {1024, NAN, NAN}}}},
              {.kind = "2m",
               .page_bytes = 2097152,
               .granularity_bytes = 2097152,
               .tlbs = 1,
               .tlb = {{.entries = {NAN, NAN, NAN}}}}}};

struct fixture {
  struct summary rows[ROWS];
  struct survey survey;
  struct pieces pieces;
};

static void setup(struct fixture *f) {
  make_rows(f->rows);
  survey_init(&f->survey, f->rows, ROWS);
  f->survey.calibration = &calibrated;
  pieces_make(&f->pieces, &f->survey);
}

static void tear_down(struct fixture *f) {
  pieces_fini(&f->pieces);
  survey_fini(&f->survey);
}

static void test_each_line_has_its_pieces(void) {
  struct fixture f;
  setup(&f);
  CU_ASSERT_EQUAL(f.pieces.count, 2);
  CU_ASSERT_PTR_NULL(pieces_find(&f.survey, 1, "4k")); /* three sizes */
  const struct pieces_line *base = pieces_find(&f.survey, 0, "4k");
  const struct pieces_line *huge = pieces_find(&f.survey, 0, "2m");
  CU_ASSERT_PTR_NOT_NULL_FATAL(base);
  CU_ASSERT_PTR_NOT_NULL_FATAL(huge);
  CU_ASSERT_EQUAL(huge->fit.count, 1);
  CU_ASSERT_EQUAL(pieces_from(huge, 0), 14);
  CU_ASSERT_EQUAL(pieces_to(huge, 0), 26);
  CU_ASSERT_EQUAL_FATAL(base->fit.count, 2);
  CU_ASSERT_DOUBLE_EQUAL(base->fit.piece[1].slope.value, 3, 1e-9);
  CU_ASSERT_EQUAL(pieces_from(base, 0), 14);
  CU_ASSERT_DOUBLE_EQUAL(pieces_to(base, 0), 19.5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(pieces_from(base, 1), 19.5, 1e-9);
  CU_ASSERT_EQUAL(pieces_to(base, 1), 26);
  f.survey.pieces = NULL;
  CU_ASSERT_PTR_NULL(pieces_find(&f.survey, 0, "4k"));
  tear_down(&f);
}

/* permute has 8 bytes an element: 2^19.5 are 5.7 MiB, half a doubling more than
 * the TLB's 4 MiB. */
static void test_breaks_are_set_beside_what_ends_there(void) {
  struct fixture f;
  struct reach reaches[REACHES_MOST], nearest;
  double doublings;
  setup(&f);
  CU_ASSERT_EQUAL_FATAL(reaches_of(&f.survey, "4k", reaches), 3);
  CU_ASSERT_STRING_EQUAL(reaches[0].name, "L1");
  CU_ASSERT_STRING_EQUAL(reaches[2].name, "TLB 1");
  CU_ASSERT_EQUAL(reaches[2].bytes, 4194304);
  CU_ASSERT_EQUAL(reaches_of(&f.survey, "2m", reaches),
                  2); /* unknown is none */
  CU_ASSERT_DOUBLE_EQUAL(pieces_bytes(&f.survey, 0, 19.5), 8 * exp2(19.5), 1);
  CU_ASSERT_DOUBLE_EQUAL(pieces_place(&f.survey, 0, 1048576), 17, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(pieces_place(&f.survey, 0, 32768), 12, 1e-9);
  const struct pieces_line *base = pieces_find(&f.survey, 0, "4k");
  CU_ASSERT_PTR_NOT_NULL_FATAL(base);
  CU_ASSERT_TRUE(pieces_nearest(&f.survey, base, 1, &nearest, &doublings));
  CU_ASSERT_STRING_EQUAL(nearest.name, "TLB 1");
  CU_ASSERT_DOUBLE_EQUAL(doublings, 0.5, 1e-6);
  tear_down(&f);
}

/* A break of four points to both sides is between 2^17 and 2^23; of these six
 * doublings half a one lies right of L2's end and one around the TLB's. */
static void test_chance_is_counted_beside(void) {
  struct fixture f;
  setup(&f);
  f.pieces.lines[0].fit.piece[1].from.value = 19.4;
  struct pieces_breaks breaks = pieces_breaks_of(&f.survey);
  CU_ASSERT_EQUAL(breaks.count, 1);
  CU_ASSERT_EQUAL(breaks.near, 1);
  CU_ASSERT_DOUBLE_EQUAL(breaks.by_chance, 1.5 / 6, 2e-3);
  f.pieces.lines[0].fit.piece[1].from.value = 20;
  CU_ASSERT_EQUAL(pieces_breaks_of(&f.survey).near, 0);
  tear_down(&f);
}

/* Another machine's calibration tells nothing; the record has the caches. */
static void test_another_machine_s_calibration_is_not_used(void) {
  struct fixture f;
  struct reach reaches[REACHES_MOST];
  json_t *record =
      json_pack("{s:s,s:[{s:i,s:s,s:i}]}", "host_cpu", "another", "caches",
                "level", 2, "type", "unified", "bytes", 65536);
  setup(&f);
  f.survey.record = record;
  CU_ASSERT_EQUAL_FATAL(reaches_of(&f.survey, "4k", reaches), 1);
  CU_ASSERT_STRING_EQUAL(reaches[0].name, "L2");
  CU_ASSERT_EQUAL(reaches[0].bytes, 65536);
  json_decref(record);
  f.survey.record = NULL;
  f.survey.calibration = NULL;
  CU_ASSERT_EQUAL(reaches_of(&f.survey, "4k", reaches), 0);
  CU_ASSERT_EQUAL(pieces_breaks_of(&f.survey).count, 0);
  tear_down(&f);
}

static void test_the_figure_has_points_and_pieces(void) {
  struct fixture f;
  setup(&f);
  struct chart *chart = figure_chart_of(&figure_pieces, &f.survey);
  CU_ASSERT_EQUAL_FATAL(chart->count, 1);
  const struct chart_panel *panel = &chart->panels[0];
  CU_ASSERT_STRING_EQUAL(panel->title, "permute");
  CU_ASSERT_EQUAL_FATAL(panel->count, 5); /* 13 points, 2 pieces; and 1 */
  CU_ASSERT_TRUE(panel->series[0]->apart);
  CU_ASSERT_EQUAL(panel->series[0]->count, SIZES);
  CU_ASSERT_TRUE(panel->series[1]->unmarked);
  CU_ASSERT_DOUBLE_EQUAL(panel->series[1]->points[1].x, 19.5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(panel->series[1]->points[1].y, 2, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(panel->series[2]->points[1].y, 21.5, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(figure_mark(panel, "TLB 1"), 19, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(figure_mark(panel, "L2"), 17, 1e-9);
  CU_ASSERT_TRUE(isnan(figure_mark(panel, "L1"))); /* left of the points */
  CU_ASSERT_TRUE(figure_has_key(chart, "2 MiB pages"));
  CU_ASSERT_TRUE(figure_text_has(chart->detail,
                                 "one straight line fits 1 about as well as "
                                 "anything else, straight pieces fit 1 best, a "
                                 "smooth curve fits 0 best"));
  figure_chart_free(chart);
  char *csv = figure_csv_of(&figure_pieces, &f.survey);
  CU_ASSERT_TRUE(figure_text_has(
      csv,
      "\"permute\",\"cpu\",\"4k\",pieces,2,2,19.5,19.5,19.5,bend,"
      "5.93164e+06,\"TLB 1\",4.1943e+06,0.5,20,26,3,3,3,-56.5,"));
  CU_ASSERT_TRUE(figure_text_has(
      csv, "\"permute\",\"cpu\",\"2m\",line,1,1,,,,,,\"\",,,14,26,"));
  free(csv);
  f.survey.pieces = NULL;
  CU_ASSERT_FALSE(figure_has_data(&figure_pieces, &f.survey));
  tear_down(&f);
}

static char *page_of(const struct survey *survey, size_t program) {
  char *text = NULL;
  size_t size;
  FILE *page = open_memstream(&text, &size);
  report_pieces(page, survey, program);
  fclose(page);
  return text;
}

static void test_the_page_has_a_sentence_and_a_table(void) {
  struct fixture f;
  setup(&f);
  char *text = page_of(&f.survey, 0);
  CU_ASSERT_TRUE(figure_text_has(
      text,
      "on 4 KiB pages, 2 straight pieces fit (error 0.0 %) better than "
      "one line ("));
  CU_ASSERT_TRUE(
      figure_text_has(text,
                      "; on 2 MiB pages, one straight line fits about as well "
                      "as anything else (error 0.0 %).</p>"));
  CU_ASSERT_TRUE(
      figure_text_has(text,
                      "<td>2</td><td>19.5 [19.5, 19.5]</td><td>5.7 MiB</td><td "
                      "class=\"left\">TLB 1 4 MiB</td><td>3 [3, 3]</td>"));
  free(text);
  text = page_of(&f.survey, 1);
  CU_ASSERT_STRING_EQUAL(text, "");
  free(text);
  tear_down(&f);
}

static const struct check_test tests[] = {
    {"each line has its pieces", test_each_line_has_its_pieces},
    {"breaks are set beside what ends there",
     test_breaks_are_set_beside_what_ends_there},
    {"chance is counted beside", test_chance_is_counted_beside},
    {"another machine's calibration is not used",
     test_another_machine_s_calibration_is_not_used},
    {"the figure has points and pieces", test_the_figure_has_points_and_pieces},
    {"the page has a sentence and a table",
     test_the_page_has_a_sentence_and_a_table},
    {NULL, NULL},
};
const struct check_suite suite_pieces = {.name = "pieces", .tests = tests};
