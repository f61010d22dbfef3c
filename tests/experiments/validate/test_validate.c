/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What vat validate uses measured points for, and what it fits to them. */
#include <math.h>
#include <string.h>

#include "experiments/validate/judge.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"
#include "tests/experiments/validate/validate_fixture.h"

static const struct point *at(const struct points *points, const char *algo,
                              uint64_t n, const char *pages) {
  for (size_t i = 0; i < points->count; i++) {
    const struct point *point = &points->points[i];
    if (point->row->n == n && !strcmp(point->row->algo, algo) &&
        !strcmp(point->row->pages, pages))
      return point;
  }
  CU_FAIL_FATAL("no such point");
  return NULL;
}

static void test_sizes_are_sorted_by_use(void) {
  struct validate_fixture f;
  struct points points;
  validate_fixture_init(&f);
  validate_fixture_program(&f, "permute");
  points_init(&points, f.rows, f.count, &validate_fixture_sizes);
  CU_ASSERT_EQUAL(points.count, 12);
  CU_ASSERT_EQUAL(points.program_count, 1);
  CU_ASSERT_PTR_NULL(points.programs[0].left_out);
  /* Eight sizes that are used: the median is the fourth; 8 bytes an element. */
  static const struct {
    uint64_t n;
    enum point_use use;
  } expected[] = {{4094, POINT_SMALL},         {4096, POINT_FITS_C},
                  {8192, POINT_FITS_C},        {16384, POINT_FITS_OVERLAP},
                  {32768, POINT_FITS_OVERLAP}, {65536, POINT_HELD_OUT},
                  {131072, POINT_HELD_OUT},    {262144, POINT_HELD_OUT},
                  {524288, POINT_HELD_OUT}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const struct point *point = at(&points, "permute", expected[i].n, "4k");
    CU_ASSERT_EQUAL(point->use, expected[i].use);
    CU_ASSERT_EQUAL(point->bytes, 8.0 * (double)expected[i].n);
    CU_ASSERT_EQUAL(point->base, SIZE_MAX);
  }
  CU_ASSERT_EQUAL(at(&points, "permute", 4094, "thp")->use, POINT_SMALL);
  CU_ASSERT_EQUAL(at(&points, "permute", 8192, "thp")->use, POINT_HELD_OUT);
  for (size_t i = 1; i < points.count; i++)
    CU_ASSERT(points.points[i - 1].row->n <= points.points[i].row->n);
  points_fini(&points);
}

/* 8 bytes an element. */
static void test_sizes_that_reach_memory_are_fitted(void) {
  static const struct points_sizes sizes = {VALIDATE_FIXTURE_CACHE, 262144 * 8};
  static const struct points_sizes vast = {VALIDATE_FIXTURE_CACHE, 1e12};
  const uint64_t large = POINTS_LARGE;
  struct validate_fixture f;
  struct points points;
  validate_fixture_init(&f);
  validate_fixture_program(&f, "permute");
  validate_fixture_add(&f, "permute", "4k", large - 1, 1);
  validate_fixture_add(&f, "permute", "4k", large, 1);
  points_init(&points, f.rows, f.count, &sizes);
  CU_ASSERT_EQUAL(at(&points, "permute", 262144, "4k")->use,
                  POINT_FITS_OVERLAP);
  CU_ASSERT_EQUAL(at(&points, "permute", 524288, "4k")->use, POINT_HELD_OUT);
  CU_ASSERT_EQUAL(at(&points, "permute", 65536, "thp")->use, POINT_HELD_OUT);
  points_fini(&points);
  points_init(&points, f.rows, f.count, &vast);
  CU_ASSERT_EQUAL(at(&points, "permute", large - 1, "4k")->use,
                  POINT_FITS_OVERLAP);
  CU_ASSERT_EQUAL(at(&points, "permute", large, "4k")->use, POINT_HELD_OUT);
  points_fini(&points);
}

