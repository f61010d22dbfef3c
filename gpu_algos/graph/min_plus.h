/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/graph/min_plus.h -- a matrix of distances times itself, by min and
 * + in place of + and *: a block has a sub-block of SIDE x SIDE of them. */
#pragma once
#include "cpu_algos/apsp.h"
#include "gpu_algos/gpu.h"

namespace {

enum { COPY = 256 }; /* threads of a block */

/* The thread at (x, y) of COLUMNS x ROWS has the distances at x + i * COLUMNS,
 * y + j * ROWS of the sub-block. */
template <int SIDE, int THREADS>
struct shape {
  enum {
    COLUMNS = THREADS / SIDE > SIDE / 4 ? THREADS / SIDE : SIDE / 4,
    ROWS = THREADS / COLUMNS,
    WIDE = SIDE / COLUMNS,
    HIGH = SIDE / ROWS
  };
};

template <int SIDE, int THREADS>
__device__ __forceinline__ void load_tile(int32_t (*tile)[SIDE],
                                          const int32_t *from, uint32_t side) {
#pragma unroll
  for (uint32_t i = threadIdx.x; i < SIDE * SIDE; i += THREADS)
    tile[i / SIDE][i % SIDE] = from[(uint64_t)(i / SIDE) * side + i % SIDE];
}

/* to = min(from, from * from); 0 on the diagonal of `from` makes the product
 * alone the minimum of both. */
template <int SIDE, int THREADS>
__global__ void __launch_bounds__(THREADS)
    square_distances(const int32_t *from, int32_t *to, uint32_t side) {
  typedef shape<SIDE, THREADS> in;
  __shared__ int32_t left[SIDE][SIDE], right[SIDE][SIDE];
  uint32_t x = threadIdx.x % in::COLUMNS, y = threadIdx.x / in::COLUMNS;
  const int32_t *row = from + (uint64_t)blockIdx.y * SIDE * side;
  const int32_t *column = from + (uint64_t)blockIdx.x * SIDE;
  int32_t least[in::HIGH][in::WIDE];
#pragma unroll
  for (int j = 0; j < in::HIGH; j++)
#pragma unroll
    for (int i = 0; i < in::WIDE; i++) least[j][i] = CPU_APSP_NONE;
  for (uint32_t k0 = 0; k0 < side; k0 += SIDE) {
    load_tile<SIDE, THREADS>(left, row + k0, side);
    load_tile<SIDE, THREADS>(right, column + (uint64_t)k0 * side, side);
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < SIDE; k++) {
      int32_t second[in::WIDE];
#pragma unroll
      for (int i = 0; i < in::WIDE; i++)
        second[i] = right[k][x + i * in::COLUMNS];
#pragma unroll
      for (int j = 0; j < in::HIGH; j++) {
        int32_t first = left[y + j * in::ROWS][k];
#pragma unroll
        for (int i = 0; i < in::WIDE; i++)
          least[j][i] = min(least[j][i], first + second[i]);
      }
    }
    __syncthreads();
  }
  int32_t *out =
      to + (uint64_t)(blockIdx.y * SIDE + y) * side + blockIdx.x * SIDE + x;
  /* No path and an edge of negative length are no path. */
#pragma unroll
  for (int j = 0; j < in::HIGH; j++)
#pragma unroll
    for (int i = 0; i < in::WIDE; i++)
      out[(uint64_t)j * in::ROWS * side + i * in::COLUMNS] =
          least[j][i] > CPU_APSP_NONE / 2 ? CPU_APSP_NONE : least[j][i];
}

/* Without the padding. */
__global__ void __launch_bounds__(COPY)
    copy_distances(const int32_t *from, int32_t *to, uint32_t side,
                   uint32_t n) {
  uint32_t x = blockIdx.x * COPY + threadIdx.x, y = blockIdx.y;
  if (x < n) to[(uint64_t)y * n + x] = from[(uint64_t)y * side + x];
}

}  // namespace
