/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/matmul.h -- products of matrices of doubles, and what the
 * algorithms that make them have in common.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/matrix.h"

/* a is rows x inner, b is inner x cols, c is rows x cols. */
struct cpu_matmul_shape {
  uint64_t rows, inner, cols;
};

/* c becomes a * b; c overlaps neither.  All lie row by row, or all in the
 * recursive layout (matrix.h). */
void cpu_matmul_by_rows(const double *a, const double *b, double *c,
                        struct cpu_matmul_shape shape);
void cpu_matmul_by_tiles(const double *a, const double *b, double *c,
                         struct cpu_matmul_shape shape);

/* The same for matrices that lie row by row and have at most CPU_MATRIX_TILE
 * rows and columns, added to c. */
void cpu_matmul_block(const double *a, const double *b, double *c,
                      struct cpu_matmul_shape shape);

/* Of a run: n x n matrices, or those given; one that is given is squared. */
struct cpu_matmul_shape cpu_matmul_shape_of(const struct algo_run *run);

/* a, b or c (index 0, 1, 2), which follow each other in the workspace. */
struct cpu_matrix cpu_matmul_matrix(const struct algo_run *run, unsigned index,
                                    enum cpu_matrix_layout layout);

/*
 * For algo: behind a, b and c two vectors for setup.  Elements of generated
 * matrices are whole numbers so small that every sum of products is exact in
 * any order, with or without fused multiplication.
 */
size_t cpu_matmul_bytes(uint64_t n);
double cpu_ops_cube(uint64_t n); /* at least 1 */
void cpu_matmul_restore(struct algo_run *run);
void cpu_matmul_setup_rows(struct algo_run *run);
const char *cpu_matmul_check_rows(const struct algo_run *run);
void cpu_matmul_setup_recursive(struct algo_run *run);
const char *cpu_matmul_check_recursive(const struct algo_run *run);

/* The same for matrices from outside (matmul_given.c). */
size_t cpu_matmul_bytes_given(const struct algo_data *given);
double cpu_matmul_ops_given(const struct algo_data *given);
const char *cpu_matmul_refuse(const struct algo_data *given);
void cpu_matmul_setup_given(struct algo_run *run,
                            enum cpu_matrix_layout layout);
const char *cpu_matmul_check_given(const struct algo_run *run,
                                   enum cpu_matrix_layout layout);
void cpu_matmul_answer_rows(const struct algo_run *run,
                            struct algo_data *answer);
void cpu_matmul_answer_recursive(const struct algo_run *run,
                                 struct algo_data *answer);

/* What s * a * b * r is for random vectors s and r, modulo a prime, if a and b
 * lie in this layout; `vectors` are two of n numbers. */
uint64_t cpu_matmul_expected(const struct algo_run *run,
                             enum cpu_matrix_layout layout, uint64_t *vectors);
/* NULL, or why c cannot be the product for which `expected` was made. */
const char *cpu_matmul_differs(const struct algo_run *run,
                               enum cpu_matrix_layout layout,
                               uint64_t expected);
