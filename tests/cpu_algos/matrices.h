/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/cpu_algos/matrices.h -- matrices of random shape: small ones, ragged
 * ones around multiples of the tile, narrow ones, empty ones. */
#pragma once
#include <stdint.h>
#include <stdlib.h>

#include "cpu_algos/random.h"
#include "tests/check.h"

enum { SHAPES = 120 };

struct shape {
  uint64_t rows, cols;
  double *at; /* exactly as many, so that a sanitizer sees the next */
};

static inline uint64_t length_of(struct cpu_random *random, unsigned kind) {
  switch (kind) {
    case 0:
      return cpu_random_below(random, 4);
    case 1:
      return 31 + cpu_random_below(random, 4);
    case 2:
      return 32 * (1 + cpu_random_below(random, 5));
    default:
      return cpu_random_below(random, 200);
  }
}

static inline struct shape shape_of(uint64_t rows, uint64_t cols) {
  struct shape shape = {rows, cols, NULL};
  shape.at = malloc((rows * cols + !(rows && cols)) * sizeof *shape.at);
  if (!shape.at) abort();
  return shape;
}

static inline struct shape shape_open(struct cpu_random *random,
                                      unsigned turn) {
  uint64_t rows = length_of(random, turn % 4);
  return shape_of(rows, length_of(random, turn / 4 % 4));
}

static inline struct shape shape_like(const struct shape *other) {
  return shape_of(other->rows, other->cols);
}

static inline void shape_close(struct shape *shape) { free(shape->at); }
