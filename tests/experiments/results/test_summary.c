/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/random.h"
#include "experiments/results/summary.h"
#include "tests/check.h"
#include "tests/experiments/suites.h"

static struct sample sample_of(const char *algo, uint64_t n, const char *pages,
                               uint32_t rep, uint64_t ns) {
  struct sample s = {.n = n,
                     .rep = rep,
                     .ns = ns,
                     .ram_ops = 10,
                     .seed = 1,
                     .granted_ok = true,
                     .check_ok = true};
  strcpy(s.algo, algo);
  strcpy(s.device, "cpu");
  strcpy(s.pages_asked, pages);
  return s;
}

static struct summary *rows;
static size_t count;

static void make(const struct sample *samples, size_t sample_count) {
  summaries_make(samples, sample_count, &rows, &count);
}

static void test_no_samples_make_no_rows(void) {
  make(NULL, 0);
  CU_ASSERT_EQUAL(count, 0);
  free(rows);
}

static void test_min_and_median_by_hand(void) {
  struct sample samples[] = {
      sample_of("a", 8, "4k", 0, 400), sample_of("a", 8, "4k", 1, 100),
      sample_of("a", 8, "4k", 2, 200), sample_of("a", 8, "4k", 3, 300)};
  make(samples, 4);
  CU_ASSERT_EQUAL_FATAL(count, 1);
  CU_ASSERT_EQUAL(rows->reps, 4);
  CU_ASSERT_DOUBLE_EQUAL(rows->ns_per_op_min, 10, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(rows->ns_per_op_median, 25, 1e-12);
  CU_ASSERT_TRUE(rows->base && rows->granted_ok);
  CU_ASSERT_TRUE(isnan(rows->ratio_to_4k) && isnan(rows->ratio_lo));
  free(rows);
}

static void test_rows_are_in_order_of_lines_then_sizes_then_pages(void) {
  struct sample samples[] = {
      sample_of("z", 8, "2m", 0, 1),  sample_of("z", 8, "thp", 0, 1),
      sample_of("z", 8, "4k", 0, 1),  sample_of("a", 9, "4k", 0, 1),
      sample_of("a", 3, "1g", 0, 1),  sample_of("a", 3, "5k", 0, 1),
      sample_of("z", 8, "thp", 1, 1), sample_of("a", 9, "thp", 1, 1)};
  static const char *const pages[] = {"4k", "thp", "2m", "1g",
                                      "5k", "4k",  "thp"};
  static const unsigned n[] = {8, 8, 8, 3, 3, 9, 9};
  make(samples, 8);
  CU_ASSERT_EQUAL_FATAL(count, 7);
  for (size_t i = 0; i < 7; i++) {
    CU_ASSERT_STRING_EQUAL(rows[i].pages, pages[i]);
    CU_ASSERT_EQUAL(rows[i].n, n[i]);
  }
  CU_ASSERT_EQUAL(rows[1].reps, 2);
  free(rows);
}

/* A key of the row's record; NULL: there is none. */
static void expect_text(const struct summary *row, const char *key,
                        const char *text) {
  json_t *json = summary_to_json(row), *found = json_object_get(json, key);
  CU_ASSERT_TRUE(text ? found && !strcmp(json_string_value(found), text)
                      : !found);
  json_decref(json);
}

static void test_allocators_are_not_mixed(void) {
  struct sample samples[] = {
      sample_of("a", 8, "4k", 0, 100), sample_of("a", 8, "4k", 0, 300),
      sample_of("a", 8, "2m", 0, 30), sample_of("a", 8, "4k", 0, 500)};
  strcpy(samples[0].variant.alloc, "arena");
  strcpy(samples[1].variant.alloc, "glibc");
  strcpy(samples[2].variant.alloc, "arena");
  make(samples, 4);
  CU_ASSERT_EQUAL_FATAL(count, 4);
  for (size_t i = 0; i < 4; i++) CU_ASSERT_EQUAL(rows[i].reps, 1);
  CU_ASSERT_STRING_EQUAL(rows[0].variant->alloc, "arena");
  CU_ASSERT_STRING_EQUAL(rows[1].pages, "2m");
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ratio_to_4k, 0.3, 1e-12);
  CU_ASSERT_STRING_EQUAL(rows[2].variant->alloc, "glibc");
  CU_ASSERT_STRING_EQUAL(rows[3].variant->alloc, "");
  expect_text(&rows[0], "alloc", "arena");
  expect_text(&rows[3], "alloc", NULL);
  for (size_t i = 0; i < 4; i++)
    for (size_t j = 0; j < 4; j++) /* the second and third sort the other way */
      CU_ASSERT_EQUAL(summary_has(&rows[i], &samples[j]), i == (j == 1   ? 2
                                                                : j == 2 ? 1
                                                                         : j));
  samples[0].check_ok = false;
  CU_ASSERT_FALSE(summary_has(&rows[0], &samples[0]));
  free(rows);
}

