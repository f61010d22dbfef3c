/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the report simulates, and the figure of it. */
#include <config.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/progress.h"
#include "experiments/report/tc_curves.h"
#include "tests/experiments/report/figure_fixture.h"
#include "tests/experiments/run_command.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

#ifdef HAVE_STREAMS
static struct sample_variant usual, of_file = {.file = "keys.txt"};
static const char *const pages[] = {"4k", "thp", "2m"};
static struct summary rows[16];
static size_t row_count;

static void add_rows(const char *algo, uint64_t n,
                     const struct sample_variant *variant) {
  for (size_t i = 0; i < 3; i++)
    rows[row_count++] = (struct summary){.algo = algo,
                                         .device = "cpu",
                                         .variant = variant,
                                         .pages = pages[i],
                                         .n = n,
                                         .base = !i,
                                         .reps = 6};
}

static struct scratch cache;

static struct survey some_programs(void) {
  struct survey survey;
  scratch_init(&cache);
  setenv("VAT_CACHE_DIR", cache.dir, 1);
  row_count = 0;
  add_rows("permute", 5000, &usual);
  add_rows("transpose_rows", 100, &usual);
  add_rows("heapsort", 300, &of_file);
  add_rows("zebra", 300, &usual);
  survey_init(&survey, rows, row_count);
  return survey;
}

static void forget(struct survey *survey) {
  survey_fini(survey);
  scratch_fini(&cache);
  unsetenv("VAT_CACHE_DIR");
}

static uint64_t simulated(const char *algo, uint64_t n, const char *options) {
  struct command_result result;
  char script[256];
  snprintf(script, sizeof script, "\"$VAT\" sim --algo %s --n %llu --json %s",
           algo, (unsigned long long)n, options);
  run_shell(&result, NULL, script);
  json_t *object = json_loads(result.out, 0, NULL);
  uint64_t misses =
      (uint64_t)json_integer_value(json_object_get(object, "misses"));
  json_decref(object);
  return misses;
}

static void test_curves_are_what_vat_sim_says(void) {
  struct survey survey = some_programs();
  struct tc_curves curves = {0};
  tc_curves_add(&curves, &survey, INFINITY);
  /* thp and 2m are pages of one size. */
  CU_ASSERT_EQUAL(curves.count, 4);
  const struct tc_curve *permute =
      tc_curves_find(&curves, &survey, 0, (size_t)4096);
  CU_ASSERT_PTR_NOT_NULL_FATAL(permute);
  CU_ASSERT_EQUAL(permute->n, 4096);
  for (uint64_t nodes = 5; nodes < 40; nodes += 7) {
    char options[64];
    snprintf(options, sizeof options, "--tree amd64-4k --tc-nodes %llu",
             (unsigned long long)nodes);
    CU_ASSERT_EQUAL(tc_curve_misses(permute, nodes),
                    simulated("permute", 4096, options));
  }
  const struct tc_curve *rows2m =
      tc_curves_find(&curves, &survey, 1, (size_t)2 << 20);
  CU_ASSERT_PTR_NOT_NULL_FATAL(rows2m);
  CU_ASSERT_EQUAL(rows2m->n, 64);
  CU_ASSERT_EQUAL(tc_curve_misses(rows2m, 4), simulated("transpose_rows", 64,
                                                        "--tree amd64-2m "
                                                        "--tc-nodes 4"));
  CU_ASSERT_PTR_NULL(tc_curves_find(&curves, &survey, 2, 4096));
  CU_ASSERT_PTR_NULL(tc_curves_find(&curves, &survey, 3, 4096));
  /* What is there is not made again. */
  tc_curves_add(&curves, &survey, INFINITY);
  CU_ASSERT_EQUAL(curves.count, 4);
  tc_curves_fini(&curves);
  forget(&survey);
}

static bool same_curves(const struct tc_curves *a, const struct tc_curves *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; same && i < a->count; i++) {
    const struct tc_curve *x = &a->curve[i], *y = &b->curve[i];
    same = x->algo == y->algo && x->generator == y->generator && x->n == y->n &&
           x->page_bytes == y->page_bytes && x->ops == y->ops &&
           x->count == y->count &&
           !memcmp(x->points, y->points, x->count * sizeof *x->points);
  }
  return same;
}

