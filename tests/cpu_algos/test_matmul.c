/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "cpu_algos/matmul.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/matrices.h"
#include "tests/cpu_algos/workspace.h"

struct copying {
  double *to;
  uint64_t cols;
};

static void copy_part(const struct cpu_matrix_part *part, void *state) {
  const struct copying *copying = state;
  for (uint64_t i = 0; i < part->rows; i++)
    memcpy(copying->to + (part->row + i) * copying->cols + part->col,
           part->at + i * part->cols, part->cols * sizeof(double));
}

/* The matrix row by row; the caller frees it. */
static double *as_rows(const struct shape *shape,
                       enum cpu_matrix_layout layout) {
  struct shape copy = shape_like(shape);
  struct cpu_matrix matrix = {shape->at, shape->rows, shape->cols, layout};
  struct copying copying = {copy.at, shape->cols};
  cpu_matrix_visit(&matrix, copy_part, &copying);
  return copy.at;
}

/* By the definition, and in whole numbers. */
static void expect_product(const double *a, const double *b, const double *c,
                           struct cpu_matmul_shape all) {
  unsigned wrong = 0;
  for (uint64_t i = 0; i < all.rows; i++)
    for (uint64_t j = 0; j < all.cols; j++) {
      int64_t sum = 0;
      for (uint64_t k = 0; k < all.inner; k++)
        sum += (int64_t)a[i * all.inner + k] * (int64_t)b[k * all.cols + j];
      wrong += c[i * all.cols + j] != (double)sum;
    }
  CU_ASSERT_EQUAL(wrong, 0);
  if (wrong)
    fprintf(stderr, "%llu x %llu x %llu: %u are wrong\n",
            (unsigned long long)all.rows, (unsigned long long)all.inner,
            (unsigned long long)all.cols, wrong);
}

typedef void multiplier(const double *, const double *, double *,
                        struct cpu_matmul_shape);

static void multiply(multiplier *run, enum cpu_matrix_layout layout,
                     struct cpu_matmul_shape all, uint64_t seed) {
  struct shape a = shape_of(all.rows, all.inner);
  struct shape b = shape_of(all.inner, all.cols);
  struct shape c = shape_of(all.rows, all.cols);
  struct cpu_matrix to = {c.at, c.rows, c.cols, layout};
  cpu_matrix_fill(&(struct cpu_matrix){a.at, a.rows, a.cols, layout}, seed, 20);
  cpu_matrix_fill(&(struct cpu_matrix){b.at, b.rows, b.cols, layout}, ~seed,
                  20);
  cpu_matrix_fill(&to, seed + 1, 20); /* what was there does not count */
  run(a.at, b.at, c.at, all);
  double *rows[3] = {as_rows(&a, layout), as_rows(&b, layout),
                     as_rows(&c, layout)};
  expect_product(rows[0], rows[1], rows[2], all);
  for (unsigned i = 0; i < 3; i++) free(rows[i]);
  shape_close(&a);
  shape_close(&b);
  shape_close(&c);
}

static void test_every_shape(void) {
  struct cpu_random random = {13};
  for (unsigned turn = 0; turn < 2 * SHAPES; turn++) {
    struct cpu_matmul_shape all = {length_of(&random, turn % 4),
                                   length_of(&random, turn / 4 % 4),
                                   length_of(&random, turn / 16 % 4)};
    multiply(cpu_matmul_by_rows, CPU_MATRIX_ROWS, all, turn);
    multiply(cpu_matmul_by_tiles, CPU_MATRIX_RECURSIVE, all, turn);
  }
}

/* Element (i, i) of a matrix is 1, the others are 0. */
static void make_one(const struct cpu_matrix_part *part, void *state) {
  (void)state;
  for (uint64_t i = 0; i < part->rows; i++)
    for (uint64_t j = 0; j < part->cols; j++)
      part->at[i * part->cols + j] = part->row + i == part->col + j;
}

