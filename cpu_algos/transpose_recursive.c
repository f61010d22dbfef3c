/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transpose a matrix that lies row by row by halving it: the cache-oblivious
 * algorithm of Frigo, Leiserson, Prokop and Ramachandran, FOCS 1999, section 3
 * (Jurkiewicz, PhD thesis, section 2.5). */
#include "cpu_algos/matrix.h"
#include "cpu_algos/transpose.h"

/* Where halving ends: the doubles of a cache line.  With 32 a transpose of side
 * 8200 takes 0.6 times as long on a KVM guest of Zen 5, as the hardware
 * prefetches along rows, but no TC below some 70 nodes could hold what a leaf
 * meets. */
enum { LEAF = 8 };

struct halving {
  uint64_t from_step, to_step; /* doubles from one row to the next */
};

static void transpose_part(const struct halving *steps, const double *from,
                           double *to, uint64_t rows, uint64_t cols) {
  if (rows <= LEAF && cols <= LEAF) {
    cpu_transpose_block(from, steps->from_step, to, steps->to_step, rows, cols);
  } else if (rows >= cols) {
    uint64_t half = cpu_matrix_half(rows, LEAF);
    transpose_part(steps, from, to, half, cols);
    transpose_part(steps, from + half * steps->from_step, to + half,
                   rows - half, cols);
  } else {
    uint64_t half = cpu_matrix_half(cols, LEAF);
    transpose_part(steps, from, to, rows, half);
    transpose_part(steps, from + half, to + half * steps->to_step, rows,
                   cols - half);
  }
}

void cpu_transpose_by_halves(const double *from, double *to, uint64_t rows,
                             uint64_t cols) {
  const struct halving steps = {cols, rows};
  transpose_part(&steps, from, to, rows, cols);
}

static void transpose(struct algo_run *run) {
  struct cpu_matrix from = cpu_transpose_matrix(run, 0, CPU_MATRIX_ROWS);
  struct cpu_matrix to = cpu_transpose_matrix(run, 1, CPU_MATRIX_ROWS);
  cpu_transpose_by_halves(from.at, to.at, from.rows, from.cols);
}

const struct algo cpu_algo_transpose_recursive = {
    .name = "transpose_recursive",
    .title = "recursive transpose",
    .summary = "transpose n x n doubles by halving, stored row by row",
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