/* What is damaged is not believed; nothing is simulated when it is late. */
static void test_what_was_simulated_is_kept(void) {
  static const char *const damages[] = {"s/\\[\\[/[[1/",
                                        "s/,\\([0-9]*\\)\\]/,-\\1]/g",
                                        "s/\"value\":.*/\"value\":[]}/"};
  struct survey survey = some_programs();
  struct tc_curves first = {0}, second = {0};
  tc_curves_add(&first, &survey, INFINITY);
  CU_ASSERT_EQUAL(first.count, 4);
  tc_curves_add(&second, &survey, progress_now_s());
  CU_ASSERT(same_curves(&first, &second));
  tc_curves_fini(&second);
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    static struct command_result result;
    char script[128];
    snprintf(script, sizeof script, "sed -i '%s' *", damages[i]);
    run_shell(&result, cache.dir, script);
    CU_ASSERT_EQUAL(result.code, 0);
    tc_curves_add(&second, &survey, progress_now_s());
    CU_ASSERT_EQUAL(second.count, 0);
    tc_curves_add(&second, &survey, INFINITY);
    CU_ASSERT(same_curves(&first, &second));
    tc_curves_fini(&second);
  }
  tc_curves_fini(&first);
  forget(&survey);
}

static void test_late_ones_are_left_out(void) {
  struct survey survey = some_programs();
  struct tc_curves curves = {0};
  tc_curves_add(&curves, &survey, progress_now_s());
  CU_ASSERT_EQUAL(curves.count, 0);
  survey.curves = &curves;
  CU_ASSERT_FALSE(figure_has_data(&figure_all_w, &survey));
  survey.curves = NULL;
  CU_ASSERT_FALSE(figure_has_data(&figure_all_w, &survey));
  forget(&survey);
}

static bool has(const char *text, const char *part) {
  bool found = strstr(text, part);
  if (!found) printf("\nno %s in\n%.3000s\n", part, text);
  return found;
}

static void test_the_figure_draws_them(void) {
  struct survey survey = some_programs();
  struct tc_curves curves = {0};
  tc_curves_add(&curves, &survey, INFINITY);
  survey.curves = &curves;
  CU_ASSERT_TRUE(figure_has_data(&figure_all_w, &survey));
  struct chart *chart = figure_chart_of(&figure_all_w, &survey);
  CU_ASSERT_TRUE(figure_has_title(chart, "Pages of 4 KiB"));
  CU_ASSERT_TRUE(figure_has_title(chart, "Pages of 2 MiB"));
  CU_ASSERT_EQUAL(chart->panels[0].count, 2);
  CU_ASSERT_EQUAL(chart->panels[0].y.scale, CHART_POWERS);
  CU_ASSERT(chart->panels[0].range.y_lo <= -1); /* the axis has a tenth */
  CU_ASSERT_TRUE(
      has(chart->detail, "Sizes: permute n = 4096, transpose_rows n = 64."));
  figure_chart_free(chart);
  char *text = figure_csv_of(&figure_all_w, &survey);
  CU_ASSERT_PTR_NULL(strstr(text, "heapsort"));
  char line[96];
  uint64_t misses =
      tc_curve_misses(tc_curves_find(&curves, &survey, 0, 4096), 6);
  snprintf(line, sizeof line, "\"permute\",\"\",4096,4096,6,%llu,%.6g\n",
           (unsigned long long)misses, (double)misses / 4096);
  CU_ASSERT_TRUE(has(text, line));
  free(text);
  tc_curves_fini(&curves);
  forget(&survey);
}
#endif

static const struct check_test tests[] = {
#ifdef HAVE_STREAMS
    {"curves are what vat sim says", test_curves_are_what_vat_sim_says},
    {"what was simulated is kept", test_what_was_simulated_is_kept},
    {"late ones are left out", test_late_ones_are_left_out},
    {"the figure draws them", test_the_figure_draws_them},
#endif
    {NULL, NULL},
};

static const char *why_not(void) {
#ifdef HAVE_STREAMS
  return NULL;
#else
  return "this vat was built without address streams";
#endif
}

const struct check_suite suite_tc_curves = {
    .name = "tc_curves", .tests = tests, .skip = why_not};