static void test_other_pages_have_a_base(void) {
  struct validate_fixture f;
  struct points points;
  validate_fixture_init(&f);
  validate_fixture_add(&f, "heapsort", "thp", 65536, 5); /* left out */
  validate_fixture_add(&f, "heapsort", "4k", 65536, 5);
  validate_fixture_program(&f, "permute");
  validate_fixture_add(&f, "permute", "2m", 65536, 5);
  validate_fixture_add(&f, "permute", "thp", 65537, 5); /* no base */
  validate_fixture_add(&f, "permute", "2m", 65537, 5);
  points_init(&points, f.rows, f.count, &validate_fixture_sizes);
  const struct point *base = at(&points, "permute", 65536, "4k");
  CU_ASSERT_EQUAL(at(&points, "permute", 65536, "thp")->base,
                  (size_t)(base - points.points));
  CU_ASSERT_EQUAL(at(&points, "permute", 65536, "2m")->base,
                  (size_t)(base - points.points));
  CU_ASSERT_EQUAL(at(&points, "permute", 65537, "thp")->base, SIZE_MAX);
  CU_ASSERT_EQUAL(at(&points, "permute", 65537, "2m")->base, SIZE_MAX);
  CU_ASSERT_EQUAL(points_pairs(&points), 4);
  points_fini(&points);
}

static void test_rows_of_other_kinds_are_no_points(void) {
  struct validate_fixture f;
  struct points points;
  static const struct sample_variant file = {.file = "keys.txt"};
  static const struct sample_variant glibc = {.alloc = "glibc"};
  static const struct sample_variant sorted = {.generator = "sorted"};
  validate_fixture_init(&f);
  validate_fixture_add(&f, "permute", "4k", 1, 1)->reps = 0;
  validate_fixture_add(&f, "permute", "4k", 2, 1)->variant = &glibc;
  validate_fixture_add(&f, "permute", "4k", 3, 1)->variant = &file;
  validate_fixture_add(&f, "permute", "4k", 4, 1)->variant = &sorted;
  validate_fixture_add(&f, "permute", "4k", 5, 1)->device = "gpu";
  validate_fixture_add(&f, "no_such_algorithm", "4k", 6, 1);
  validate_fixture_add(&f, "transpose_rows", "4k", 64, 1);
  points_init(&points, f.rows, f.count, &validate_fixture_sizes);
  CU_ASSERT_EQUAL(points.count, 1);
  CU_ASSERT_EQUAL(points.points[0].elements, 64 * 64);
  points_fini(&points);
}

static void test_too_few_sizes_are_left_out(void) {
  struct validate_fixture f;
  struct points points;
  validate_fixture_init(&f);
  for (uint64_t n = 16384; n < 1 << 20; n *= 2)
    validate_fixture_add(&f, "permute", "4k", n, 1); /* none in the cache */
  for (uint64_t n = 8192; n < 1 << 16; n *= 2)
    validate_fixture_add(&f, "heapify", "4k", n, 1); /* 8200: one beyond */
  for (uint64_t n = 4096; n < 1 << 16; n *= 2)
    validate_fixture_add(&f, "binary_search", "4k", n, 1);
  points_init(&points, f.rows, f.count, &validate_fixture_sizes);
  CU_ASSERT_EQUAL_FATAL(points.program_count, 3);
  for (size_t i = 0; i < 3; i++) {
    const struct program *program = &points.programs[i];
    bool search = !strcmp(program->algo->name, "binary_search");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(program->left_out, search ? "fewer than two" : "no size"));
  }
  CU_ASSERT_EQUAL(points_pairs(&points), 0);
  points_fini(&points);
}

