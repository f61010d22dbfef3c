/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/matrix.h"
#include "cpu_algos/random.h"
#include "tests/cpu_algos/matrices.h"

/* Where element (i, j) of the recursive layout lies, from its definition. */
static uint64_t place(uint64_t rows, uint64_t cols, uint64_t i, uint64_t j) {
  uint64_t top = cpu_matrix_half(rows, CPU_MATRIX_TILE);
  uint64_t left = cpu_matrix_half(cols, CPU_MATRIX_TILE);
  if (top == rows && left == cols) return i * cols + j;
  if (i < top && j < left) return place(top, left, i, j);
  if (i < top) return top * left + place(top, cols - left, i, j - left);
  uint64_t above = top * cols, bottom = rows - top;
  if (j < left) return above + place(bottom, left, i - top, j);
  return above + bottom * left + place(bottom, cols - left, i - top, j - left);
}

static void test_halves(void) {
  for (uint64_t tile = 8; tile <= 32; tile *= 2)
    for (uint64_t length = 0; length < 1000; length++) {
      uint64_t half = cpu_matrix_half(length, tile);
      if (length <= tile) {
        CU_ASSERT_EQUAL(half, length);
        continue;
      }
      CU_ASSERT_TRUE(half < length && half % tile == 0);
      CU_ASSERT_TRUE(half >= length - half);
      CU_ASSERT_TRUE(half - (length - half) < 2 * tile);
    }
  CU_ASSERT_EQUAL(cpu_matrix_half(8192, 32), 4096);
  CU_ASSERT_TRUE(cpu_matrix_half(UINT64_MAX, 32) > UINT64_MAX / 2);
}

/* A tile of its own in each corner: 40 = 32 + 8, 33 = 32 + 1. */
static void test_layout_by_hand(void) {
  CU_ASSERT_EQUAL(place(40, 33, 0, 31), 31);
  CU_ASSERT_EQUAL(place(40, 33, 1, 0), 32);
  CU_ASSERT_EQUAL(place(40, 33, 0, 32), 1024);
  CU_ASSERT_EQUAL(place(40, 33, 31, 32), 1055);
  CU_ASSERT_EQUAL(place(40, 33, 32, 0), 1056);
  CU_ASSERT_EQUAL(place(40, 33, 33, 0), 1088);
  CU_ASSERT_EQUAL(place(40, 33, 39, 32), 40 * 33 - 1);
}

/* Number the elements as visited; each has to be where the definition says,
 * and each place has to be taken once. */
static void number_part(const struct cpu_matrix_part *part, void *state) {
  const struct shape *shape = state;
  CU_ASSERT_TRUE(part->rows <= CPU_MATRIX_TILE &&
                 part->cols <= CPU_MATRIX_TILE);
  for (uint64_t i = 0; i < part->rows; i++)
    for (uint64_t j = 0; j < part->cols; j++) {
      double *at = part->at + i * part->cols + j;
      uint64_t row = part->row + i, col = part->col + j;
      CU_ASSERT_TRUE(place(shape->rows, shape->cols, row, col) ==
                     (uint64_t)(at - shape->at));
      CU_ASSERT_EQUAL(*at, 0);
      *at = 1;
    }
}

static void test_layout_is_a_bijection(void) {
  struct cpu_random random = {7};
  for (unsigned turn = 0; turn < SHAPES; turn++) {
    struct shape shape = shape_open(&random, turn);
    const struct cpu_matrix matrix = {shape.at, shape.rows, shape.cols,
                                      CPU_MATRIX_RECURSIVE};
    cpu_matrix_clear(&matrix);
    cpu_matrix_visit(&matrix, number_part, &shape);
    for (uint64_t i = 0; i < shape.rows * shape.cols; i++)
      CU_ASSERT_EQUAL(shape.at[i], 1);
    shape_close(&shape);
  }
}

