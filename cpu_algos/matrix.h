/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/matrix.h -- matrices of doubles, row by row or in the recursive
 * layout, and what algorithms on them have in common around their run.
 *
 * The recursive layout of a matrix is that of its top left, top right, bottom
 * left and bottom right part, one after the other; a part of at most
 * CPU_MATRIX_TILE rows and columns lies row by row.  Each dimension is halved
 * by itself, at a multiple of the tile (cpu_matrix_half()), until it is a tile
 * long: so any shape is dense without padding, only the last tiles of rows and
 * of columns are smaller, and matrices that share a dimension share its
 * halves.  With a power of two of tiles a side this is the Z- or Morton order.
 * The functions of this header are not timed.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"

/* Two tiles of 8 KiB fit a first-level cache, as do the three of a product. */
enum { CPU_MATRIX_TILE = 32 };

/* Where `length` rows or columns are cut: about half, a multiple of `tile`;
 * all of them if they are at most a tile. */
static inline uint64_t cpu_matrix_half(uint64_t length, uint64_t tile) {
  if (length <= tile) return length;
  return ((length - 1) / tile / 2 + 1) * tile;
}

/* A part of a matrix that lies row by row, `cols` doubles each. */
struct cpu_matrix_part {
  uint64_t row, col; /* of its first element in the matrix */
  uint64_t rows, cols;
  double *at;
};

enum cpu_matrix_layout { CPU_MATRIX_ROWS, CPU_MATRIX_RECURSIVE };

struct cpu_matrix {
  double *at;
  uint64_t rows, cols;
  enum cpu_matrix_layout layout;
};

/* Call visit(part, state) for each part of the matrix, in order of memory. */
void cpu_matrix_visit(const struct cpu_matrix *matrix,
                      void (*visit)(const struct cpu_matrix_part *, void *),
                      void *state);

/* The square matrix number `index` of the workspace. */
struct cpu_matrix cpu_matrix_of(const struct algo_run *run, unsigned index,
                                enum cpu_matrix_layout layout);

/* Bytes of `matrices` square matrices and `vectors` vectors; never 0 but for
 * overflow of size_t.  For algo.bytes. */
size_t cpu_matrix_bytes(uint64_t n, unsigned matrices, unsigned vectors);

/* Element (i, j) becomes number i * cols + j of the seed: of [0, 1), or a
 * whole number whose absolute value is at most 2^(bits - 1), if bits > 0. */
void cpu_matrix_fill(const struct cpu_matrix *matrix, uint64_t seed,
                     unsigned bits);

/* Copy elements that lie row by row into the matrix, or out of it. */
void cpu_matrix_load(const struct cpu_matrix *matrix, const double *rows);
void cpu_matrix_unload(const struct cpu_matrix *matrix, double *rows);

/* A number that tells matrices apart, whatever their layouts (but for a chance
 * of about 2^-64); the transposed one is that of the transposed matrix. */
uint64_t cpu_matrix_print(const struct cpu_matrix *matrix);
uint64_t cpu_matrix_print_transposed(const struct cpu_matrix *matrix);

void cpu_matrix_clear(const struct cpu_matrix *matrix);

/* The RAM complexity n^2, at least 1. */
double cpu_ops_square(uint64_t n);
