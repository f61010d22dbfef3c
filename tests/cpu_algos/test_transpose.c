/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cpu_algos/matrix.h"
#include "cpu_algos/random.h"
#include "cpu_algos/transpose.h"
#include "tests/cpu_algos/matrices.h"

typedef void transposer(const double *, double *, uint64_t, uint64_t);

static const struct {
  transposer *run;
  enum cpu_matrix_layout layout;
} ways[] = {{cpu_transpose_by_rows, CPU_MATRIX_ROWS},
            {cpu_transpose_by_halves, CPU_MATRIX_ROWS},
            {cpu_transpose_by_tiles, CPU_MATRIX_RECURSIVE}};
enum { WAYS = sizeof ways / sizeof *ways };

struct element_wanted {
  uint64_t cols; /* of the input */
};

/* Element (j, i) of the transpose is number i * cols + j. */
static void expect_numbers(const struct cpu_matrix_part *part, void *state) {
  const struct element_wanted *wanted = state;
  for (uint64_t i = 0; i < part->rows; i++)
    for (uint64_t j = 0; j < part->cols; j++)
      CU_ASSERT_EQUAL(part->at[i * part->cols + j],
                      (double)((part->col + j) * wanted->cols + part->row + i));
}

static void number_elements(const struct cpu_matrix_part *part, void *state) {
  const struct element_wanted *wanted = state;
  for (uint64_t i = 0; i < part->rows; i++)
    for (uint64_t j = 0; j < part->cols; j++)
      part->at[i * part->cols + j] =
          (double)((part->row + i) * wanted->cols + part->col + j);
}

static void test_every_way(void) {
  struct cpu_random random = {11};
  for (unsigned turn = 0; turn < SHAPES * WAYS; turn++) {
    const enum cpu_matrix_layout layout = ways[turn % WAYS].layout;
    struct shape a = shape_open(&random, turn / WAYS);
    struct shape b = shape_of(a.cols, a.rows), c = shape_like(&a);
    struct cpu_matrix from = {a.at, a.rows, a.cols, layout};
    struct cpu_matrix to = {b.at, b.rows, b.cols, layout};
    struct element_wanted wanted = {a.cols};
    cpu_matrix_visit(&from, number_elements, &wanted);
    ways[turn % WAYS].run(a.at, b.at, a.rows, a.cols);
    cpu_matrix_visit(&to, expect_numbers, &wanted);
    ways[turn % WAYS].run(b.at, c.at, b.rows, b.cols);
    CU_ASSERT_TRUE(!memcmp(a.at, c.at, a.rows * a.cols * sizeof *a.at));
    shape_close(&a);
    shape_close(&b);
    shape_close(&c);
  }
}

/* A block writes its own elements and nothing between its rows. */
static void test_blocks(void) {
  enum { FROM = 40, TO = 37 };
  static double from[FROM * FROM], to[TO * FROM];
  for (unsigned i = 0; i < FROM * FROM; i++) from[i] = i + 1;
  for (uint64_t rows = 0; rows <= 33; rows++)
    for (uint64_t cols = 0; cols <= 33; cols++) {
      memset(to, 0, sizeof to);
      cpu_transpose_block(from, FROM, to, TO, rows, cols);
      unsigned wrong = 0;
      for (uint64_t j = 0; j < FROM; j++)
        for (uint64_t i = 0; i < TO; i++)
          wrong +=
              to[j * TO + i] != (i < rows && j < cols ? from[i * FROM + j] : 0);
      CU_ASSERT_EQUAL(wrong, 0);
    }
}

static const struct check_test tests[] = {
    {"every way transposes every shape, and back", test_every_way},
    {"a block keeps to its elements", test_blocks},
    {NULL, NULL},
};
extern const struct check_suite suite_transpose;
const struct check_suite suite_transpose = {"transpose", tests, NULL};
