/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products of matrices from outside, whose elements are any doubles, so that
 * every order of additions rounds differently.  Freivalds' check again, by a
 * random vector r: row i of c * r may be off that of a * (b * r) by no more
 * than rounding can explain.  With u = 2^-53 a sum of k products is off by
 * about k u times the sum of their absolute values at most, in any order and
 * with or without fused multiplication (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd edition, sections 3.1 and 3.5).  For c and for both
 * sides of the comparison that makes 2 (inner + cols) u |a| |b| |r|, which is
 * doubled to be sure.
 */
#include <float.h>
#include <math.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/matmul.h"
#include "cpu_algos/random.h"

/* Behind a, b and c, in this order. */
struct vectors {
  double *product; /* a * (b * r), per row */
  double *slack;   /* by how much c * r may be off, per row */
  double *found;   /* c * r, per row */
  double *right;   /* b * r, per row of b */
  double *size;    /* |b| * |r|, per row of b */
};

static struct vectors vectors_of(const struct algo_run *run) {
  const struct cpu_matmul_shape shape = cpu_matmul_shape_of(run);
  double *first = cpu_matmul_matrix(run, 2, CPU_MATRIX_ROWS).at;
  first += shape.rows * shape.cols;
  return (struct vectors){first, first + shape.rows, first + 2 * shape.rows,
                          first + 3 * shape.rows,
                          first + 3 * shape.rows + shape.inner};
}

/* Numbers of doubles: what a * b takes, or 0 on overflow. */
static uint64_t words_of(const struct algo_data *a, const struct algo_data *b) {
  uint64_t c, all = a->count, vectors;
  if (__builtin_mul_overflow(a->rows, b->cols, &c) ||
      __builtin_add_overflow(all, b->count, &all) ||
      __builtin_add_overflow(all, c > all ? 2 * c : c, &all) || c >> 62 ||
      __builtin_mul_overflow(a->rows, 3, &vectors) ||
      __builtin_add_overflow(all, vectors, &all) ||
      __builtin_mul_overflow(a->cols, 2, &vectors) ||
      __builtin_add_overflow(all, vectors, &all))
    return 0;
  return all ? all : 1;
}

static const struct algo_data *right_of(const struct algo_data *given) {
  return given->next ? given->next : given;
}

size_t cpu_matmul_bytes_given(const struct algo_data *given) {
  uint64_t words = words_of(given, right_of(given));
  return words ? cpu_keys_array_bytes(words) : 0;
}

double cpu_matmul_ops_given(const struct algo_data *given) {
  double cols = (double)right_of(given)->cols;
  return fmax(1, (double)given->rows * (double)given->cols * cols);
}

static double largest(const struct algo_data *matrix) {
  const double *elements = matrix->items;
  double most = 0;
  for (uint64_t i = 0; i < matrix->count; i++)
    most = fmax(most, fabs(elements[i]));
  return most;
}

const char *cpu_matmul_refuse(const struct algo_data *given) {
  const struct algo_data *right = right_of(given);
  if (given->cols != right->rows)
    return given->next ? "the second matrix needs as many rows as the first "
                         "has columns"
                       : "one matrix is squared, and this one is not square; "
                         "let the second one follow it";
  double most = largest(given) * largest(right) * (double)(given->cols + 1);
  if (!(most * (double)(right->cols + 1) < DBL_MAX / 4))
    return "the elements are so large that their products overflow; scale them";
  return NULL;
}

/* Element j of r: of [1/2, 1), of either sign. */
static double weight(uint64_t seed, uint64_t j) {
  uint64_t bits = cpu_random_at(cpu_keys_seed(seed, 2), j);
  double size = 0.5 + (double)(bits >> 12) * 0x1p-53;
  return bits & 1 ? -size : size;
}

/* sum += part * of[], size += |part| * of_size[]; of NULL: r and |r|. */
struct weighing {
  uint64_t seed;
  const double *of, *of_size;
  double *sum, *size;
};

