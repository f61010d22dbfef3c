/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu_algos/matmul.h"
#include "cpu_algos/widths.h"

/* Plain loops, for what is over. */
static inline __attribute__((always_inline)) void add_elements(
    const double *a, const double *b, double *c, uint64_t rows,
    struct cpu_matmul_shape shape, uint64_t first_col) {
  for (uint64_t i = 0; i < rows; i++)
    for (uint64_t j = first_col; j < shape.cols; j++) {
      double sum = c[i * shape.cols + j];
      for (uint64_t k = 0; k < shape.inner; k++)
        sum += a[i * shape.inner + k] * b[k * shape.cols + j];
      c[i * shape.cols + j] = sum;
    }
}

#if !CPU_SEES_VECTORS
void cpu_matmul_block(const double *a, const double *b, double *c,
                      struct cpu_matmul_shape shape) {
  add_elements(a, b, c, shape.rows, shape, 0);
}
#else
/* As wide as AVX-512's; the compiler makes several of it elsewhere. */
typedef double vector __attribute__((vector_size(64), aligned(8), may_alias));
enum { LANES = sizeof(vector) / sizeof(double), ROWS = 4, COLS = 2 * LANES };

#define LOAD(p) (*(const vector *)(const void *)(p))
#define STORE(p, v) (*(vector *)(void *)(p) = (v))

/* ROWS x COLS elements of c stay in registers: eight sums, as many as two units
 * of a latency of four cycles keep under way. */
static inline __attribute__((always_inline)) void add_panel(
    const double *a, const double *b, double *c,
    struct cpu_matmul_shape shape) {
  const uint64_t inner = shape.inner, step = shape.cols;
#define FROM_C(i)                        \
  vector sum##i##0 = LOAD(c + (i)*step); \
  vector sum##i##1 = LOAD(c + (i)*step + LANES)
#define ADD(i)                          \
  sum##i##0 += left * a[(i)*inner + k]; \
  sum##i##1 += right * a[(i)*inner + k]
#define TO_C(i)                   \
  STORE(c + (i)*step, sum##i##0); \
  STORE(c + (i)*step + LANES, sum##i##1)
  FROM_C(0);
  FROM_C(1);
  FROM_C(2);
  FROM_C(3);
  for (uint64_t k = 0; k < inner; k++) {
    vector left = LOAD(b + k * step), right = LOAD(b + k * step + LANES);
    ADD(0);
    ADD(1);
    ADD(2);
    ADD(3);
  }
  TO_C(0);
  TO_C(1);
  TO_C(2);
  TO_C(3);
#undef FROM_C
#undef ADD
#undef TO_C
}

CPU_EACH_WIDTH static void add_block(const double *a, const double *b,
                                     double *c, struct cpu_matmul_shape shape) {
  uint64_t i = 0;
  for (; i + ROWS <= shape.rows; i += ROWS) {
    uint64_t j = 0;
    for (; j + COLS <= shape.cols; j += COLS)
      add_panel(a + i * shape.inner, b + j, c + i * shape.cols + j, shape);
    add_elements(a + i * shape.inner, b, c + i * shape.cols, ROWS, shape, j);
  }
  add_elements(a + i * shape.inner, b, c + i * shape.cols, shape.rows - i,
               shape, 0);
}

void cpu_matmul_block(const double *a, const double *b, double *c,
                      struct cpu_matmul_shape shape) {
  add_block(a, b, c, shape);
}
#endif
