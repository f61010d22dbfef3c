/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far predictions are off, where nothing was fitted. */
#include <math.h>
#include <string.h>

#include "experiments/validate/judge.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"
#include "tests/experiments/validate/validate_fixture.h"

static const struct fitted truth = {1.5, 0.3, 150};

static void two_programs(struct validate_fixture *f, struct points *points) {
  validate_fixture_init(f);
  validate_fixture_program(f, "permute");
  validate_fixture_program(f, "heapsort");
  /* 8 bytes more than those of a key: its 2^13 are just beyond the cache. */
  validate_fixture_add(f, "heapsort", "4k", 6000, 1);
  validate_fixture_points(f, points, MODEL_FULL, truth);
}

static void test_its_own_predictions_are_not_off(void) {
  struct validate_fixture f;
  struct points points;
  struct judged judged;
  two_programs(&f, &points);
  judge(&judged, &points, 0, false);
  const struct scores *full = &judged.all[MODEL_FULL];
  CU_ASSERT_EQUAL(full->ratio.count, 4);
  CU_ASSERT(full->time.p90 < 1e-2);
  CU_ASSERT(full->ratio.p90 < 1e-2);
  CU_ASSERT_EQUAL(judged.large[0].time.count, 0);
  CU_ASSERT(isnan(judged.large[0].time.median));
  for (size_t m = 0; m < MODEL_FULL; m++)
    CU_ASSERT(judged.all[m].time.median > full->time.median + 0.01);
  CU_ASSERT(judged.exchanged.count > 0);
  CU_ASSERT_EQUAL(judged.own.count, judged.exchanged.count);
  CU_ASSERT(judged.exchanged.median > 0.1);
  CU_ASSERT(judged.own.median < 1e-2);
  judged_fini(&judged);
  points_fini(&points);
}

static void test_each_term_is_missed(void) {
  struct validate_fixture f;
  struct points points;
  struct judged judged;
  two_programs(&f, &points);
  judge(&judged, &points, 0, false);
  for (size_t t = 0; terms[t].name; t++) {
    if (judged.ablated_all[t].time.p90 > 0.02) continue;
    printf("without %s: %g\n", terms[t].name, judged.ablated_all[t].time.p90);
    CU_FAIL("the error is as small without it");
  }
  judged_fini(&judged);
  /* What is left out is left out of FULL alone. */
  unsigned without = term_find(terms, "granularity");
  judge(&judged, &points, without, false);
  CU_ASSERT(judged.all[MODEL_FULL].time.p90 > 0.02);
  size_t term = 0;
  while (without >> term != 1) term++;
  CU_ASSERT_EQUAL(judged.ablated_all[term].time.median,
                  judged.all[MODEL_FULL].time.median);
  judged_fini(&judged);
  points_fini(&points);
}

