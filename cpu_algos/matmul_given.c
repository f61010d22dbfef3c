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
 *
 * An element of c is no smaller than DBL_TRUE_MIN and none overflows, but a
 * part of the check might: 1e308 of b added up before a 0 of a meets them, or
 * subnormals of b rounded before 1e150 does.  So each row has a power of two of
 * its own here, and only what c itself loses by underflow is allowed for.
 */
#include <float.h>
#include <math.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/matmul.h"
#include "cpu_algos/random.h"

/* Numbers value[i] * 2^exponent[i], made of terms whose absolute values add up
 * to size[i] * 2^exponent[i]. */
struct numbers {
  double *value, *size;
  double *exponent; /* whole */
};

/* Behind a, b and c, in this order. */
struct vectors {
  struct numbers product; /* a * (b * r), per row; the size becomes by how much
                             c * r may be off */
  double *found;          /* c * r, per row, by the product's exponents */
  struct numbers right;   /* b * r, per row of b */
};

static struct numbers numbers_at(double *at, uint64_t count) {
  return (struct numbers){at, at + count, at + 2 * count};
}

static struct vectors vectors_of(const struct algo_run *run) {
  const struct cpu_matmul_shape shape = cpu_matmul_shape_of(run);
  double *first = cpu_matmul_matrix(run, 2, CPU_MATRIX_ROWS).at;
  first += shape.rows * shape.cols;
  return (struct vectors){numbers_at(first, shape.rows), first + 3 * shape.rows,
                          numbers_at(first + 4 * shape.rows, shape.inner)};
}

/* Numbers of doubles: what a * b takes, or 0 on overflow. */
static uint64_t words_of(const struct algo_data *a, const struct algo_data *b) {
  uint64_t c, all = a->count, vectors;
  if (__builtin_mul_overflow(a->rows, b->cols, &c) ||
      __builtin_add_overflow(all, b->count, &all) ||
      __builtin_add_overflow(all, c > all ? 2 * c : c, &all) || c >> 62 ||
      __builtin_mul_overflow(a->rows, 4, &vectors) ||
      __builtin_add_overflow(all, vectors, &all) ||
      __builtin_mul_overflow(a->cols, 3, &vectors) ||
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

/* A matrix times numbers, one per column; of NULL: times r. */
struct weighing {
  uint64_t seed;
  const struct numbers *of;
  struct numbers to; /* size NULL: not wanted */
};

/* The exponents to be: those of the largest terms. */
static void find_exponents(const struct cpu_matrix_part *part, void *state) {
  const struct weighing *weighing = state;
  const struct numbers *of = weighing->of;
  const double *element = part->at;
  for (uint64_t i = part->row; i < part->row + part->rows; i++)
    for (uint64_t j = part->col; j < part->col + part->cols; j++, element++) {
      int exponent;
      if (frexp(*element, &exponent) == 0 || (of && of->size[j] == 0)) continue;
      double *most = &weighing->to.exponent[i];
      *most = fmax(*most, exponent + (of ? of->exponent[j] : 0));
    }
}

static void add_terms(const struct cpu_matrix_part *part, void *state) {
  const struct weighing *weighing = state;
  const struct numbers *of = weighing->of, *to = &weighing->to;
  const double *element = part->at;
  for (uint64_t i = part->row; i < part->row + part->rows; i++)
    for (uint64_t j = part->col; j < part->col + part->cols; j++, element++) {
      int exponent;
      double fraction = frexp(*element, &exponent);
      double by = of ? of->value[j] : weight(weighing->seed, j);
      double by_size = of ? of->size[j] : fabs(by);
      exponent += (int)((of ? of->exponent[j] : 0) - to->exponent[i]);
      to->value[i] += ldexp(fraction * by, exponent);
      if (to->size) to->size[i] += ldexp(fabs(fraction) * by_size, exponent);
    }
}

static void clear(double *vector, uint64_t count, double value) {
  for (uint64_t i = 0; i < count; i++) vector[i] = value;
}

/* The exponents are found out where the size is wanted, else given.  They are
 * no less than that of the smallest normal number: next to what c may lose by
 * underflow nothing smaller matters. */
static void weigh(const struct algo_run *run, unsigned index,
                  enum cpu_matrix_layout layout, struct weighing weighing) {
  struct cpu_matrix matrix = cpu_matmul_matrix(run, index, layout);
  weighing.seed = run->seed;
  clear(weighing.to.value, matrix.rows, 0);
  if (weighing.to.size) {
    clear(weighing.to.size, matrix.rows, 0);
    clear(weighing.to.exponent, matrix.rows, DBL_MIN_EXP);
    cpu_matrix_visit(&matrix, find_exponents, &weighing);
  }
  cpu_matrix_visit(&matrix, add_terms, &weighing);
}

void cpu_matmul_setup_given(struct algo_run *run,
                            enum cpu_matrix_layout layout) {
  const struct cpu_matmul_shape shape = cpu_matmul_shape_of(run);
  struct vectors v = vectors_of(run);
  struct cpu_matrix a = cpu_matmul_matrix(run, 0, layout);
  struct cpu_matrix b = cpu_matmul_matrix(run, 1, layout);
  cpu_matrix_load(&a, run->given->items);
  cpu_matrix_load(&b, right_of(run->given)->items);
  weigh(run, 1, layout, (struct weighing){.to = v.right});
  weigh(run, 0, layout, (struct weighing){.of = &v.right, .to = v.product});
  double terms = (double)shape.inner + (double)shape.cols + 8;
  for (uint64_t i = 0; i < shape.rows; i++) /* and what underflow takes away */
    v.product.size[i] =
        2 * terms * DBL_EPSILON * v.product.size[i] +
        ldexp(4 * terms * terms * DBL_TRUE_MIN, (int)-v.product.exponent[i]);
  run->fingerprint[0] = 0;
}

const char *cpu_matmul_check_given(const struct algo_run *run,
                                   enum cpu_matrix_layout layout) {
  struct vectors v = vectors_of(run);
  weigh(run, 2, layout,
        (struct weighing){.to = {v.found, NULL, v.product.exponent}});
  for (uint64_t i = 0; i < cpu_matmul_shape_of(run).rows; i++)
    if (!(fabs(v.found[i] - v.product.value[i]) <= v.product.size[i]))
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
