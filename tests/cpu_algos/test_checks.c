/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What wrong programs would leave, and checks that find them out: those that
 * access the same numbers in another order. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"
#include "cpu_algos/shuffle.h"
#include "tests/cpu_algos/workspace.h"

/* As random_scan adds them up, in the order of `place`. */
static uint64_t signed_sum(const struct algo_run *run,
                           uint64_t (*place)(const struct algo_run *run,
                                             uint64_t i)) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < run->n; i++)
    sum = cpu_keys(run)[place(run, i)] - sum;
  return sum;
}

static uint64_t permuted(const struct algo_run *run, uint64_t i) {
  return cpu_keys(run)[run->n + i];
}

static uint64_t from_left(const struct algo_run *run, uint64_t i) {
  (void)run;
  return i;
}

static uint64_t from_right(const struct algo_run *run, uint64_t i) {
  return run->n - 1 - i;
}

static uint64_t permuted_from_right(const struct algo_run *run, uint64_t i) {
  return permuted(run, run->n - 1 - i);
}

static uint64_t one_off(const struct algo_run *run, uint64_t i) {
  return permuted(run, (i + 1) % run->n);
}

static void test_other_orders_are_no_random_scan(void) {
  const struct algo *algo = cpu_algo_find("random_scan");
  for (uint64_t n = 40; n < 3000; n = n * 3 / 2 + n % 2)
    for (uint64_t seed = 0; seed < 5; seed++) {
      struct algo_run run = workspace_open(algo, n, seed);
      algo->setup(&run);
      run.result = signed_sum(&run, permuted);
      CU_ASSERT_PTR_NULL(algo->check(&run));
      run.result = signed_sum(&run, from_left);
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      run.result = signed_sum(&run, from_right);
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      run.result = signed_sum(&run, permuted_from_right);
      CU_ASSERT_EQUAL(algo->check(&run) == NULL, n % 2); /* same signs */
      run.result = signed_sum(&run, one_off);
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      workspace_close(&run);
    }
}

/* What was the check once: the sum whatever the order. */
static void test_a_plain_sum_is_no_random_scan(void) {
  const struct algo *algo = cpu_algo_find("random_scan");
  struct algo_run run = workspace_open(algo, 1000, 1);
  algo->setup(&run);
  run.result = 0;
  for (uint64_t i = 0; i < run.n; i++) run.result += cpu_keys(&run)[i];
  CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
  workspace_close(&run);
}

/* Keys from outside are searched each, in random order: whoever searches them
 * from the smallest to the largest finds the same positions. */
static void test_searches_in_order_are_found_out(void) {
  static const char *const names[] = {"binary_search", "binary_search_plain",
                                      "veb_search"};
  enum { N = 1000 };
  uint64_t keys[N], sum = 0;
  const struct algo_data given = {.count = N, .items = keys};
  cpu_keys_fill(keys, N, 3);
  for (uint64_t i = 0; i < N; i++) sum = i - sum;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const struct algo *algo = cpu_algo_find(names[i]);
    struct algo_run run = workspace_of(algo->bytes_given(&given), N, 7);
    run.given = &given;
    algo->setup(&run);
    run.result = sum;
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    algo->run(&run);
    CU_ASSERT_PTR_NULL(algo->check(&run));
    workspace_close(&run);
  }
}

static const struct check_test tests[] = {
    {"other orders are no random scan", test_other_orders_are_no_random_scan},
    {"a plain sum is no random scan", test_a_plain_sum_is_no_random_scan},
    {"searches in order are found out", test_searches_in_order_are_found_out},
    {NULL, NULL},
};
extern const struct check_suite suite_checks;
const struct check_suite suite_checks = {"checks", tests, NULL};
