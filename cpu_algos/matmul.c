/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products are checked in O(n^2) as by Freivalds (Probabilistic machines can
 * use less running time, IFIP 1977): for random vectors s and r, s * c * r is
 * s * (a * b) * r; any other c passes with a chance of at most 2 / PRIME.
 */
#include "cpu_algos/matmul.h"

#include <stdbool.h>
#include <string.h>

#include "cpu_algos/keys.h"
#include "cpu_algos/random.h"

#define PRIME ((UINT64_C(1) << 61) - 1)

static uint64_t times(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  uint64_t sum = ((uint64_t)product & PRIME) + (uint64_t)(product >> 61);
  return sum >= PRIME ? sum - PRIME : sum;
}

static uint64_t plus(uint64_t a, uint64_t b) {
  return a + b >= PRIME ? a + b - PRIME : a + b;
}

/* A whole number of at most 53 bits. */
static uint64_t residue(double element) {
  int64_t number = (int64_t)element;
  return number < 0 ? PRIME - (uint64_t)-number : (uint64_t)number;
}

/* Element i of s (which = 0) and of r (1). */
static uint64_t weight(uint64_t seed, unsigned which, uint64_t i) {
  return cpu_random_at(cpu_keys_seed(seed, 2 + which), i) % PRIME;
}

/* left = s * m, right = m * r, value = s * m * r, each where it is asked for */
struct weighing {
  uint64_t seed;
  uint64_t *left, *right;
  uint64_t value;
  bool whole;
};

static bool is_whole(double element) {
  const double most = 9007199254740992.0; /* 2^53 */
  if (!(element >= -most && element <= most)) return false;
  double same = (double)(int64_t)element;
  return !memcmp(&same, &element, sizeof same); /* 0 has to be +0 */
}

static void weigh_part(const struct cpu_matrix_part *part, void *state) {
  struct weighing *weighing = state;
  const double *element = part->at;
  for (uint64_t i = part->row; i < part->row + part->rows; i++) {
    uint64_t s = weight(weighing->seed, 0, i), sum = 0;
    for (uint64_t j = part->col; j < part->col + part->cols; j++, element++) {
      if (!is_whole(*element)) {
        weighing->whole = false;
        return;
      }
      uint64_t number = residue(*element);
      sum = plus(sum, times(number, weight(weighing->seed, 1, j)));
      if (weighing->left)
        weighing->left[j] = plus(weighing->left[j], times(number, s));
    }
    if (weighing->right) weighing->right[i] = plus(weighing->right[i], sum);
    weighing->value = plus(weighing->value, times(s, sum));
  }
}

uint64_t cpu_matmul_expected(const struct algo_run *run,
                             enum cpu_matrix_layout layout, uint64_t *vectors) {
  struct cpu_matrix a = cpu_matrix_of(run, 0, layout);
  struct cpu_matrix b = cpu_matrix_of(run, 1, layout);
  struct weighing of_a = {.seed = run->seed, .left = vectors};
  struct weighing of_b = {.seed = run->seed, .right = vectors + run->n};
  for (uint64_t i = 0; i < 2 * run->n; i++) vectors[i] = 0;
  cpu_matrix_visit(&a, weigh_part, &of_a);
  cpu_matrix_visit(&b, weigh_part, &of_b);
  uint64_t sum = 0;
  for (uint64_t i = 0; i < run->n; i++)
    sum = plus(sum, times(of_a.left[i], of_b.right[i]));
  return sum;
}

const char *cpu_matmul_differs(const struct algo_run *run,
                               enum cpu_matrix_layout layout,
                               uint64_t expected) {
  struct cpu_matrix c = cpu_matrix_of(run, 2, layout);
  struct weighing of_c = {.seed = run->seed, .whole = true};
  cpu_matrix_visit(&c, weigh_part, &of_c);
  if (of_c.whole && of_c.value == expected) return NULL;
  return "the matrix is not the product of the input";
}

