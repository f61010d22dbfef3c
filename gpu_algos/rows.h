/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/rows.h -- words taken four at a time, and a few such vectors by
 * each thread before it waits for the first: 64 bytes a thread in flight are
 * what the memory of an H100 takes to be busy.
 *
 * Row r of a thread is the vector `first` + r * STRIDE of an array of `end`.
 */
#pragma once
#include "gpu_algos/gpu.h"

/* Padding included: what lies behind n words is 0. */
static inline uint32_t rows_vectors(uint64_t n) {
  return (uint32_t)((n + 3) / 4);
}

static inline uint4 *rows_of(uint32_t *words) { return (uint4 *)words; }

template <int STRIDE, int ROWS>
static __device__ __forceinline__ void rows_load(uint4 (&rows)[ROWS],
                                                 const uint4 *in,
                                                 uint32_t first, uint32_t end) {
  if (first + (ROWS - 1) * STRIDE < end) {
#pragma unroll
    for (int r = 0; r < ROWS; r++) rows[r] = in[first + r * STRIDE];
    return;
  }
#pragma unroll
  for (int r = 0; r < ROWS; r++) {
    rows[r] = make_uint4(0, 0, 0, 0);
    if (first + r * STRIDE < end) rows[r] = in[first + r * STRIDE];
  }
}

template <int STRIDE, int ROWS>
static __device__ __forceinline__ void rows_store(const uint4 (&rows)[ROWS],
                                                  uint4 *out, uint32_t first,
                                                  uint32_t end) {
#pragma unroll
  for (int r = 0; r < ROWS; r++)
    if (first + r * STRIDE < end) out[first + r * STRIDE] = rows[r];
}