/* The same elements, whichever the layout, and so the same print. */
static void test_layouts_hold_the_same(void) {
  struct cpu_random random = {8};
  for (unsigned turn = 0; turn < SHAPES; turn++) {
    struct shape a = shape_open(&random, turn);
    struct shape b = shape_like(&a);
    struct cpu_matrix by_rows = {a.at, a.rows, a.cols, CPU_MATRIX_ROWS};
    struct cpu_matrix recursive = {b.at, b.rows, b.cols, CPU_MATRIX_RECURSIVE};
    cpu_matrix_fill(&by_rows, turn, 0);
    cpu_matrix_fill(&recursive, turn, 0);
    for (uint64_t i = 0; i < a.rows; i++)
      for (uint64_t j = 0; j < a.cols; j++)
        CU_ASSERT_EQUAL(a.at[i * a.cols + j],
                        b.at[place(a.rows, a.cols, i, j)]);
    CU_ASSERT_EQUAL(cpu_matrix_print(&by_rows), cpu_matrix_print(&recursive));
    CU_ASSERT_EQUAL(cpu_matrix_print_transposed(&by_rows),
                    cpu_matrix_print_transposed(&recursive));
    shape_close(&a);
    shape_close(&b);
  }
}

static void test_print_sees_changes(void) {
  double at[6] = {1, 2, 3, 4, 5, 6};
  struct cpu_matrix matrix = {at, 2, 3, CPU_MATRIX_ROWS};
  uint64_t print = cpu_matrix_print(&matrix);
  struct cpu_matrix turned = {(double[]){1, 4, 2, 5, 3, 6}, 3, 2,
                              CPU_MATRIX_ROWS};
  CU_ASSERT_EQUAL(cpu_matrix_print_transposed(&turned), print);
  CU_ASSERT_NOT_EQUAL(cpu_matrix_print(&turned), print);
  for (unsigned i = 0; i < 6; i++) {
    double kept = at[i], next = at[(i + 1) % 6];
    at[i] = -kept;
    CU_ASSERT_NOT_EQUAL(cpu_matrix_print(&matrix), print);
    at[i] = next, at[(i + 1) % 6] = kept;
    CU_ASSERT_NOT_EQUAL(cpu_matrix_print(&matrix), print);
    at[i] = kept, at[(i + 1) % 6] = next;
  }
  CU_ASSERT_EQUAL(cpu_matrix_print(&matrix), print);
}

static void test_numbers(void) {
  static double at[10000];
  struct cpu_matrix matrix = {at, 100, 100, CPU_MATRIX_ROWS};
  double least = 0, most = 0;
  cpu_matrix_fill(&matrix, 3, 0);
  for (unsigned i = 0; i < 10000; i++) CU_ASSERT_TRUE(at[i] >= 0 && at[i] < 1);
  cpu_matrix_fill(&matrix, 3, 5);
  for (unsigned i = 0; i < 10000; i++) {
    CU_ASSERT_EQUAL(at[i], (double)(int)at[i]);
    least = at[i] < least ? at[i] : least;
    most = at[i] > most ? at[i] : most;
  }
  CU_ASSERT_EQUAL(least, -16);
  CU_ASSERT_EQUAL(most, 15);
}

static void test_bytes(void) {
  CU_ASSERT_EQUAL(cpu_matrix_bytes(10, 2, 0), 1600);
  CU_ASSERT_EQUAL(cpu_matrix_bytes(10, 3, 2), 2560);
  CU_ASSERT_TRUE(cpu_matrix_bytes(0, 2, 0) > 0);
  uint64_t side = UINT64_C(1) << 30; /* two of them are 2^64 bytes */
  if (SIZE_MAX == UINT64_MAX) {
    CU_ASSERT_TRUE(cpu_matrix_bytes(side - 1, 2, 0) > UINT64_C(1) << 63);
    CU_ASSERT_EQUAL(cpu_matrix_bytes(side - 1, 2, 10), 0);
  }
  CU_ASSERT_EQUAL(cpu_matrix_bytes(side, 2, 0), 0);
  CU_ASSERT_EQUAL(cpu_matrix_bytes(UINT64_C(1) << 32, 1, 0), 0);
  CU_ASSERT_EQUAL(cpu_matrix_bytes(UINT64_MAX, 1, 0), 0);
  CU_ASSERT_EQUAL(cpu_matrix_bytes(UINT64_MAX, 2, 1), 0);
}

static const struct check_test tests[] = {
    {"halves are multiples of the tile", test_halves},
    {"the recursive layout by hand", test_layout_by_hand},
    {"the recursive layout is a bijection", test_layout_is_a_bijection},
    {"the layouts hold the same matrix", test_layouts_hold_the_same},
    {"the print sees changes, not the layout", test_print_sees_changes},
    {"numbers are of their range", test_numbers},
    {"bytes are those of the matrices, 0 on overflow", test_bytes},
    {NULL, NULL},
};
extern const struct check_suite suite_matrix;
const struct check_suite suite_matrix = {"matrix", tests, NULL};