size_t cpu_matmul_bytes(uint64_t n) { return cpu_matrix_bytes(n, 3, 2); }

double cpu_ops_cube(uint64_t n) { return cpu_ops_square(n) * (n ? n : 1); }

struct cpu_matmul_shape cpu_matmul_shape_of(const struct algo_run *run) {
  const struct algo_data *a = run->given;
  if (!a) return (struct cpu_matmul_shape){run->n, run->n, run->n};
  uint64_t cols = a->next ? a->next->cols : a->cols;
  return (struct cpu_matmul_shape){a->rows, a->cols, cols};
}

struct cpu_matrix cpu_matmul_matrix(const struct algo_run *run, unsigned index,
                                    enum cpu_matrix_layout layout) {
  const struct cpu_matmul_shape shape = cpu_matmul_shape_of(run);
  double *a = (double *)(void *)run->memory;
  double *b = a + shape.rows * shape.inner;
  double *c = b + shape.inner * shape.cols;
  if (index == 0)
    return (struct cpu_matrix){a, shape.rows, shape.inner, layout};
  if (index == 1)
    return (struct cpu_matrix){b, shape.inner, shape.cols, layout};
  return (struct cpu_matrix){c, shape.rows, shape.cols, layout};
}

void cpu_matmul_restore(struct algo_run *run) {
  struct cpu_matrix c = cpu_matmul_matrix(run, 2, CPU_MATRIX_ROWS);
  cpu_matrix_clear(&c);
}

/* Bits b of an element so that n products are below 2^53: 2 (b - 1) + log2 n.
 */
static unsigned bits_of(uint64_t n) {
  unsigned lg = 0;
  while (lg < 63 && UINT64_C(1) << lg < n) lg++;
  return lg < 51 ? (53 - lg) / 2 : 1;
}

static uint64_t print_of(const struct algo_run *run,
                         enum cpu_matrix_layout layout) {
  struct cpu_matrix a = cpu_matmul_matrix(run, 0, layout);
  struct cpu_matrix b = cpu_matmul_matrix(run, 1, layout);
  return cpu_matrix_print(&a) ^ cpu_random_mix(cpu_matrix_print(&b));
}

static void setup_generated(struct algo_run *run,
                            enum cpu_matrix_layout layout) {
  struct cpu_matrix a = cpu_matrix_of(run, 0, layout);
  struct cpu_matrix b = cpu_matrix_of(run, 1, layout);
  uint64_t *vectors = cpu_keys(run) + 3 * run->n * run->n;
  cpu_matrix_fill(&a, cpu_keys_seed(run->seed, 0), bits_of(run->n));
  cpu_matrix_fill(&b, cpu_keys_seed(run->seed, 1), bits_of(run->n));
  run->fingerprint[0] = cpu_matmul_expected(run, layout, vectors);
}

static void setup(struct algo_run *run, enum cpu_matrix_layout layout) {
  if (run->given)
    cpu_matmul_setup_given(run, layout);
  else
    setup_generated(run, layout);
  run->fingerprint[1] = print_of(run, layout);
  cpu_matmul_restore(run);
}

static const char *check(const struct algo_run *run,
                         enum cpu_matrix_layout layout) {
  if (print_of(run, layout) != run->fingerprint[1])
    return "the matrices are not those of the input any more";
  if (run->given) return cpu_matmul_check_given(run, layout);
  return cpu_matmul_differs(run, layout, run->fingerprint[0]);
}

void cpu_matmul_setup_rows(struct algo_run *run) {
  setup(run, CPU_MATRIX_ROWS);
}

const char *cpu_matmul_check_rows(const struct algo_run *run) {
  return check(run, CPU_MATRIX_ROWS);
}

void cpu_matmul_setup_recursive(struct algo_run *run) {
  setup(run, CPU_MATRIX_RECURSIVE);
}

const char *cpu_matmul_check_recursive(const struct algo_run *run) {
  return check(run, CPU_MATRIX_RECURSIVE);
}