static void test_fits_find_what_was_put_in(void) {
  static const struct fitted truth[] = {
      {2, 0.37, 0}, {0.5, 0.91, 0}, {7, 0.15, 0}};
  for (size_t m = 0; m < MODELS; m++)
    for (size_t t = 0; t < sizeof truth / sizeof *truth; t++) {
      struct validate_fixture f;
      struct points points;
      validate_fixture_init(&f);
      validate_fixture_program(&f, "permute");
      validate_fixture_points(&f, &points, m, truth[t]);
      struct fitted found = fit_program(m, 0, &points, &points.programs[0]);
      CU_ASSERT_DOUBLE_EQUAL(found.c, truth[t].c, 1e-2 * truth[t].c);
      if (m != MODEL_RAM)
        CU_ASSERT_DOUBLE_EQUAL(found.overlap, truth[t].overlap,
                               1e-2 * truth[t].overlap);
      points_fini(&points);
    }
}

/* A sort of n log n operations, a part of which each element is for once: the
 * larger n, the less of it an operation takes. */
static void test_the_time_of_elements_is_found(void) {
  static const struct fitted truth[] = {{2, 0.37, 40}, {1, 0.1, 0}, {3, 0, 30}};
  for (size_t t = 0; t < sizeof truth / sizeof *truth; t++) {
    struct validate_fixture f;
    struct points points;
    double worst[2] = {0};
    validate_fixture_init(&f);
    validate_fixture_program(&f, "introsort");
    validate_fixture_points(&f, &points, MODEL_FULL, truth[t]);
    for (size_t i = 0; i < points.count; i++) {
      struct point *point = &points.points[i];
      point->costs.elements = 1 / log2(point->elements);
      point->ns = model_predict(MODEL_FULL, &point->costs, &truth[t], 0);
    }
    for (unsigned left_out = 0; left_out < 2; left_out++) {
      unsigned without = left_out ? term_find(terms, "elements") : 0;
      struct fitted found =
          fit_program(MODEL_FULL, without, &points, &points.programs[0]);
      for (size_t i = 0; i < points.count; i++) {
        const struct point *point = &points.points[i];
        double ns = model_predict(MODEL_FULL, &point->costs, &found, without);
        worst[left_out] = fmax(worst[left_out], fabs(ns / point->ns - 1));
      }
    }
    CU_ASSERT(worst[0] < 0.01);
    if (truth[t].element > 0) CU_ASSERT(worst[1] > 0.02);
    points_fini(&points);
  }
}

/* Half of the sizes beyond the cache come out thrice as slow, and their
 * repetitions say so. */
static void test_sizes_without_agreement_count_little(void) {
  struct fitted truth = {2, 0.37, 0};
  struct validate_fixture f;
  struct points points;
  validate_fixture_init(&f);
  for (uint64_t n = 4096; n < 1 << 20; n = n * 5 / 4)
    validate_fixture_add(&f, "permute", "4k", n, 1);
  validate_fixture_points(&f, &points, MODEL_FULL, truth);
  for (size_t i = 0; i < points.count; i += 2)
    if (points.points[i].use == POINT_FITS_OVERLAP) {
      points.points[i].ns *= 3;
      points.points[i].spread = 3;
    }
  struct fitted found =
      fit_program(MODEL_FULL, 0, &points, &points.programs[0]);
  CU_ASSERT_DOUBLE_EQUAL(found.overlap, truth.overlap, 0.03 * truth.overlap);
  points_fini(&points);
}

static void test_c_is_never_negative(void) {
  struct validate_fixture f;
  struct points points;
  validate_fixture_init(&f);
  validate_fixture_program(&f, "permute");
  validate_fixture_points(&f, &points, MODEL_FULL, (struct fitted){1, 1, 0});
  for (size_t i = 0; i < points.count; i++) points.points[i].costs.best = 1e3;
  struct fitted found =
      fit_program(MODEL_FULL, 0, &points, &points.programs[0]);
  CU_ASSERT(found.c >= 0 && found.c < 1e-9);
  points_fini(&points);
}

static void test_terms_are_found_by_name(void) {
  unsigned all = 0, count = 0;
  for (; terms[count].name; count++) {
    CU_ASSERT_EQUAL(term_find(terms, terms[count].name), 1u << count);
    CU_ASSERT_EQUAL(all & term_find(terms, terms[count].name), 0);
    all |= term_find(terms, terms[count].name);
  }
  CU_ASSERT_EQUAL(term_find(terms, "caches"), 0);
  CU_ASSERT_EQUAL(term_find(terms, ""), 0);
  CU_ASSERT(count <= 12);
}

