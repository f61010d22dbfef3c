/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of given matrices near the ends of what a double can be: right ones
 * are not called wrong, and wrong ones are found out. */
#include <float.h>
#include <math.h>

#include "cpu_algos/random.h"
#include "tests/cpu_algos/workspace.h"

static const char *const names[] = {"matmul_rows", "matmul_recursive", NULL};

/* A product that was set up, run and found right; NULL: refused. */
static double *product_of(const char *name, const struct algo_data *a,
                          struct algo_run *run) {
  const struct algo *algo = cpu_algo_find(name);
  CU_ASSERT_PTR_NULL_FATAL(algo->refuse(a));
  *run =
      workspace_of(cpu_algo_bytes(algo, cpu_given_n(a), a), cpu_given_n(a), 1);
  run->given = a;
  algo->setup(run);
  algo->run(run);
  CU_ASSERT_PTR_NULL(algo->check(run));
  CU_ASSERT_TRUE(workspace_guarded(run));
  return (double *)(void *)run->memory + a->count + a->next->count;
}

/* A number times a row of `cols` like ones: is it right, and is `wrong` in its
 * first place found out? */
static void expect(double left, double right, uint64_t cols, double wrong) {
  double row[64];
  for (uint64_t j = 0; j < cols; j++) row[j] = right;
  struct algo_data b = {cols, 1, cols, row, NULL}, a = {1, 1, 1, &left, &b};
  for (size_t i = 0; names[i]; i++) {
    struct algo_run run;
    double *c = product_of(names[i], &a, &run);
    CU_ASSERT_EQUAL(c[cols - 1], left * right);
    c[0] = wrong;
    CU_ASSERT_PTR_NOT_NULL(cpu_algo_find(names[i])->check(&run));
    workspace_close(&run);
  }
}

static void test_by_hand(void) {
  expect(1e150, 5e-324, 1, 0);
  expect(1e100, 3e-320, 1, 2e-220);
  expect(5e-324, 1e150, 1, 0);
  expect(0, 1e308, 60, 1e-300);
  expect(0, DBL_MAX, 2, 1);
  expect(1e-300, 1e308, 60, 1e8 * (1 + 1e-9));
  expect(1e-300, 1e308, 60, INFINITY);
  expect(1e-300, 1e308, 60, NAN);
  expect(1e-200, 1e-200, 3, 1e-300);
  expect(DBL_TRUE_MIN, DBL_TRUE_MIN, 64, DBL_MAX);
  expect(DBL_TRUE_MIN, 1, 64, DBL_MIN);
}

enum { MOST = 40 };
struct exact {
  uint64_t rows, inner, cols;
  int64_t left[MOST * MOST], right[MOST * MOST];
  int up[MOST], across[MOST]; /* powers of two, per row of a and of b */
  double a[MOST * MOST], b[MOST * MOST];
};

/*
 * a[i][k] = left[i][k] 2^(up[i] - across[k]) and b[k][j] =
 * right[k][j] 2^(across[k] - 1074): whatever the powers, element (i, j) of the
 * product is a sum of whole numbers times 2^(up[i] - 1074), which is exact.
 */
static void make(struct exact *e, struct cpu_random *random) {
  e->rows = 1 + cpu_random_below(random, MOST);
  e->inner = 1 + cpu_random_below(random, MOST);
  e->cols = 1 + cpu_random_below(random, MOST);
  uint64_t ups = 1 + cpu_random_below(random, 1000);
  uint64_t acrosses = 1 + cpu_random_below(random, 900);
  uint64_t sizes = UINT64_C(1) << (1 + cpu_random_below(random, 20));
  for (uint64_t i = 0; i < e->rows; i++)
    e->up[i] = (int)cpu_random_below(random, ups);
  for (uint64_t k = 0; k < e->inner; k++)
    e->across[k] = (int)cpu_random_below(random, acrosses);
  for (uint64_t i = 0; i < e->rows; i++)
    for (uint64_t k = 0; k < e->inner; k++) {
      int64_t *left = &e->left[i * e->inner + k];
      *left = (int64_t)(cpu_random_below(random, sizes) - sizes / 2);
      if (i % 8 == 7) *left = 0;
      e->a[i * e->inner + k] = ldexp((double)*left, e->up[i] - e->across[k]);
    }
  for (uint64_t k = 0; k < e->inner; k++)
    for (uint64_t j = 0; j < e->cols; j++) {
      int64_t *right = &e->right[k * e->cols + j];
      *right = (int64_t)(cpu_random_below(random, sizes) - sizes / 2);
      e->b[k * e->cols + j] = ldexp((double)*right, e->across[k] - 1074);
    }
}

static int64_t whole(const struct exact *e, uint64_t i, uint64_t j) {
  int64_t sum = 0;
  for (uint64_t k = 0; k < e->inner; k++)
    sum += e->left[i * e->inner + k] * e->right[k * e->cols + j];
  return sum;
}

/* All of c[i][j], row by row, as it is, and that the row's largest number
 * doubled is found out. */
static void expect_exact(const struct exact *e, struct algo_run *run,
                         double *c) {
  const struct algo *algo = cpu_algo_find("matmul_rows");
  bool same = true, found = true;
  for (uint64_t i = 0; i < e->rows; i++) {
    uint64_t largest = 0;
    for (uint64_t j = 0; j < e->cols; j++) {
      same &=
          c[i * e->cols + j] == ldexp((double)whole(e, i, j), e->up[i] - 1074);
      if (llabs(whole(e, i, j)) > llabs(whole(e, i, largest))) largest = j;
    }
    double *element = &c[i * e->cols + largest];
    if (llabs(whole(e, i, largest)) < 100000) continue; /* of what is lost */
    *element *= 2;
    found &= algo->check(run) != NULL;
    *element /= 2;
  }
  CU_ASSERT_TRUE(same);
  CU_ASSERT_TRUE(found);
}

static void test_random(void) {
  static struct exact e;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    struct cpu_random random = {seed};
    make(&e, &random);
    struct algo_data b = {e.inner * e.cols, e.inner, e.cols, e.b, NULL},
                     a = {e.rows * e.inner, e.rows, e.inner, e.a, &b};
    for (size_t i = 0; names[i]; i++) {
      struct algo_run run;
      unsigned before = CU_get_number_of_failures();
      double *c = product_of(names[i], &a, &run);
      if (!i) expect_exact(&e, &run, c);
      if (CU_get_number_of_failures() > before)
        fprintf(stderr, "%s, seed %llu\n", names[i], (unsigned long long)seed);
      workspace_close(&run);
    }
  }
}

static const struct check_test tests[] = {
    {"products by hand, subnormal and near the end", test_by_hand},
    {"random ones of any powers of two, exactly", test_random},
    {NULL, NULL},
};
extern const struct check_suite suite_extremes;
const struct check_suite suite_extremes = {"extremes", tests, NULL};
