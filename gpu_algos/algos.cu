/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gpu_algos/gpu.h"
extern "C" {
#include "gpu_algos/algos.h"
}

/* The table: a line is a file. */
#define ALGOS(X)      \
  X(copy)             \
  X(reduce)           \
  X(scan)             \
  X(coalescing)       \
  X(bank_conflicts)   \
  X(matmul_tiled)     \
  X(list_ranking_hj)  \
  X(histogram_shared) \
  X(hull_gpu)         \
  X(hull_gpu_float)

#define DECLARE(name) extern "C" const struct algo GPU_SYMBOL(name);
#define LIST(name) &GPU_SYMBOL(name),

ALGOS(DECLARE)
extern "C" const struct gpu_device GPU_SYMBOL(device);

static const struct algo *const algos[] = {ALGOS(LIST) nullptr};

extern "C" const struct gpu_set GPU_SYMBOL(set);
const struct gpu_set GPU_SYMBOL(set) = {algos, &GPU_SYMBOL(device)};