static void expect_identity(multiplier *run, enum cpu_matrix_layout layout) {
  enum { N = 100 };
  static double a[N * N], one[N * N], c[N * N];
  const struct cpu_matmul_shape all = {N, N, N};
  cpu_matrix_fill(&(struct cpu_matrix){a, N, N, layout}, 5, 0);
  cpu_matrix_visit(&(struct cpu_matrix){one, N, N, layout}, make_one, NULL);
  run(a, one, c, all);
  CU_ASSERT_TRUE(!memcmp(a, c, sizeof a));
  run(one, a, c, all);
  CU_ASSERT_TRUE(!memcmp(a, c, sizeof a));
}

static void test_identity(void) {
  expect_identity(cpu_matmul_by_rows, CPU_MATRIX_ROWS);
  expect_identity(cpu_matmul_by_tiles, CPU_MATRIX_RECURSIVE);
}

/* A block adds to what is there and writes nothing after it. */
static void test_blocks(void) {
  for (uint64_t rows = 0; rows <= 32; rows += 1 + rows / 9)
    for (uint64_t inner = 0; inner <= 32; inner += 1 + inner / 4)
      for (uint64_t cols = 0; cols <= 32; cols++) {
        struct cpu_matmul_shape all = {rows, inner, cols};
        double a[1024], b[1024], c[1025], d[1025];
        for (unsigned i = 0; i < 1024; i++)
          a[i] = i % 37, b[i] = i % 41, c[i] = d[i] = -(double)i;
        c[rows * cols] = 77;
        cpu_matmul_block(a, b, c, all);
        CU_ASSERT_EQUAL(c[rows * cols], 77);
        for (uint64_t i = 0; i < rows * cols; i++) c[i] -= d[i];
        expect_product(a, b, c, all);
      }
}

/* At every n the largest sum still is a whole number that a double holds. */
static void test_numbers_are_exact(void) {
  static const uint64_t sizes[] = {1, 2, 3, 4, 5, 31, 32, 33, 100, 300};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const struct algo *algo = cpu_algo_find("matmul_rows");
    struct algo_run run = workspace_open(algo, sizes[s], 3);
    algo->setup(&run);
    struct cpu_matrix a = cpu_matrix_of(&run, 0, CPU_MATRIX_ROWS);
    double most = 0;
    for (uint64_t i = 0; i < 2 * run.n * run.n; i++)
      most = fmax(most, fabs(a.at[i]));
    CU_ASSERT_TRUE(most * most * (double)run.n <= 0x1p53);
    CU_ASSERT_TRUE(most > (run.n > 2 ? 0x1p20 : 0));
    workspace_close(&run);
  }
}

/* Errors that cancel in plain sums, and what is no whole number. */
static void test_wrong_products_are_found_out(void) {
  const struct algo *algo = cpu_algo_find("matmul_recursive");
  struct algo_run run = workspace_open(algo, 70, 3);
  algo->setup(&run);
  algo->run(&run);
  double *c = cpu_matrix_of(&run, 2, CPU_MATRIX_RECURSIVE).at;
  static const double wrong[] = {0.0,     -0.0, 0.5,      0x1p53,
                                 0x1p300, NAN,  INFINITY, -INFINITY};
  CU_ASSERT_PTR_NULL(algo->check(&run));
  for (unsigned i = 0; i + 71 < 4900; i += 13) {
    double kept = c[i], next = c[i + 71];
    c[i] += 1, c[i + 71] -= 1;
    CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    c[i + 71] = next;
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
      c[i] = wrong[w];
      CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
    }
    c[i] = kept;
  }
  CU_ASSERT_PTR_NULL(algo->check(&run));
  cpu_matrix_of(&run, 1, CPU_MATRIX_RECURSIVE).at[5] += 1;
  CU_ASSERT_PTR_NOT_NULL(algo->check(&run));
  workspace_close(&run);
}

static const struct check_test tests[] = {
    {"products of every shape are right", test_every_shape},
    {"times one changes nothing", test_identity},
    {"a block adds, and keeps to its elements", test_blocks},
    {"every sum is exact", test_numbers_are_exact},
    {"wrong products are found out", test_wrong_products_are_found_out},
    {NULL, NULL},
};
extern const struct check_suite suite_matmul;
const struct check_suite suite_matmul = {"matmul", tests, NULL};
