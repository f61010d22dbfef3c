/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/matrix.h"

#include <string.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

typedef void visitor(const struct cpu_matrix_part *, void *);

static void visit_parts(const struct cpu_matrix_part *all, visitor *visit,
                        void *state) {
  const uint64_t rows = cpu_matrix_half(all->rows, CPU_MATRIX_TILE);
  const uint64_t cols = cpu_matrix_half(all->cols, CPU_MATRIX_TILE);
  if (!rows || !cols) return;
  if (rows == all->rows && cols == all->cols) {
    visit(all, state);
    return;
  }
  double *at = all->at;
  for (unsigned quarter = 0; quarter < 4; quarter++) {
    struct cpu_matrix_part part = {all->row, all->col, rows, cols, at};
    if (quarter / 2) part.row += rows, part.rows = all->rows - rows;
    if (quarter % 2) part.col += cols, part.cols = all->cols - cols;
    visit_parts(&part, visit, state);
    at += part.rows * part.cols;
  }
}

void cpu_matrix_visit(const struct cpu_matrix *matrix, visitor *visit,
                      void *state) {
  const struct cpu_matrix_part all = {0, 0, matrix->rows, matrix->cols,
                                      matrix->at};
  if (matrix->layout == CPU_MATRIX_ROWS)
    visit(&all, state);
  else
    visit_parts(&all, visit, state);
}

struct cpu_matrix cpu_matrix_of(const struct algo_run *run, unsigned index,
                                enum cpu_matrix_layout layout) {
  double *first = (double *)(void *)run->memory;
  const uint64_t n = run->n;
  return (struct cpu_matrix){first + n * n * index, n, n, layout};
}

size_t cpu_matrix_bytes(uint64_t n, unsigned matrices, unsigned vectors) {
  uint64_t elements, side;
  if (__builtin_mul_overflow(n, matrices, &side) ||
      __builtin_add_overflow(side, vectors, &side) ||
      __builtin_mul_overflow(n, side, &elements))
    return 0;
  return cpu_keys_bytes(elements, 1, 0);
}

struct filling {
  uint64_t cols, seed;
  unsigned bits;
};

static double number_of(uint64_t random, unsigned bits) {
  if (!bits) return (double)(random >> 11) * 0x1p-53;
  int64_t least = -(INT64_C(1) << (bits - 1));
  return (double)((int64_t)(random >> (64 - bits)) + least);
}

static void fill_part(const struct cpu_matrix_part *part, void *state) {
  const struct filling *filling = state;
  for (uint64_t i = 0; i < part->rows; i++) {
    uint64_t first = (part->row + i) * filling->cols + part->col;
    for (uint64_t j = 0; j < part->cols; j++)
      part->at[i * part->cols + j] =
          number_of(cpu_random_at(filling->seed, first + j), filling->bits);
  }
}

void cpu_matrix_fill(const struct cpu_matrix *matrix, uint64_t seed,
                     unsigned bits) {
  struct filling filling = {matrix->cols, seed, bits};
  cpu_matrix_visit(matrix, fill_part, &filling);
}

struct copying {
  uint64_t cols;
  const double *from; /* NULL: the matrix */
  double *to;
};

static void copy_part(const struct cpu_matrix_part *part, void *state) {
  const struct copying *copying = state;
  for (uint64_t i = 0; i < part->rows; i++) {
    uint64_t first = (part->row + i) * copying->cols + part->col;
    double *row = part->at + i * part->cols;
    if (copying->from)
      memcpy(row, copying->from + first, part->cols * sizeof *row);
    else
      memcpy(copying->to + first, row, part->cols * sizeof *row);
  }
}

void cpu_matrix_load(const struct cpu_matrix *matrix, const double *rows) {
  struct copying copying = {.cols = matrix->cols, .from = rows};
  cpu_matrix_visit(matrix, copy_part, &copying);
}

void cpu_matrix_unload(const struct cpu_matrix *matrix, double *rows) {
  struct copying copying = {.cols = matrix->cols, .to = rows};
  cpu_matrix_visit(matrix, copy_part, &copying);
}

/* Element (i, j) counts as number i * row_step + j * col_step. */
struct printing {
  uint64_t row_step, col_step, sum;
};

static void print_part(const struct cpu_matrix_part *part, void *state) {
  struct printing *printing = state;
  const double *element = part->at;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < part->rows; i++) {
    uint64_t place =
        (part->row + i) * printing->row_step + part->col * printing->col_step;
    for (uint64_t j = 0; j < part->cols; j++, element++) {
      uint64_t bits;
      memcpy(&bits, element, sizeof bits);
      sum += cpu_random_mix(bits + cpu_random_at(1, place));
      place += printing->col_step;
    }
  }
  printing->sum += sum;
}

uint64_t cpu_matrix_print(const struct cpu_matrix *matrix) {
  struct printing printing = {matrix->cols, 1, 0};
  cpu_matrix_visit(matrix, print_part, &printing);
  return printing.sum;
}

uint64_t cpu_matrix_print_transposed(const struct cpu_matrix *matrix) {
  struct printing printing = {1, matrix->rows, 0};
  cpu_matrix_visit(matrix, print_part, &printing);
  return printing.sum;
}

void cpu_matrix_clear(const struct cpu_matrix *matrix) {
  memset(matrix->at, 0, matrix->rows * matrix->cols * sizeof *matrix->at);
}

double cpu_ops_square(uint64_t n) {
  return n > 1 ? (double)n * (double)n : 1.0;
}
