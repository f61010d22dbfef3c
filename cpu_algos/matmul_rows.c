/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Multiply matrices that lie row by row as they are defined: each element is a
 * row times a column, whose every element lies in another row (Jurkiewicz, PhD
 * thesis, section 2.6.2). */
#include "cpu_algos/matmul.h"

void cpu_matmul_by_rows(const double *a, const double *b, double *c,
                        struct cpu_matmul_shape shape) {
  for (uint64_t i = 0; i < shape.rows; i++)
    for (uint64_t j = 0; j < shape.cols; j++) {
      double sum = 0;
      for (uint64_t k = 0; k < shape.inner; k++)
        sum += a[i * shape.inner + k] * b[k * shape.cols + j];
      c[i * shape.cols + j] = sum;
    }
}

static void multiply(struct algo_run *run) {
  cpu_matmul_by_rows(cpu_matmul_matrix(run, 0, CPU_MATRIX_ROWS).at,
                     cpu_matmul_matrix(run, 1, CPU_MATRIX_ROWS).at,
                     cpu_matmul_matrix(run, 2, CPU_MATRIX_ROWS).at,
                     cpu_matmul_shape_of(run));
}

const struct algo cpu_algo_matmul_rows = {
    .name = "matmul_rows",
    .title = "product by rows",
    .summary = "multiply n x n doubles, rows by columns",
    .device = "cpu",
    .complexity = "n^3",
    .ram_ops = cpu_ops_cube,
    .bytes = cpu_matmul_bytes,
    .setup = cpu_matmul_setup_rows,
    .restore = cpu_matmul_restore,
    .run = multiply,
    .check = cpu_matmul_check_rows,
    .data = "matrix",
    .bytes_given = cpu_matmul_bytes_given,
    .ops_given = cpu_matmul_ops_given,
    .refuse = cpu_matmul_refuse,
    .answer = cpu_matmul_answer_rows,
};
