/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transpose a matrix that lies row by row in the order of its elements: each
 * write goes to another row (Jurkiewicz, PhD thesis, section 2.6.2). */
#include "cpu_algos/matrix.h"
#include "cpu_algos/transpose.h"

void cpu_transpose_by_rows(const double *from, double *to, uint64_t rows,
                           uint64_t cols) {
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t j = 0; j < cols; j++) to[j * rows + i] = from[i * cols + j];
}

static void transpose(struct algo_run *run) {
  struct cpu_matrix from = cpu_transpose_matrix(run, 0, CPU_MATRIX_ROWS);
  struct cpu_matrix to = cpu_transpose_matrix(run, 1, CPU_MATRIX_ROWS);
  cpu_transpose_by_rows(from.at, to.at, from.rows, from.cols);
}

const struct algo cpu_algo_transpose_rows = {
    .name = "transpose_rows",
    .title = "transpose by rows",
    .summary = "transpose n x n doubles, row by row",
    .device = "cpu",
    .complexity = "n^2",
    .ram_ops = cpu_ops_square,
    .bytes = cpu_transpose_bytes,
    .setup = cpu_transpose_setup_rows,
    .restore = cpu_transpose_restore,
    .run = transpose,
    .check = cpu_transpose_check_rows,
    .data = "matrix",
    .bytes_given = cpu_transpose_bytes_given,
    .ops_given = cpu_transpose_ops_given,
    .refuse = cpu_transpose_refuse,
    .answer = cpu_transpose_answer_rows,
};
