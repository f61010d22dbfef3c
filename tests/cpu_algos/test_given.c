/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data from outside, and inputs of other generators. */
#include <math.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/queries.h"
#include "cpu_algos/quick.h"
#include "cpu_algos/random.h"
#include "cpu_algos/shuffle.h"
#include "tests/cpu_algos/patterns.h"
#include "tests/cpu_algos/workspace.h"

enum { MOST = 600 };

#define FOR_EACH_ALGO(algo, kind)                      \
  for (size_t index_ = 0; cpu_algos[index_]; index_++) \
    for (const struct algo *algo = cpu_algos[index_];  \
         algo && algo->data && !strcmp(algo->data, kind); algo = NULL)

/* Set up, run twice, check, and look at the memory around. */
static struct algo_run run_on(const struct algo *algo,
                              const struct algo_data *given, uint64_t seed) {
  size_t bytes = cpu_algo_bytes(algo, cpu_given_n(given), given);
  CU_ASSERT_FATAL(bytes > 0 && bytes % 8 == 0);
  struct algo_run run = workspace_of(bytes, cpu_given_n(given), seed);
  run.given = given;
  algo->setup(&run);
  for (int rep = 0; rep < 2; rep++) {
    if (rep && algo->restore) algo->restore(&run);
    algo->run(&run);
    const char *wrong = algo->check(&run);
    CU_ASSERT_PTR_NULL(wrong);
    if (wrong)
      fprintf(stderr, "%s n=%llu seed=%llu: %s\n", algo->name,
              (unsigned long long)run.n, (unsigned long long)seed, wrong);
  }
  CU_ASSERT_TRUE(workspace_guarded(&run));
  return run;
}

static bool is_multiset(const uint64_t *sorted, const struct algo_data *found) {
  uint64_t *copy = sorted_copy(found->items, found->count);
  bool same = same_keys(sorted, copy, found->count);
  free(copy);
  return same;
}

/* How many keys are less than each of them, with alternating signs in the order
 * of the queries, by definition. */
static uint64_t sum_of_first_positions(const uint64_t *sorted, uint64_t n,
                                       uint64_t seed) {
  uint64_t sum = 0, *wanted = sorted_copy(sorted, n);
  cpu_shuffle(wanted, n, cpu_keys_seed(seed, 1));
  for (uint64_t i = 0; i < n; i++) {
    uint64_t less = 0;
    for (uint64_t j = 0; j < n; j++) less += sorted[j] < wanted[i];
    sum = less - sum;
  }
  free(wanted);
  return sum;
}

/* The keys, likewise, in the order of the permutation. */
static uint64_t sum_of_permuted(const uint64_t *keys, uint64_t n,
                                uint64_t seed) {
  uint64_t sum = 0, order[MOST];
  for (uint64_t i = 0; i < n; i++) order[i] = i;
  cpu_shuffle(order, n, cpu_keys_seed(seed, 1));
  for (uint64_t i = 0; i < n; i++) sum = keys[order[i]] - sum;
  return sum;
}

/* Those whose answers are known here; others are as their checks say. */
static bool is_known(const struct algo *algo) {
  return !strcmp(algo->data, "keys") || strstr(algo->name, "transpose_") ||
         strstr(algo->name, "matmul_");
}

static void expect_answer(const struct algo *algo, struct algo_run *run,
                          const uint64_t *keys) {
  uint64_t n = run->n, sum = 0;
  struct algo_data answer = {0};
  uint64_t *sorted = sorted_copy(keys, n);
  bool search = strstr(algo->name, "search") || strstr(algo->name, "prefetch");
  bool sorts = strstr(algo->name, "sort") ||
               strstr(algo->name, "binary_search") ||
               !strcmp(algo->name, "bplus_search");
  for (uint64_t i = 0; i < n; i++) sum += keys[i];
  if (!strcmp(algo->name, "random_scan"))
    sum = sum_of_permuted(keys, n, run->seed);
  if (!algo->answer) CU_ASSERT_EQUAL(run->result, sum);
  if (search)
    CU_ASSERT_EQUAL(run->result, sum_of_first_positions(sorted, n, run->seed));
  if (algo->answer) {
    algo->answer(run, &answer);
    CU_ASSERT_EQUAL(answer.count, n);
    CU_ASSERT_TRUE(is_multiset(sorted, &answer));
    CU_ASSERT_TRUE(workspace_guarded(run));
    if (sorts) CU_ASSERT_TRUE(same_keys(sorted, answer.items, n));
  }
  free(sorted);
}

