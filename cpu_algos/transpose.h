/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/transpose.h -- transposing matrices of doubles into other memory,
 * and what the algorithms that do it have in common.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/matrix.h"

/* `to`, cols x rows, becomes the transpose of `from`, rows x cols, which do
 * not overlap: both row by row for the first two, else in the recursive layout
 * (matrix.h). */
void cpu_transpose_by_rows(const double *from, double *to, uint64_t rows,
                           uint64_t cols);
void cpu_transpose_by_halves(const double *from, double *to, uint64_t rows,
                             uint64_t cols);
void cpu_transpose_by_tiles(const double *from, double *to, uint64_t rows,
                            uint64_t cols);

/* The same for a small block of matrices whose rows are `from_step` and
 * `to_step` doubles apart. */
void cpu_transpose_block(const double *from, uint64_t from_step, double *to,
                         uint64_t to_step, uint64_t rows, uint64_t cols);

/* The matrix (index 0) and, after it in the workspace, its transpose (1). */
struct cpu_matrix cpu_transpose_matrix(const struct algo_run *run,
                                       unsigned index,
                                       enum cpu_matrix_layout layout);

/* For algo; some functions are for a layout. */
size_t cpu_transpose_bytes(uint64_t n);
size_t cpu_transpose_bytes_given(const struct algo_data *given);
double cpu_transpose_ops_given(const struct algo_data *given);
const char *cpu_transpose_refuse(const struct algo_data *given);
void cpu_transpose_answer_rows(const struct algo_run *run,
                               struct algo_data *answer);
void cpu_transpose_answer_recursive(const struct algo_run *run,
                                    struct algo_data *answer);
void cpu_transpose_restore(struct algo_run *run);
void cpu_transpose_setup_rows(struct algo_run *run);
const char *cpu_transpose_check_rows(const struct algo_run *run);
void cpu_transpose_setup_recursive(struct algo_run *run);
const char *cpu_transpose_check_recursive(const struct algo_run *run);