/* Equal repetitions: .5, .6, .8, whose median is .6; the medians of times
 * would give 475 / 100. */
static void test_ratios_pair_equal_repetitions(void) {
  struct sample samples[] = {
      sample_of("a", 8, "2m", 4, 800), sample_of("a", 8, "2m", 0, 50),
      sample_of("a", 8, "2m", 1, 999), sample_of("a", 8, "2m", 2, 150),
      sample_of("a", 8, "4k", 0, 100), sample_of("a", 8, "4k", 2, 250),
      sample_of("a", 8, "4k", 3, 1),   sample_of("a", 8, "4k", 4, 1000),
      sample_of("a", 8, "4k", 7, 1)};
  make(samples, 9);
  CU_ASSERT_EQUAL_FATAL(count, 2);
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ratio_to_4k, 0.6, 1e-12);
  /* Student on the logarithms: mean -0.4757, error 0.1369, t(2) 4.3027. */
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ratio_lo, 0.34495, 1e-5);
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ratio_hi, 1.11957, 1e-5);
  CU_ASSERT_FALSE(summary_is_significant(&rows[1]));
  CU_ASSERT_FALSE(rows[1].base);
  CU_ASSERT_TRUE(rows[0].base);
  free(rows);
}

/* Sorted keys, and those of two files of one name: three programs more. */
static void test_other_inputs_are_other_rows(void) {
  struct sample samples[8];
  for (int i = 0; i < 8; i++) {
    samples[i] = sample_of("a", 8, i % 2 ? "thp" : "4k", 0, 100 + 10 * i);
    if (i / 2 == 1) strcpy(samples[i].variant.generator, "sorted");
    if (i / 2 >= 2) strcpy(samples[i].variant.file, "keys.txt");
    samples[i].variant.hash = i / 2 == 3;
  }
  make(samples, 8);
  CU_ASSERT_EQUAL_FATAL(count, 8);
  for (int i = 0; i < 8; i++) {
    CU_ASSERT_EQUAL(rows[i].reps, 1);
    CU_ASSERT_PTR_EQUAL(rows[i].variant, &samples[i].variant);
    if (i % 2)
      CU_ASSERT_DOUBLE_EQUAL(rows[i].ratio_to_4k,
                             (100. + 10 * i) / (90 + 10 * i), 1e-12);
  }
  expect_text(&rows[2], "generator", "sorted");
  expect_text(&rows[2], "input", NULL);
  json_t *json = summary_to_json(&rows[4]);
  json_t *input = json_object_get(json, "input");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(input, "file")),
                         "keys.txt");
  json_decref(json);
  free(rows);
}

static double uniform(struct cpu_random *random) {
  return (double)(cpu_random_next(random) >> 11) * 0x1p-53;
}

static void test_two_pairs_have_no_interval(void) {
  struct sample samples[] = {
      sample_of("a", 8, "4k", 0, 100), sample_of("a", 8, "2m", 0, 50),
      sample_of("a", 8, "4k", 1, 100), sample_of("a", 8, "2m", 1, 70)};
  make(samples, 4);
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ratio_to_4k, 0.6, 1e-12);
  CU_ASSERT_TRUE(isnan(rows[1].ratio_lo) && isnan(rows[1].ratio_hi));
  CU_ASSERT_FALSE(summary_is_significant(&rows[1]));
  free(rows);
}

static void test_without_base_there_is_no_ratio(void) {
  struct sample samples[] = {
      sample_of("a", 8, "thp", 0, 100), sample_of("a", 8, "2m", 0, 50),
      sample_of("a", 9, "4k", 0, 100), sample_of("b", 8, "4k", 0, 100)};
  make(samples, 4);
  for (size_t i = 0; i < count; i++) CU_ASSERT_TRUE(isnan(rows[i].ratio_to_4k));
  free(rows);
}