static void test_keys(void) {
  uint64_t keys[MOST];
  FOR_EACH_ALGO(algo, "keys")
  for (size_t p = 0; patterns[p].name; p++)
    for (uint64_t n = 0; n <= MOST; n += n < 70 ? 1 : 53) {
      struct algo_data given = {.count = n, .items = keys};
      for (uint64_t i = 0; i < n; i++) keys[i] = patterns[p].key(i, n);
      struct algo_run run = run_on(algo, &given, n);
      if (is_known(algo)) expect_answer(algo, &run, keys);
      workspace_close(&run);
    }
}

/* The layouts' own order: 1 2 3 4 5 as Eytzinger has it, level by level. */
static void test_layouts(void) {
  static const uint64_t keys[] = {5, 3, 1, 4, 2}, wanted[] = {4, 2, 5, 1, 3};
  const struct algo_data given = {.count = 5, .items = keys};
  const struct algo *algo = cpu_algo_find("eytzinger_search");
  struct algo_run run = run_on(algo, &given, 1);
  struct algo_data answer;
  algo->answer(&run, &answer);
  CU_ASSERT_TRUE(same_keys(answer.items, wanted, 5));
  workspace_close(&run);
  /* van Emde Boas: a node is 7 keys, level by level; its root is the middle of
   * 7 places, of which the last two are empty. */
  static const uint64_t nodes[] = {4, 2, 1, 3, 5};
  algo = cpu_algo_find("veb_search");
  run = run_on(algo, &given, 1);
  algo->answer(&run, &answer);
  CU_ASSERT_TRUE(same_keys(answer.items, nodes, 5));
  workspace_close(&run);
}

/* Each key is sought once, in random order. */
static void test_queries(void) {
  uint64_t keys[100];
  for (uint64_t i = 0; i < 100; i++) keys[i] = patterns[5].key(i, 100);
  const struct algo_data given = {.count = 100, .items = keys};
  uint64_t *sorted = sorted_copy(keys, 100);
  struct algo_run run = run_on(cpu_algo_find("binary_search"), &given, 1);
  const struct algo_data drawn = {.count = 100,
                                  .items = cpu_queries_drawn(&run)};
  CU_ASSERT_TRUE(is_multiset(sorted, &drawn));
  CU_ASSERT_FALSE(cpu_keys_ascend(drawn.items, 100));
  free(sorted);
  workspace_close(&run);
}

static void test_wrong_searches(void) {
  uint64_t keys[100];
  for (uint64_t i = 0; i < 100; i++) keys[i] = patterns[0].key(i, 100);
  const struct algo_data given = {.count = 100, .items = keys};
  FOR_EACH_ALGO(algo, "keys") {
    struct algo_run run = run_on(algo, &given, 1);
    algo->setup(&run);
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    workspace_close(&run);
  }
}

static void test_generators(void) {
  FOR_EACH_ALGO(algo, "keys")
  for (size_t g = 0; algo->generators && algo->generators[g]; g++)
    for (uint64_t n = 0; n < 300; n += n < 20 ? 1 : 31) {
      struct algo_run run = workspace_open(algo, n, n);
      run.generator = algo->generators[g];
      algo->setup(&run);
      for (int rep = 0; rep < 2; rep++) {
        if (rep && algo->restore) algo->restore(&run);
        algo->run(&run);
        CU_ASSERT_PTR_NULL(algo->check(&run));
      }
      CU_ASSERT_TRUE(workspace_guarded(&run));
      workspace_close(&run);
    }
}

static uint64_t distinct(const uint64_t *sorted, uint64_t n) {
  uint64_t count = n > 0;
  for (uint64_t i = 1; i < n; i++) count += sorted[i] != sorted[i - 1];
  return count;
}

static void make(const char *generator, uint64_t seed, uint64_t keys[1000]) {
  const struct algo_run run = {.n = 1000, .seed = seed, .generator = generator};
  cpu_keys_input(&run, keys);
}

