/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transpose a matrix of recursive layout, quarter by quarter (Jurkiewicz, PhD
 * thesis, section 2.6.2, figure 2.7). */
#include "cpu_algos/matrix.h"
#include "cpu_algos/transpose.h"

/* The top right quarter becomes the bottom left one, and the other way round:
 * they change places in memory. */
void cpu_transpose_by_tiles(const double *from, double *to, uint64_t rows,
                            uint64_t cols) {
  const uint64_t top = cpu_matrix_half(rows, CPU_MATRIX_TILE);
  const uint64_t left = cpu_matrix_half(cols, CPU_MATRIX_TILE);
  const uint64_t bottom = rows - top, right = cols - left;
  if (!top || !left) return;
  if (!bottom && !right) {
    cpu_transpose_block(from, cols, to, rows, rows, cols);
    return;
  }
  cpu_transpose_by_tiles(from, to, top, left);
  cpu_transpose_by_tiles(from + top * left, to + left * rows, top, right);
  cpu_transpose_by_tiles(from + top * cols, to + left * top, bottom, left);
  cpu_transpose_by_tiles(from + top * cols + bottom * left,
                         to + left * rows + right * top, bottom, right);
}

static void transpose(struct algo_run *run) {
  struct cpu_matrix from = cpu_transpose_matrix(run, 0, CPU_MATRIX_RECURSIVE);
  struct cpu_matrix to = cpu_transpose_matrix(run, 1, CPU_MATRIX_RECURSIVE);
  cpu_transpose_by_tiles(from.at, to.at, from.rows, from.cols);
}

const struct algo cpu_algo_transpose_morton = {
    .name = "transpose_morton",
    .title = "Morton transpose",
    .summary = "transpose n x n doubles in the recursive layout",
    .device = "cpu",
    .complexity = "n^2",
    .ram_ops = cpu_ops_square,
    .bytes = cpu_transpose_bytes,
    .setup = cpu_transpose_setup_recursive,
    .restore = cpu_transpose_restore,
    .run = transpose,
    .check = cpu_transpose_check_recursive,
    .data = "matrix",
    .bytes_given = cpu_transpose_bytes_given,
    .ops_given = cpu_transpose_ops_given,
    .refuse = cpu_transpose_refuse,
    .answer = cpu_transpose_answer_recursive,
};
