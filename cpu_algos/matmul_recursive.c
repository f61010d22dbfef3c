/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multiply matrices of recursive layout, quarter by quarter: the cache-
 * oblivious algorithm of Frigo, Leiserson, Prokop and Ramachandran, FOCS 1999,
 * section 2 (Jurkiewicz, PhD thesis, section 2.5). */
#include <string.h>

#include "cpu_algos/matmul.h"

static uint64_t half_of(uint64_t length) {
  return cpu_matrix_half(length, CPU_MATRIX_TILE);
}

/* Add a * b to c. */
static void add_product(const double *a, const double *b, double *c,
                        struct cpu_matmul_shape all);

/* Add to c, a quarter or less, the products of the two halves of some rows of
 * a and some columns of b: `rest` is where the second halves lie. */
struct halves {
  const double *first, *rest;
};

static void add_products(struct halves a, struct halves b, double *c,
                         struct cpu_matmul_shape all) {
  const uint64_t inner = half_of(all.inner);
  add_product(a.first, b.first, c,
              (struct cpu_matmul_shape){all.rows, inner, all.cols});
  add_product(a.rest, b.rest, c,
              (struct cpu_matmul_shape){all.rows, all.inner - inner, all.cols});
}

static void add_product(const double *a, const double *b, double *c,
                        struct cpu_matmul_shape all) {
  const uint64_t top = half_of(all.rows), bottom = all.rows - top;
  const uint64_t left = half_of(all.cols), right = all.cols - left;
  const uint64_t inner = half_of(all.inner), rest = all.inner - inner;
  if (!top || !left || !inner) return;
  if (!bottom && !right && !rest) {
    cpu_matmul_block(a, b, c, all);
    return;
  }
  const struct halves above = {a, a + top * inner};
  const struct halves below = {a + top * all.inner,
                               a + top * all.inner + bottom * inner};
  const struct halves ahead = {b, b + inner * all.cols};
  const struct halves after = {b + inner * left,
                               b + inner * all.cols + rest * left};
  add_products(above, ahead, c,
               (struct cpu_matmul_shape){top, all.inner, left});
  add_products(above, after, c + top * left,
               (struct cpu_matmul_shape){top, all.inner, right});
  c += top * all.cols;
  add_products(below, ahead, c,
               (struct cpu_matmul_shape){bottom, all.inner, left});
  add_products(below, after, c + bottom * left,
               (struct cpu_matmul_shape){bottom, all.inner, right});
}

void cpu_matmul_by_tiles(const double *a, const double *b, double *c,
                         struct cpu_matmul_shape shape) {
  memset(c, 0, shape.rows * shape.cols * sizeof *c);
  add_product(a, b, c, shape);
}

static void multiply(struct algo_run *run) {
  cpu_matmul_by_tiles(cpu_matmul_matrix(run, 0, CPU_MATRIX_RECURSIVE).at,
                      cpu_matmul_matrix(run, 1, CPU_MATRIX_RECURSIVE).at,
                      cpu_matmul_matrix(run, 2, CPU_MATRIX_RECURSIVE).at,
                      cpu_matmul_shape_of(run));
}

const struct algo cpu_algo_matmul_recursive = {
    .name = "matmul_recursive",
    .title = "recursive product",
    .summary = "multiply n x n doubles by quarters, in the recursive layout",
    .device = "cpu",
    .complexity = "n^3",
    .ram_ops = cpu_ops_cube,
    .bytes = cpu_matmul_bytes,
    .setup = cpu_matmul_setup_recursive,
    .restore = cpu_matmul_restore,
    .run = multiply,
    .check = cpu_matmul_check_recursive,
    .data = "matrix",
    .bytes_given = cpu_matmul_bytes_given,
    .ops_given = cpu_matmul_ops_given,
    .refuse = cpu_matmul_refuse,
    .answer = cpu_matmul_answer_recursive,
};
