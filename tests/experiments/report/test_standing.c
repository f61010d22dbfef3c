/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/report/meaning.h"
#include "experiments/report/report_first.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

/* Of no algorithm known, so that its memory is what was granted. */
static const struct hp_granted gib = {
    .sizes = 1, .by = {{.page_bytes = 4096, .bytes = (size_t)1 << 30}}};
static const struct sample_variant usual;

/* The ratio of each of the sizes, which double, with its interval. */
struct size_case {
  double ratio, lo, hi;
};

enum { SIZES_MOST = 12 };

static size_t rows_of(struct summary *rows, const struct size_case *sizes) {
  size_t count = 0;
  for (size_t i = 0; sizes[i].ratio > 0; i++)
    for (int huge = 0; huge < 2; huge++)
      rows[count++] =
          (struct summary){.algo = "jump",
                           .device = "cpu",
                           .variant = &usual,
                           .pages = huge ? "2m" : "4k",
                           .n = (uint64_t)1 << (20 + i),
                           .base = !huge,
                           .reps = 3,
                           .granted = &gib,
                           .ns_per_op_median = 10,
                           .pair_base_ns_per_op = 10,
                           .pair_ns_per_op = 10 * sizes[i].ratio,
                           .ratio_to_4k = huge ? sizes[i].ratio : NAN,
                           .ratio_lo = huge ? sizes[i].lo : NAN,
                           .ratio_hi = huge ? sizes[i].hi : NAN};
  return count;
}

static void expect_sizes(const struct size_case *sizes,
                         enum meaning_verdict verdict, const char *sentence) {
  struct summary rows[2 * SIZES_MOST];
  struct survey survey;
  struct meaning meaning;
  survey_init(&survey, rows, rows_of(rows, sizes));
  meaning_of(&survey, 0, &meaning);
  CU_ASSERT_EQUAL(meaning.verdict, verdict);
  CU_ASSERT_STRING_EQUAL(meaning.text, sentence);
  if (strcmp(meaning.text, sentence)) printf("\ngot: %s\n", meaning.text);
  survey_fini(&survey);
}

/* The largest size is too noisy, the nine before it agree. */
static void test_all_sizes_decide(void) {
  static const struct size_case sizes[] = {
      {1, .99, 1.01},  {1.01, .99, 1.02}, {.98, .96, 1.01}, {.96, .95, .97},
      {.93, .91, .95}, {.90, .88, .93},   {.89, .86, .92},  {.88, .86, .91},
      {.87, .85, .90}, {.98, .55, 1.74},  {0, 0, 0}};
  expect_sizes(
      sizes, MEANING_FASTER,
      "jump (1 GiB): 0.87 times as long on 2 MiB pages (8.70 instead of "
      "10.0 ns); with 1 GiB of memory, not known (0.98 [0.55, 1.74], 3 "
      "repetitions: the interval is too wide)");
}

static void test_a_wide_interval_is_not_known(void) {
  static const struct size_case alone[] = {{.98, .55, 1.74}, {0, 0, 0}};
  expect_sizes(alone, MEANING_OPEN,
               "jump (1 GiB): no gain shown at the largest size (0.98 "
               "[0.55, 1.74], 3 repetitions: the interval is too wide)");
  static const struct size_case smaller[] = {
      {1, .9, 1.09}, {1, .99, 1.01}, {.98, .55, 1.74}, {0, 0, 0}};
  expect_sizes(smaller, MEANING_NOISE,
               "jump (1 GiB): below noise (1.00 [0.99, 1.01]); with 1 GiB of "
               "memory, not known (0.98 [0.55, 1.74], 3 repetitions: the "
               "interval is too wide)");
  /* What the smaller half of sizes shows decides nothing. */
  static const struct size_case half[] = {
      {1, .99, 1.01}, {.98, .55, 1.74}, {.98, .55, 1.74}, {0, 0, 0}};
  expect_sizes(half, MEANING_OPEN,
               "jump (1 GiB): no gain shown at the largest size (0.98 "
               "[0.55, 1.74], 3 repetitions: the interval is too wide)");
}

static void test_neighbouring_sizes_must_agree(void) {
  static const struct size_case alone[] = {{1.01, .99, 1.02},
                                           {1.01, .99, 1.02},
                                           {.87, .85, .90},
                                           {1.01, .7, 1.3},
                                           {0, 0, 0}};
  expect_sizes(alone, MEANING_OPEN,
               "jump (1 GiB): no gain shown at the largest size (1.01 "
               "[0.70, 1.30], 3 repetitions: the interval is too wide)");
  static const struct size_case last[] = {
      {1.04, .98, 1.06}, {.87, .85, .90}, {0, 0, 0}};
  expect_sizes(last, MEANING_OPEN,
               "jump (1 GiB): not known (0.87 [0.85, 0.90], 3 repetitions: "
               "the sizes beside it disagree)");
  static const struct size_case one[] = {
      {1.01, .99, 1.02}, {.95, .90, 1.01}, {.87, .85, .90}, {0, 0, 0}};
  expect_sizes(
      one, MEANING_FASTER,
      "jump (1 GiB): 0.87 times as long on 2 MiB pages (8.70 instead of "
      "10.0 ns)");
}

/* To free(). */
static char *first_of(const struct size_case *sizes, const char *machine) {
  struct summary rows[2 * SIZES_MOST];
  struct survey survey;
  char *text;
  size_t size;
  FILE *page = open_memstream(&text, &size);
  json_t *record = json_loads(machine, 0, NULL);
  survey_init(&survey, rows, rows_of(rows, sizes));
  survey.record = record;
  report_first(page, &survey);
  survey_fini(&survey);
  json_decref(record);
  fclose(page);
  return text;
}

static void test_the_page_begins_with_the_answer(void) {
  static const char machine[] =
      "{\"page_kinds\":[{\"name\":\"4k\",\"present\":true},{\"name\":"
      "\"1g\",\"present\":false}],\"vm\":{\"is_vm\":true}}";
  static const struct size_case gains[] = {
      {.9, .88, .92}, {.7, .68, .998}, {.8, .79, .81}, {0, 0, 0}};
  char *page = first_of(gains, machine);
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<b>70 %</b>"));
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td>68&ndash;99.8&nbsp;%</td>"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(page,
             "<p>Page kinds available on this machine: 4 KiB pages; not "
             "available: 1 GiB pages. The machine is virtual. The pages of "
             "its host were not"));
  free(page);
  static const struct size_case same[] = {{1, .99, 1.01}, {0, 0, 0}};
  page = first_of(same, "{}");
  CU_ASSERT_PTR_NOT_NULL(strstr(page, "<b>no difference</b>"));
  CU_ASSERT_PTR_NULL(strstr(page, "below noise"));
  CU_ASSERT_PTR_NULL(strstr(page, "this machine"));
  free(page);
}

static const struct check_test tests[] = {
    {"all sizes decide", test_all_sizes_decide},
    {"a wide interval is not known", test_a_wide_interval_is_not_known},
    {"neighbouring sizes must agree", test_neighbouring_sizes_must_agree},
    {"the page begins with the answer", test_the_page_begins_with_the_answer},
    {NULL, NULL},
};

const struct check_suite suite_standing = {
    .name = "standing",
    .tests = tests,
};