static void test_larger_base_pages_stand_in(void) {
  struct sample big[] = {sample_of("a", 8, "2m", 0, 50),
                         sample_of("a", 8, "64k", 0, 100)};
  make(big, 2);
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ratio_to_4k, 0.5, 1e-12);
  free(rows);
  struct sample both[] = {sample_of("a", 8, "64k", 0, 50),
                          sample_of("a", 8, "4k", 0, 100)};
  make(both, 2);
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ratio_to_4k, 0.5, 1e-12);
  CU_ASSERT_TRUE(rows[0].base && !rows[1].base);
  free(rows);
}

static void test_other_backing_and_wrong_answers_are_left_out(void) {
  struct sample samples[] = {
      sample_of("a", 8, "2m", 0, 10), sample_of("a", 8, "2m", 1, 20),
      sample_of("a", 8, "2m", 2, 30), sample_of("a", 8, "4k", 0, 100)};
  samples[0].granted_ok = false;
  samples[1].check_ok = false;
  make(samples, 4);
  CU_ASSERT_EQUAL(rows[1].reps, 1);
  CU_ASSERT_EQUAL(rows[1].rejected, 1);
  CU_ASSERT_EQUAL(rows[1].failed, 1);
  CU_ASSERT_FALSE(rows[1].granted_ok);
  CU_ASSERT_DOUBLE_EQUAL(rows[1].ns_per_op_min, 3, 1e-12);
  CU_ASSERT_TRUE(isnan(rows[1].ratio_to_4k));
  free(rows);
}

static void test_a_row_may_have_nothing_that_counts(void) {
  struct sample samples[] = {sample_of("a", 8, "1g", 0, 10),
                             sample_of("a", 8, "4k", 0, 0)};
  samples[0].granted_ok = false;
  make(samples, 2);
  CU_ASSERT_EQUAL(rows[1].reps, 0);
  CU_ASSERT_TRUE(isnan(rows[1].ns_per_op_min));
  CU_ASSERT_TRUE(isnan(rows[1].ns_per_op_median));
  CU_ASSERT_PTR_EQUAL(rows[1].granted, &samples[0].pages_granted);
  json_t *json = summary_to_json(&rows[1]);
  rows[1].ns_per_op_min = 1.219;
  json_t *digits = summary_to_json(&rows[1]);
  char *text = json_dumps(digits, SUMMARY_JSON_FLAGS);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, ":1.219,"));
  free(text);
  json_decref(digits);
  CU_ASSERT_TRUE(json_is_null(json_object_get(json, "ns_per_op_min")));
  CU_ASSERT_TRUE(json_is_null(json_object_get(json, "ratio_to_4k")));
  CU_ASSERT_TRUE(json_is_null(json_object_get(json, "ratio_ci")));
  CU_ASSERT_TRUE(json_is_false(json_object_get(json, "granted_ok")));
  json_decref(json);
  free(rows);
}

static void test_counters_are_medians_of_what_is_present(void) {
  struct sample samples[3];
  for (uint32_t i = 0; i < 3; i++) {
    samples[i] = sample_of("a", 8, "4k", i, 10);
    samples[i].counters = 2;
    samples[i].counter[0] =
        (struct sample_counter){"walks", i != 1, 100 * (i + 1)};
    samples[i].counter[1] = (struct sample_counter){"cycles", false, 0};
  }
  make(samples, 3);
  CU_ASSERT_EQUAL_FATAL(rows->counters, 2);
  CU_ASSERT_TRUE(rows->counter[0].present);
  CU_ASSERT_EQUAL(rows->counter[0].value, 200);
  CU_ASSERT_FALSE(rows->counter[1].present);
  json_t *json = summary_to_json(rows);
  json_t *counters = json_object_get(json, "counters");
  CU_ASSERT_EQUAL(json_integer_value(json_object_get(counters, "walks")), 200);
  CU_ASSERT_TRUE(json_is_null(json_object_get(counters, "cycles")));
  json_decref(json);
  rows->counter[0].value = UINT64_MAX; /* beyond JSON's integers */
  json = summary_to_json(rows);
  counters = json_object_get(json, "counters");
  CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(counters, "walks")),
                         "18446744073709551615");
  json_decref(json);
  free(rows);
}

