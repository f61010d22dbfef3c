/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/lanes.h -- four points at a time, as a vector of their x and one
 * of their y.  Not where CPU_SEES_VECTORS is 0.
 */
#pragma once
#include <stdint.h>

#include "cpu_algos/points.h"
#include "cpu_algos/widths.h"

enum { CPU_LANES = 4 };

#if CPU_SEES_VECTORS
typedef double cpu_lanes
    __attribute__((vector_size(32), aligned(8), may_alias));
/* Of comparisons: -1 for yes in each lane, else 0. */
typedef int64_t cpu_lanes_mask
    __attribute__((vector_size(32), aligned(8), may_alias));

#if defined __clang__
#define CPU_LANES_SHUFFLE(a, b, i, j, k, l) \
  __builtin_shufflevector(a, b, i, j, k, l)
#else
#define CPU_LANES_SHUFFLE(a, b, i, j, k, l) \
  __builtin_shuffle(a, b, (cpu_lanes_mask){i, j, k, l})
#endif

/* Two points, of doubles or of floats. */
typedef float cpu_lanes_floats
    __attribute__((vector_size(16), aligned(4), may_alias));
#define CPU_LANES_LOAD(p) (*(const cpu_lanes *)(const void *)(p))
#define CPU_LANES_LOAD_FLOATS(p)                                        \
  __builtin_convertvector(*(const cpu_lanes_floats *)(const void *)(p), \
                          cpu_lanes)

/* x or y of four points, from two and two, in the order 0 2 1 3, which takes
 * one instruction. */
#define CPU_LANES_X_OF(low, high) CPU_LANES_SHUFFLE(low, high, 0, 4, 2, 6)
#define CPU_LANES_Y_OF(low, high) CPU_LANES_SHUFFLE(low, high, 1, 5, 3, 7)
#define CPU_LANES_X(p) \
  CPU_LANES_X_OF(CPU_LANES_LOAD(p), CPU_LANES_LOAD((p) + 2))
#define CPU_LANES_Y(p) \
  CPU_LANES_Y_OF(CPU_LANES_LOAD(p), CPU_LANES_LOAD((p) + 2))

/* Store a mask in the points' order. */
#define CPU_LANES_STORE(at, mask) \
  (*(cpu_lanes_mask *)(void *)(at) = CPU_LANES_SHUFFLE(mask, mask, 0, 2, 1, 3))

#define CPU_LANES_ABS(v) ((cpu_lanes)((cpu_lanes_mask)(v)&INT64_MAX))
#define CPU_LANES_ALL(number) ((cpu_lanes){number, number, number, number})
#define CPU_LANES_CHOOSE(mask, yes, no)           \
  ((cpu_lanes)(((mask) & (cpu_lanes_mask)(yes)) | \
               (~(mask) & (cpu_lanes_mask)(no))))
#endif
