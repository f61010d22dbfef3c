/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/bench/footprints/footprints.h"

struct entry {
  uint32_t column, value;
};

size_t spmv_rows_of(size_t bytes) {
  size_t rows =
      bytes / (SPMV_ROW * sizeof(struct entry) + 2 * sizeof(uint64_t));
  return rows ? rows : 1;
}

uint32_t spmv_column(uint64_t row, unsigned k, size_t rows) {
  uint64_t bits = cpu_random_at(6, row * SPMV_ROW + k);
  return (uint32_t)cpu_random_take(&bits, rows);
}

uint32_t spmv_value(uint64_t row, unsigned k) {
  return (uint32_t)cpu_random_at(7, row * SPMV_ROW + k) | 1;
}

static struct entry *make_matrix(size_t rows) {
  struct entry *entries =
      footprint_got(calloc(rows * SPMV_ROW, sizeof *entries));
  for (uint64_t i = 0; i < rows; i++)
    for (unsigned k = 0; k < SPMV_ROW; k++)
      entries[i * SPMV_ROW + k] =
          (struct entry){spmv_column(i, k, rows), spmv_value(i, k)};
  return entries;
}

static void multiply(const struct entry *entries, size_t rows,
                     const uint64_t *x, uint64_t *y) {
  for (size_t i = 0; i < rows; i++) {
    const struct entry *row = entries + i * SPMV_ROW;
    uint64_t sum = 0;
    for (unsigned k = 0; k < SPMV_ROW; k++)
      sum += row[k].value * x[row[k].column];
    y[i] = sum;
  }
}

uint64_t spmv(size_t bytes, uint64_t times) {
  const size_t rows = spmv_rows_of(bytes);
  struct entry *entries = make_matrix(rows);
  uint64_t *x = footprint_got(calloc(rows, sizeof *x));
  uint64_t *y = footprint_got(calloc(rows, sizeof *y));
  for (size_t i = 0; i < rows; i++) x[i] = i + 1;
  for (uint64_t i = 0; i < times; i++) {
    uint64_t *product = y;
    multiply(entries, rows, x, product);
    y = x;
    x = product;
  }
  uint64_t sum = footprint_sum(x, rows);
  free(entries);
  free(x);
  free(y);
  return sum;
}
