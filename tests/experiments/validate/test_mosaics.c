/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models tell of layouts, by hand. */
#include <math.h>

#include "experiments/validate/mosaics.h"
#include "experiments/validate/walk_models.h"
#include "tests/experiments/json_at.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

/* 10 s on base pages, of which 10^9 misses walk for 4 s; 8 s on larger ones,
 * and 10^8 misses that walk for .5 s.  Here 5 * 10^8 of them walk for 1.5 s.
 * The second TLB takes 1 s, .125 s and .25 s. */
static const struct walk_case of = {
    {10, 1e9, 4, 1}, {8, 1e8, .5, .125}, {NAN, 5e8, 1.5, .25}};

static double told(const char *name, const struct walk_case *known) {
  for (size_t i = 0; walk_models[i].name; i++)
    if (!strcmp(walk_models[i].name, name)) return walk_models[i].user_s(known);
  return NAN;
}

static void test_models_of_the_literature(void) {
  CU_ASSERT_DOUBLE_EQUAL(told("basu", &of), 10 - 4 + 4e-9 * 5e8, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(told("pham", &of), 10 - 4 - 1 + 1.5 + .25, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(told("gandhi", &of), 8 - .5 + 4e-9 * 5e8, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(told("alam", &of), 8 - .5 + 1.5, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(told("yaniv", &of), 8 + 2 / 3.5 * 1, 1e-12);
}

/* Each goes through what it was made of. */
static void test_models_at_their_ends(void) {
  struct walk_case known = of;
  known.here = known.base;
  CU_ASSERT_DOUBLE_EQUAL(told("basu", &known), 10, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(told("pham", &known), 10, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(told("yaniv", &known), 10, 1e-12);
  known.here = known.larger;
  CU_ASSERT_DOUBLE_EQUAL(told("alam", &known), 8, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(told("yaniv", &known), 8, 1e-12);
  known.larger.user_s = NAN;
  CU_ASSERT(isnan(told("alam", &known)) && isnan(told("yaniv", &known)));
  CU_ASSERT(isnan(told("gandhi", &known)));
}

/* A cubic that six layouts show, and a seventh has to follow. */
static void test_a_fitted_model(void) {
  struct walk_state known[7];
  for (int i = 0; i < 7; i++) {
    double c = i / 6.;
    known[i] = (struct walk_state){6 + 3 * c - c * c * c, 1e8 * i, c, 0};
  }
  const struct walk_state here = {NAN, 1e8 * 4.5, .75, 0};
  double user_s = walk_model_fitted(known, 7, &here);
  CU_ASSERT_DOUBLE_EQUAL(user_s, 6 + 3 * .75 - .75 * .75 * .75, .02);
  CU_ASSERT(isnan(walk_model_fitted(known, 3, &here)));
  for (int i = 1; i < 7; i++) known[i] = known[0];
  CU_ASSERT(isnan(walk_model_fitted(known, 7, &here)));
}

#define PLAN(ratio, misses, walks)                                          \
  "\"plan\":{\"used_bytes\":1048576,\"predicted\":{\"user_ratio\":" ratio   \
  ",\"lo\":0.7,\"hi\":0.95},\"everything\":{\"user_ratio\":0.6,\"lo\":0.5," \
  "\"hi\":0.7,\"bytes\":2},\"walks\":{\"misses\":[1000000000," misses       \
  ",100000000],\"walk_s\":[4," walks ",0.5]}}"

static const char compared[] =
    "{\"command\":[\"/usr/bin/prog\",\"1\"],\"control\":{\"user_ratio\":1.02},"
    "\"pages\":[{\"kind\":\"4k\",\"user_s\":10},"
    "{\"kind\":\"thp\",\"user_ratio\":0.8,\"user_ci\":[0.79,0.81]},"
    "{\"kind\":\"half\",\"user_ratio\":0.85,\"user_ci\":[0.84,0.86]," PLAN(
        "0.9", "500000000", "1.5") "},"
    "{\"kind\":\"most\",\"user_ratio\":0.97,\"user_ci\":[0.87,1.07]," PLAN(
        "0.8", "200000000", "1") "},"
    "{\"kind\":\"once\",\"user_ratio\":0.5,\"user_ci\":null," PLAN(
        "0.9", "400000000", "1") "}]}";

/* Told .6 [.5, .7], 90 %; measured .8 [.79, .81], 95 %. */
static double most_saved(void) {
  const double of_told = .1 / 1.645, of_measured = .01 / 1.96;
  const double weight =
      of_told * of_told / (of_told * of_told + of_measured * of_measured);
  return weight * .2 + (1 - weight) * .4;
}

/* What is saved on all larger pages is hardly more than half of what was told:
 * so each is.  What was measured once is shown, and not scored. */
static void test_layouts_that_were_measured(void) {
  struct mosaics m;
  struct scratch scratch;
  char error[600];
  scratch_init(&scratch);
  const char *path =
      scratch_write(&scratch, "compared.json", compared, sizeof compared - 1);
  CU_ASSERT_EQUAL_FATAL(mosaics_read(&m, &path, 1, error, sizeof error), 0);
  CU_ASSERT_EQUAL_FATAL(m.count, 3);
  CU_ASSERT_EQUAL(m.without, 1);
  CU_ASSERT_STRING_EQUAL(m.row[0].program, "prog 1");
  CU_ASSERT_STRING_EQUAL(m.row[0].layout, "half");
  CU_ASSERT_EQUAL(m.row[0].measured, .85);
  CU_ASSERT_EQUAL(m.row[0].told[0], .9);
  CU_ASSERT_DOUBLE_EQUAL(m.row[0].told[1], 1 - .1 * most_saved() / .4, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(m.row[1].told[1], 1 - .2 * most_saved() / .4, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(m.row[0].told[2], .8, 1e-12); /* Basu */
  CU_ASSERT_DOUBLE_EQUAL(m.row[0].told[5], .9, 1e-12); /* Alam */
  CU_ASSERT(isnan(m.row[0].told[MOSAIC_MODELS - 1]));  /* three layouts known */
  CU_ASSERT_DOUBLE_EQUAL(m.score[0].median, (.05 + .17) / 2, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(m.score[0].worst, .17, 1e-12);
  CU_ASSERT_EQUAL(m.score[0].rows, 2);
  CU_ASSERT_EQUAL(m.score[MOSAIC_MODELS - 1].rows, 0);
  CU_ASSERT_DOUBLE_EQUAL(m.control.worst, .02, 1e-12);
  CU_ASSERT_EQUAL(m.inside, 1);
  CU_ASSERT_EQUAL(m.inside_both, 2); /* .8 + hypot(.15, .1 * 1.645 / 1.96) */
  CU_ASSERT_EQUAL(m.intervals, 2);
  CU_ASSERT_EQUAL(m.programs, 1);
  CU_ASSERT_DOUBLE_EQUAL(m.program[0].control, .02, 1e-12);
  CU_ASSERT_EQUAL(m.program[0].median[0], m.score[0].median);
  CU_ASSERT(isnan(m.program[0].median[MOSAIC_MODELS - 1]));
  json_t *json = mosaics_to_json(&m);
  CU_ASSERT_EQUAL(json_number_at(json, "rows.1.told.vat"), .8);
  CU_ASSERT_EQUAL(json_number_at(json, "models.0.worst"), m.score[0].worst);
  json_decref(json);
  mosaics_fini(&m);
  path = scratch_write(&scratch, "none.json", "{\"pages\":[]}", 12);
  CU_ASSERT(mosaics_read(&m, &path, 1, error, sizeof error));
  CU_ASSERT_PTR_NOT_NULL(strstr(error, "no plan that was measured"));
  mosaics_fini(&m);
  scratch_fini(&scratch);
}

static const struct check_test tests[] = {
    {"models of the literature", test_models_of_the_literature},
    {"models at their ends", test_models_at_their_ends},
    {"a fitted model", test_a_fitted_model},
    {"layouts that were measured", test_layouts_that_were_measured},
    {NULL, NULL}};

const struct check_suite suite_mosaics = {"mosaics", tests, NULL};