static void weigh_part(const struct cpu_matrix_part *part, void *state) {
  const struct weighing *weighing = state;
  const double *element = part->at;
  for (uint64_t i = part->row; i < part->row + part->rows; i++)
    for (uint64_t j = part->col; j < part->col + part->cols; j++, element++) {
      double of = weighing->of ? weighing->of[j] : weight(weighing->seed, j);
      double of_size = weighing->of ? weighing->of_size[j] : fabs(of);
      weighing->sum[i] += *element * of;
      if (weighing->size) weighing->size[i] += fabs(*element) * of_size;
    }
}

static void weigh(const struct algo_run *run, unsigned index,
                  enum cpu_matrix_layout layout, struct weighing weighing) {
  struct cpu_matrix matrix = cpu_matmul_matrix(run, index, layout);
  weighing.seed = run->seed;
  for (uint64_t i = 0; i < matrix.rows; i++) {
    weighing.sum[i] = 0;
    if (weighing.size) weighing.size[i] = 0;
  }
  cpu_matrix_visit(&matrix, weigh_part, &weighing);
}

void cpu_matmul_setup_given(struct algo_run *run,
                            enum cpu_matrix_layout layout) {
  const struct cpu_matmul_shape shape = cpu_matmul_shape_of(run);
  struct vectors v = vectors_of(run);
  struct cpu_matrix a = cpu_matmul_matrix(run, 0, layout);
  struct cpu_matrix b = cpu_matmul_matrix(run, 1, layout);
  cpu_matrix_load(&a, run->given->items);
  cpu_matrix_load(&b, right_of(run->given)->items);
  weigh(run, 1, layout, (struct weighing){.sum = v.right, .size = v.size});
  weigh(
      run, 0, layout,
      (struct weighing){
          .of = v.right, .of_size = v.size, .sum = v.product, .size = v.slack});
  double terms = (double)shape.inner + (double)shape.cols + 8;
  for (uint64_t i = 0; i < shape.rows; i++) /* and what underflow takes away */
    v.slack[i] =
        2 * terms * DBL_EPSILON * v.slack[i] + 4 * terms * terms * DBL_TRUE_MIN;
  run->fingerprint[0] = 0;
}

const char *cpu_matmul_check_given(const struct algo_run *run,
                                   enum cpu_matrix_layout layout) {
  struct vectors v = vectors_of(run);
  weigh(run, 2, layout, (struct weighing){.sum = v.found});
  for (uint64_t i = 0; i < cpu_matmul_shape_of(run).rows; i++)
    if (!(fabs(v.found[i] - v.product[i]) <= v.slack[i]))
      return "the matrix is not the product of the input";
  return NULL;
}

static void describe(const struct cpu_matrix *matrix, const double *rows,
                     struct algo_data *answer) {
  *answer = (struct algo_data){.count = matrix->rows * matrix->cols,
                               .rows = matrix->rows,
                               .cols = matrix->cols,
                               .items = rows};
}

void cpu_matmul_answer_rows(const struct algo_run *run,
                            struct algo_data *answer) {
  struct cpu_matrix c = cpu_matmul_matrix(run, 2, CPU_MATRIX_ROWS);
  describe(&c, c.at, answer);
}

/* Row by row it goes where the input was, or behind everything if that is too
 * small. */
void cpu_matmul_answer_recursive(const struct algo_run *run,
                                 struct algo_data *answer) {
  struct cpu_matrix a = cpu_matmul_matrix(run, 0, CPU_MATRIX_RECURSIVE);
  struct cpu_matrix c = cpu_matmul_matrix(run, 2, CPU_MATRIX_RECURSIVE);
  uint64_t count = c.rows * c.cols;
  double *to = (uint64_t)(c.at - a.at) >= count
                   ? a.at
                   : (double *)(void *)(run->memory + run->bytes) - count;
  cpu_matrix_unload(&c, to);
  describe(&c, to, answer);
}