/* Where no term says otherwise, FULL's numbers by hand. */
static void test_full_by_hand(void) {
  struct costs costs = {.streams = 5, .best = 16, .elements = 0.25};
  struct fitted fitted = {.c = 1, .overlap = 0.5, .element = 4};
  costs.waits->spread[REUSE_OTHER] = 20;
  costs.waits->spread[REUSE_STREAM] = 6;
  costs.waits->stepped[REUSE_OTHER] = 10;
  costs.waits->stepped[REUSE_STREAM] = 2;
  costs.waits->measured[COSTS_RANDOM] =
      (struct costs_translation){2, 8, 9, 4, 12, 0};
  costs.waits->measured[COSTS_LRU] =
      (struct costs_translation){2, 4, 3, 4, 3, 0};
  costs.waits->asked[COSTS_RANDOM] =
      (struct costs_translation){0, 6, 1, 0, 0, 0};
  /* 1 + 4 / 4 = 2; (5 - 2) + max(2 + (20 + 2 + 8 + 4) / 2, 16, 9 + 12) */
  CU_ASSERT_EQUAL(model_predict(MODEL_FULL, &costs, &fitted, 0), 3 + 21);
  static const struct {
    const char *term;
    double ns;
  } without[] = {{"sets", 24},         {"streams", 22},    {"in-flight", 24},
                 {"granularity", 19},  {"random-tlb", 20}, {"table-lines", 20},
                 {"walk-overlap", 22}, {"elements", 25}};
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    CU_ASSERT_EQUAL(model_predict(MODEL_FULL, &costs, &fitted,
                                  term_find(terms, without[i].term)),
                    without[i].ns);
  costs.waits->measured[COSTS_RANDOM].streamed = 2; /* a quarter */
  CU_ASSERT_EQUAL(model_predict(MODEL_FULL, &costs, &fitted, 0),
                  3 + 2 + (20 + 0.75 * (2 + 8 + 4)) / 2);
  CU_ASSERT_EQUAL(
      model_predict(MODEL_FULL, &costs, &fitted, term_find(terms, "streams")),
      22);
  costs.waits->measured[COSTS_RANDOM].streamed = 0;
  unsigned walks = term_find(terms, "walk-overlap");
  fitted.overlap = 0; /* what the machine gives at best remains */
  CU_ASSERT_EQUAL(model_predict(MODEL_FULL, &costs, &fitted, walks), 3 + 16);
  CU_ASSERT_EQUAL(model_predict(MODEL_FULL, &costs, &fitted,
                                walks | term_find(terms, "in-flight")),
                  5);
  costs.best = NAN; /* the calibration has no random reads */
  CU_ASSERT_EQUAL(model_predict(MODEL_FULL, &costs, &fitted, walks), 5);
}

static const struct check_test tests[] = {
    {"sizes are sorted by what they are used for",
     test_sizes_are_sorted_by_use},
    {"sizes that reach memory are fitted",
     test_sizes_that_reach_memory_are_fitted},
    {"points on other pages know theirs on base pages",
     test_other_pages_have_a_base},
    {"rows of other inputs, allocators and devices are no points",
     test_rows_of_other_kinds_are_no_points},
    {"programs of too few sizes are left out, and why is said",
     test_too_few_sizes_are_left_out},
    {"fits find what was put in, for each model",
     test_fits_find_what_was_put_in},
    {"the time of elements is found", test_the_time_of_elements_is_found},
    {"sizes without agreement count little",
     test_sizes_without_agreement_count_little},
    {"c is never negative", test_c_is_never_negative},
    {"terms are found by name", test_terms_are_found_by_name},
    {"FULL by hand, and without each of its terms", test_full_by_hand},
    {NULL, NULL}};

const struct check_suite suite_validate = {.name = "validate", .tests = tests};