static void test_what_generators_make(void) {
  uint64_t keys[1000], other[1000];
  make("sorted", 7, keys);
  CU_ASSERT_TRUE(cpu_keys_ascend(keys, 1000));
  CU_ASSERT_EQUAL(distinct(keys, 1000), 1000);
  CU_ASSERT_TRUE(keys[999] - keys[0] > UINT64_MAX / 2);
  make("reversed", 7, other);
  for (int i = 0; i < 1000; i++) CU_ASSERT_EQUAL(keys[i], other[999 - i]);
  make("equal", 7, keys);
  CU_ASSERT_EQUAL(distinct(keys, 1000), 1);
  make("few", 7, keys);
  uint64_t *sorted = sorted_copy(keys, 1000);
  CU_ASSERT_EQUAL(distinct(sorted, 1000), 16);
  free(sorted);
  make("random", 7, keys);
  make(NULL, 7, other);
  CU_ASSERT_TRUE(same_keys(keys, other, 1000));
  CU_ASSERT_EQUAL(keys[5], cpu_random_at(7, 5));
  for (size_t g = 0; cpu_keys_generators[g]; g++) {
    make(cpu_keys_generators[g], 7, keys);
    make(cpu_keys_generators[g], 8, other);
    CU_ASSERT_FALSE(same_keys(keys, other, 1000));
  }
}

static uint64_t partitioned(const char *generator) {
  uint64_t keys[1000];
  make(generator, 7, keys);
  return cpu_quick_sort(keys, 1000).partitioned;
}

static void test_killer(void) {
  uint64_t keys[1000];
  make("killer", 7, keys);
  uint64_t *sorted = sorted_copy(keys, 1000);
  CU_ASSERT_EQUAL(distinct(sorted, 1000), 1000);
  free(sorted);
  CU_ASSERT_TRUE(partitioned("killer") > 2 * partitioned("random"));
}

static double elements[2][MOST * 8];

static struct algo_data matrix_of(unsigned index, uint64_t rows, uint64_t cols,
                                  bool whole) {
  struct cpu_random random = {index + rows * 1000 + cols};
  for (uint64_t i = 0; i < rows * cols; i++) {
    double number = (double)(cpu_random_next(&random) >> 11) * 0x1p-53 - 0.5;
    elements[index][i] = whole ? rint(number * 40) : number;
  }
  return (struct algo_data){rows * cols, rows, cols, elements[index], NULL};
}

static void expect_transpose(const struct algo_data *given,
                             const struct algo_data *answer) {
  const double *from = given->items, *to = answer->items;
  CU_ASSERT_EQUAL(answer->rows, given->cols);
  CU_ASSERT_EQUAL(answer->cols, given->rows);
  bool same = true;
  for (uint64_t i = 0; i < given->rows; i++)
    for (uint64_t j = 0; j < given->cols; j++)
      same &= !memcmp(&from[i * given->cols + j], &to[j * given->rows + i],
                      sizeof *from);
  CU_ASSERT_TRUE(same);
}

/* By definition, in double the precision. */
static void expect_product(const struct algo_data *a, const struct algo_data *b,
                           const struct algo_data *answer, bool whole) {
  const double *left = a->items, *right = b->items, *c = answer->items;
  CU_ASSERT_EQUAL(answer->rows, a->rows);
  CU_ASSERT_EQUAL(answer->cols, b->cols);
  double worst = 0;
  for (uint64_t i = 0; i < a->rows; i++)
    for (uint64_t j = 0; j < b->cols; j++) {
      long double sum = 0;
      for (uint64_t k = 0; k < a->cols; k++)
        sum += (long double)left[i * a->cols + k] * right[k * b->cols + j];
      worst = fmax(worst, fabs((double)(sum - c[i * b->cols + j])));
    }
  CU_ASSERT_TRUE(whole ? worst == 0 : worst < 1e-13);
}