/* RAM predicts c = 2 everywhere. */
static void test_held_out_errors_by_hand(void) {
  struct validate_fixture f;
  struct points points;
  struct judged judged;
  validate_fixture_init(&f);
  validate_fixture_program(&f, "permute");
  for (size_t i = 0; i < f.count; i++) {
    struct summary *row = &f.rows[i];
    row->ns_per_op_min = 2;
    if (row->base && row->n > 8192) row->ns_per_op_min = 99;
    if (row->base && row->n == 1 << 16) row->ns_per_op_min = 4;   /* 0.5 */
    if (row->base && row->n == 1 << 17) row->ns_per_op_min = 8;   /* 0.75 */
    if (row->base && row->n == 1 << 18) row->ns_per_op_min = 2.5; /* 0.2 */
    if (row->base && row->n == 1 << 19) row->ns_per_op_min = 10;  /* 0.8 */
    if (!row->base && row->n == 1 << 13) row->ratio_to_4k = 0.9;  /* 0, 0.1 */
    if (!row->base && row->n == 1 << 16) row->ns_per_op_min = 4;  /* 0.5 */
    if (!row->base && row->n == 1 << 16) row->ratio_to_4k = 1.25; /* 0.25 */
    if (row->n == 4094) row->ns_per_op_min = 1e3; /* is not used */
  }
  points_init(&points, f.rows, f.count, &validate_fixture_sizes);
  judge(&judged, &points, 0, false);
  CU_ASSERT_EQUAL(judged.all[0].time.count, 6);
  CU_ASSERT_DOUBLE_EQUAL(judged.all[0].time.median, 0.5, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(judged.all[0].time.p90, 0.775, 1e-6);
  CU_ASSERT_EQUAL(judged.all[0].ratio.count, 2);
  CU_ASSERT_DOUBLE_EQUAL(judged.all[0].ratio.median, 0.175, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(judged.all[0].ratio.p90, 0.235, 1e-6);
  CU_ASSERT_EQUAL(judged.programs[0].scores[0].time.count, 6);
  CU_ASSERT_EQUAL(judged.programs[0].scores[0].time.median,
                  judged.all[0].time.median);
  judged_fini(&judged);
  points_fini(&points);
}

static void test_growth_is_the_exponent_of_log_n(void) {
  struct validate_fixture f;
  struct points points;
  struct judged judged;
  validate_fixture_init(&f);
  validate_fixture_program(&f, "permute");
  for (size_t i = 0; i < f.count; i++)
    f.rows[i].ns_per_op_min =
        f.rows[i].n > 8192 ? pow(log2((double)f.rows[i].n), 2) : 1;
  points_init(&points, f.rows, f.count, &validate_fixture_sizes);
  judge(&judged, &points, 0, false);
  const struct growth *growth = &judged.programs[0].measured;
  CU_ASSERT_DOUBLE_EQUAL(growth->exponent, 2, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(growth->lo, 2, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(growth->hi, 2, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(judged.programs[0].predicted[0].exponent, 0, 1e-9);
  judged_fini(&judged);
  points_fini(&points);
}

/* Where no repetition was measured on both kinds of pages. */
static void test_a_ratio_that_is_not_there_is_no_error(void) {
  struct validate_fixture f;
  struct points points;
  struct judged judged;
  two_programs(&f, &points);
  for (size_t i = 0; i < f.count; i++)
    if (f.rows[i].n == 1 << 16 && !strcmp(f.rows[i].algo, "permute"))
      f.rows[i].ratio_to_4k = NAN;
  judge(&judged, &points, 0, false);
  const struct scores *full = &judged.all[MODEL_FULL];
  CU_ASSERT_EQUAL(full->ratio.count, 3);
  CU_ASSERT(full->ratio.median < 1e-2);
  judged_fini(&judged);
  points_fini(&points);
}

/* Each point of `to` has the mark of one of `from`, nearest in bytes. */
static void check_exchanged(const struct points *points, const char *to,
                            const char *from) {
  for (size_t i = 0; i < points->count; i++) {
    const struct point *point = &points->points[i];
    if (strcmp(point->row->algo, to)) continue;
    const struct point *other = &points->points[(size_t)point->costs.vat];
    CU_ASSERT_STRING_EQUAL(other->row->algo, from);
    CU_ASSERT_STRING_EQUAL(other->row->pages, point->row->pages);
    CU_ASSERT_EQUAL(other->row->n, point->row->n);
  }
}

static void test_exchange_takes_the_next_program_that_is_used(void) {
  struct validate_fixture f;
  struct points points;
  validate_fixture_init(&f);
  validate_fixture_program(&f, "permute");
  validate_fixture_add(&f, "random_scan", "4k", 1 << 16, 1); /* left out */
  validate_fixture_program(&f, "binary_search");
  points_init(&points, f.rows, f.count, &validate_fixture_sizes);
  CU_ASSERT_EQUAL(points.program_count, 3);
  for (size_t i = 0; i < points.count; i++)
    points.points[i].costs.vat = (double)i;
  judge_exchange(&points);
  check_exchanged(&points, "permute", "binary_search");
  check_exchanged(&points, "binary_search", "permute");
  points_fini(&points);
}

static const struct check_test tests[] = {
    {"what FULL predicts itself is not off, but with other programs' costs",
     test_its_own_predictions_are_not_off},
    {"each term is missed where it made a difference",
     test_each_term_is_missed},
    {"errors on what is held out, by hand", test_held_out_errors_by_hand},
    {"a ratio that is not there is no error",
     test_a_ratio_that_is_not_there_is_no_error},
    {"growth is the exponent of log n", test_growth_is_the_exponent_of_log_n},
    {"programs are exchanged with ones that are used",
     test_exchange_takes_the_next_program_that_is_used},
    {NULL, NULL}};

const struct check_suite suite_validate_judge = {.name = "validate_judge",
                                                 .tests = tests};