static void test_difference_needs_interval_and_size(void) {
  static const struct {
    double ratio, lo, hi;
    bool significant;
  } cases[] = {
      {0.61, 0.60, 0.62, true},   {1.10, 1.05, 1.20, true},
      {0.99, 0.98, 0.995, false}, {0.90, 0.80, 1.01, false},
      {1.00, 0.99, 1.01, false},  {0.61, NAN, NAN, false},
      {NAN, NAN, NAN, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct summary row = {.ratio_to_4k = cases[i].ratio,
                          .ratio_lo = cases[i].lo,
                          .ratio_hi = cases[i].hi};
    CU_ASSERT_EQUAL(summary_is_significant(&row), cases[i].significant);
  }
}

static void test_json_has_the_contract_s_keys(void) {
  static const char *const keys[] = {
      "record",      "algo",       "device",        "n",
      "pages",       "granted_ok", "ns_per_op_min", "ns_per_op_median",
      "ratio_to_4k", "ratio_ci",   "counters",      "reps"};
  struct sample samples[8];
  for (uint32_t i = 0; i < 4; i++) {
    samples[2 * i] = sample_of("a", 8, "4k", i, 100);
    samples[2 * i + 1] = sample_of("a", 8, "2m", i, 61);
  }
  make(samples, 8);
  json_t *json = summary_to_json(&rows[1]);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    CU_ASSERT_PTR_NOT_NULL(json_object_get(json, keys[i]));
  json_t *ci = json_object_get(json, "ratio_ci");
  CU_ASSERT_EQUAL(json_array_size(ci), 2);
  CU_ASSERT_DOUBLE_EQUAL(
      json_number_value(json_object_get(json, "ratio_to_4k")), 0.61, 1e-9);
  json_decref(json);
  free(rows);
}

/* A slow way to the same rows: for each sample, walk all the others. */
static void test_rows_agree_with_a_slow_reference(void) {
  enum { SAMPLES = 400 };
  static const char *const pages[] = {"1g", "4k", "thp"};
  static struct sample samples[SAMPLES];
  struct cpu_random state = {5};
  for (uint32_t i = 0; i < SAMPLES; i++) {
    const char *kind = pages[(int)(3 * uniform(&state))];
    samples[i] = sample_of(uniform(&state) < 0.5 ? "a" : "b",
                           1 + (uint64_t)(5 * uniform(&state)), kind, i,
                           1 + (uint64_t)(1000 * uniform(&state)));
    samples[i].granted_ok = uniform(&state) < 0.9;
  }
  make(samples, SAMPLES);
  size_t seen = 0;
  for (size_t r = 0; r < count; r++) {
    double least = INFINITY;
    size_t reps = 0, rejected = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
      const struct sample *s = &samples[i];
      if (strcmp(s->algo, rows[r].algo) || s->n != rows[r].n ||
          strcmp(s->pages_asked, rows[r].pages))
        continue;
      seen++;
      reps += s->granted_ok;
      rejected += !s->granted_ok;
      if (s->granted_ok) least = fmin(least, (double)s->ns / 10);
    }
    CU_ASSERT(reps == rows[r].reps && rejected == rows[r].rejected);
    CU_ASSERT(!reps || least == rows[r].ns_per_op_min);
  }
  CU_ASSERT_EQUAL(seen, SAMPLES);
  free(rows);
}

static const struct check_test tests[] = {
    {"other inputs are other rows", test_other_inputs_are_other_rows},
    {"no samples make no rows", test_no_samples_make_no_rows},
    {"minimum and median agree with a hand count", test_min_and_median_by_hand},
    {"rows are in order of lines, then sizes, then pages",
     test_rows_are_in_order_of_lines_then_sizes_then_pages},
    {"samples of other allocators are other rows",
     test_allocators_are_not_mixed},
    {"ratios pair equal repetitions", test_ratios_pair_equal_repetitions},
    {"two pairs have no interval", test_two_pairs_have_no_interval},
    {"without base pages there is no ratio",
     test_without_base_there_is_no_ratio},
    {"larger base pages stand in for 4k", test_larger_base_pages_stand_in},
    {"other backing and wrong answers are left out",
     test_other_backing_and_wrong_answers_are_left_out},
    {"a row may have nothing that counts",
     test_a_row_may_have_nothing_that_counts},
    {"counters are medians of what is present",
     test_counters_are_medians_of_what_is_present},
    {"a difference needs interval and size",
     test_difference_needs_interval_and_size},
    {"a summary has the keys promised", test_json_has_the_contract_s_keys},
    {"rows agree with a slow reference", test_rows_agree_with_a_slow_reference},
    {NULL, NULL},
};

const struct check_suite suite_summary = {
    .name = "summary",
    .tests = tests,
};