/* Rows, inner dimension and columns. */
static const uint64_t shapes[][3] = {
    {0, 0, 0},    {0, 3, 2},   {3, 0, 2},   {2, 3, 0},   {1, 1, 1},
    {1, 5, 1},    {5, 1, 5},   {2, 3, 4},   {33, 1, 2},  {1, 33, 1},
    {31, 32, 33}, {40, 3, 70}, {65, 64, 9}, {60, 1, 60}, {8, 70, 8}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void test_matrices(void) {
  FOR_EACH_ALGO(algo, "matrix")
  for (size_t s = 0; is_known(algo) && s < 2 * (size_t)SHAPES; s++) {
    const uint64_t *shape = shapes[s / 2];
    struct algo_data answer = {0}, a = matrix_of(0, shape[0], shape[1], s % 2),
                     b = matrix_of(1, shape[1], shape[2], s % 2);
    bool product = strstr(algo->name, "matmul");
    if (product) a.next = &b;
    CU_ASSERT_PTR_NULL(algo->refuse(&a));
    struct algo_run run = run_on(algo, &a, s);
    CU_ASSERT_TRUE(cpu_algo_ops(algo, run.n, &a) >= 1);
    algo->answer(&run, &answer);
    CU_ASSERT_TRUE(workspace_guarded(&run));
    if (product)
      expect_product(&a, &b, &answer, s % 2);
    else
      expect_transpose(&a, &answer);
    workspace_close(&run);
  }
}

static void test_square(void) {
  FOR_EACH_ALGO(algo, "matrix") {
    if (!is_known(algo)) continue;
    struct algo_data answer = {0}, a = matrix_of(0, 37, 37, true);
    struct algo_run run = run_on(algo, &a, 3);
    CU_ASSERT_EQUAL(run.n, 37);
    CU_ASSERT_EQUAL(cpu_algo_ops(algo, 37, &a), algo->ram_ops(37));
    algo->answer(&run, &answer);
    if (strstr(algo->name, "matmul")) expect_product(&a, &a, &answer, true);
    workspace_close(&run);
  }
}

static void test_refused(void) {
  struct algo_data a = matrix_of(0, 3, 4, true), b = matrix_of(1, 3, 4, true);
  FOR_EACH_ALGO(algo, "matrix") {
    if (!is_known(algo)) continue;
    a.next = &b; /* too many, or of the wrong shape */
    CU_ASSERT_PTR_NOT_NULL(algo->refuse(&a));
    a.next = NULL;
    CU_ASSERT_EQUAL(!algo->refuse(&a), !strstr(algo->name, "matmul"));
  }
  a = matrix_of(0, 3, 3, true);
  elements[0][4] = 1e160; /* whose square overflows */
  CU_ASSERT_PTR_NOT_NULL(cpu_algo_find("matmul_rows")->refuse(&a));
  elements[0][4] = -1e150;
  CU_ASSERT_PTR_NULL(cpu_algo_find("matmul_rows")->refuse(&a));
}

/* An error of 10^-9 in an element of size 1, a number that is none. */
static void test_broken_products(void) {
  FOR_EACH_ALGO(algo, "matrix") {
    if (!strstr(algo->name, "matmul")) continue;
    struct algo_data a = matrix_of(0, 9, 40, false),
                     b = matrix_of(1, 40, 50, false);
    a.next = &b;
    struct algo_run run = run_on(algo, &a, 1);
    double *c = (double *)(void *)run.memory + a.count + b.count;
    for (uint64_t i = 0; i < 9 * 50; i++) {
      double right = c[i];
      c[i] += 1e-9;
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      c[i] = NAN;
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
      c[i] = right;
    }
    CU_ASSERT_PTR_NULL(algo->check(&run));
    ((double *)(void *)run.memory)[7] += 1; /* the input */
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    workspace_close(&run);
  }
}

/* What does not fit the address space is said, not mapped. */
static void test_overflow(void) {
  FOR_EACH_ALGO(algo, "matrix") {
    if (!is_known(algo)) continue;
    struct algo_data b = {.count = UINT64_C(1) << 40,
                          .rows = 1,
                          .cols = UINT64_C(1) << 40},
                     a = {.count = UINT64_C(1) << 40,
                          .rows = UINT64_C(1) << 40,
                          .cols = 1,
                          .next = &b};
    if (strstr(algo->name, "matmul")) CU_ASSERT_EQUAL(algo->bytes_given(&a), 0);
  }
  FOR_EACH_ALGO(algo, "keys") {
    struct algo_data given = {.count = UINT64_C(1) << 61};
    CU_ASSERT_EQUAL(cpu_algo_bytes(algo, given.count, &given), 0);
  }
}

static const struct check_test tests[] = {
    {"keys from outside are worked on, whichever they are", test_keys},
    {"layouts answer in their own order", test_layouts},
    {"queries are the keys, shuffled", test_queries},
    {"doing nothing to them is found out", test_wrong_searches},
    {"every generator's input is worked on", test_generators},
    {"generators make what their names say", test_what_generators_make},
    {"the killer makes medians of three bad pivots", test_killer},
    {"matrices of any shape are transposed and multiplied", test_matrices},
    {"one matrix is squared", test_square},
    {"matrices that cannot be had are refused", test_refused},
    {"a broken product is found out", test_broken_products},
    {"an overflow of memory is told", test_overflow},
    {NULL, NULL},
};
extern const struct check_suite suite_given;
const struct check_suite suite_given = {"given", tests, NULL};
