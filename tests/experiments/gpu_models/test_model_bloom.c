/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model bloom: rates that are counted beside those of the model. */
#include <math.h>
#include <string.h>

#include "tests/experiments/gpu_models/model_told.h"
#include "tests/experiments/scratch.h"
#include "tests/experiments/suites.h"

/* As the formulas are written, of `elements` w-mers of w letters. */
static double rate_of(double m, double k, double elements) {
  return pow(1 - pow(1 - 1 / m, k * elements), k);
}

/* Six sub-queries of 4991 w-mers, and one of what is over. */
static void test_rates(void) {
  json_t *row = model_told(
      "bloom --k 4 --m-bits 64K --n-sub 5000 --w 10 --n 30000 --json");
  const double mers = 30000 - 9, last = mers - 6 * 4991;
  double all = 6 * rate_of(65536, 4, 4991) + rate_of(65536, 4, last);
  const json_t *ci = json_object_get(row, "ci");
  double lo = json_number_value(json_array_get(ci, 0));
  double hi = json_number_value(json_array_get(ci, 1));
  double measured = json_number_at(row, "measured");
  double fpr = json_number_at(row, "fpr"),
         elements = json_number_at(row, "elements");
  CU_ASSERT_EQUAL(json_number_at(row, "sub_queries"), 7);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(row, "w_mers"), mers / 7, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(row, "fpr_all"), all / 7, 1e-9);
  /* Those that are different: of 4^10, by chance. */
  CU_ASSERT_DOUBLE_EQUAL(elements, mers / 7 - 10.2, 5);
  CU_ASSERT_DOUBLE_EQUAL(measured, (lo + hi) / 2, 1e-9);
  CU_ASSERT(hi - lo > 0 && hi - lo < 0.2 * measured);
  /* 1.96 deviations are half of an interval: here are five. */
  CU_ASSERT(fabs(measured - fpr) < 5 / 1.96 * (hi - lo) / 2);
  CU_ASSERT_EQUAL(json_is_true(json_object_get(row, "fpr_in_ci")),
                  fpr >= lo && fpr <= hi);
  json_decref(row);
}

static void test_of_different_elements(void) {
  json_t *row = model_told(
      "bloom --k 4 --m-bits 64K --n-sub 30000 --w 10 --n 30000 --json");
  const double elements = json_number_at(row, "elements");
  CU_ASSERT_EQUAL(json_number_at(row, "sub_queries"), 1);
  CU_ASSERT_EQUAL(json_number_at(row, "w_mers"), 30000 - 9);
  CU_ASSERT(elements < 30000 - 9);
  CU_ASSERT_DOUBLE_EQUAL(json_number_at(row, "fpr"),
                         rate_of(65536, 4, elements), 1e-9);
  json_decref(row);
}

static void test_lists_are_combined(void) {
  json_t *rows = model_told_lines(
      "bloom --k 1,2 --m-bits 1K,8K --n-sub 1000 --n 3000 --json");
  static const double expected[][2] = {{1, 1024}, {1, 8192}, {2, 1024}};
  CU_ASSERT_EQUAL(json_array_size(rows), 4);
  for (size_t i = 0; i < 3; i++) {
    CU_ASSERT_EQUAL(json_number_at(json_array_get(rows, i), "k"),
                    expected[i][0]);
    CU_ASSERT_EQUAL(json_number_at(json_array_get(rows, i), "m_bits"),
                    expected[i][1]);
  }
  json_decref(rows);
}

static void test_the_table(void) {
  model_run("bloom --k 6 --n-sub 1000 --n 2000 --generator markov");
  CU_ASSERT_EQUAL(model_result.code, VAT_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, "2000 letters, markov\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.out, " of 3 by (5.18), "));
}

/* Of two words of 4 letters, AAAA is in the query. */
static void test_files(void) {
  static const char database[] = ">d\nAAAAC\n", query[] = ">q\nAAAA\n";
  struct scratch scratch;
  char line[1200], path[512];
  scratch_init(&scratch);
  strcpy(path, scratch_write(&scratch, "q", query, strlen(query)));
  scratch_write(&scratch, "d", database, strlen(database));
  snprintf(line, sizeof line,
           "bloom --k 10 --m-bits 1K --n-sub 1000 --w 4 --json --database %s "
           "--query %s",
           scratch.path, path);
  json_t *row = model_told(line);
  CU_ASSERT_EQUAL(json_number_at(row, "n"), 5);
  CU_ASSERT_EQUAL(json_number_at(row, "elements"), 1);
  CU_ASSERT_EQUAL(json_number_at(row, "measured"), 0);
  json_decref(row);
  snprintf(line, sizeof line, "bloom --w 4 --database %s --query %s", path,
           path);
  model_run(line);
  CU_ASSERT_EQUAL(model_result.code, VAT_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(model_result.err, "w = 4: every w-mer of the"));
  scratch_fini(&scratch);
}

static void test_refusals(void) {
  static const char *const cases[][2] = {
      {"--k 0", "k=0,m=65536,n-sub=10000,w=11: it takes k=1 to 10"},
      {"--k 1.5",
       "--k 1.5: not a whole number in its range, or more than 10000 numbers"},
      {"--m-bits 3K", "k=4,m=3072,"},
      {"--k x", "--k"},
      {"--n 5,6", "--n 5,6: not a size; write 65536,"},
      {"--n 2^40", "the filter is too large for bloom_blastn_cpu; choose "},
      {"--seed 1..4", "--seed 1..4: not a size"},
      {"--generator none", "--generator none: bloom_blastn_cpu has uniform"},
      {"--database d", "--database without --query: name both, or none"},
      {"--database d --query q --generator markov",
       "--database and --generator exclude each other; leave one out"},
      {"--database /no/such --query q", "/no/such"},
      {"word", "word: "}};
  model_refuses("bloom ", cases, sizeof cases / sizeof *cases);
}

static const struct check_test tests[] = {
    {"rates are the formulas'", test_rates},
    {"elements are those that are different", test_of_different_elements},
    {"lists are combined", test_lists_are_combined},
    {"the table", test_the_table},
    {"database and query of one's own", test_files},
    {"refusals", test_refusals},
    {0}};

const struct check_suite suite_model_bloom = {"vat model bloom", tests, NULL};
