/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/transpose.h"

void cpu_transpose_block(const double *from, uint64_t from_step, double *to,
                         uint64_t to_step, uint64_t rows, uint64_t cols) {
  for (uint64_t j = 0; j < cols; j++)
    for (uint64_t i = 0; i < rows; i++)
      to[j * to_step + i] = from[i * from_step + j];
}
