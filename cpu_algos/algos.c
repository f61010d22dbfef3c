/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "cpu_algos/algo.h"

/* The table: a line is a file.  First those of Jurkiewicz, PhD thesis, section
 * 2.1, in its order; then the others. */
#define ALGOS(X)         \
  X(permute)             \
  X(random_scan)         \
  X(binary_search)       \
  X(heapify)             \
  X(heapsort)            \
  X(introsort)           \
  X(sequential_scan)     \
  X(veb_search)          \
  X(eytzinger_search)    \
  X(eytzinger_prefetch)  \
  X(bplus_search)        \
  X(transpose_rows)      \
  X(transpose_recursive) \
  X(transpose_morton)    \
  X(matmul_rows)         \
  X(matmul_recursive)    \
  X(hull2d)              \
  X(hull2d_float)        \
  X(andrew_hull)         \
  X(andrew_hull_float)

#define DECLARE(name) extern const struct algo cpu_algo_##name;
#define LIST(name) &cpu_algo_##name,

ALGOS(DECLARE)

const struct algo *const cpu_algos[] = {ALGOS(LIST) NULL};

const struct algo *cpu_algo_find(const char *name) {
  for (size_t i = 0; cpu_algos[i]; i++)
    if (!strcmp(cpu_algos[i]->name, name)) return cpu_algos[i];
  errno = EINVAL;
  return NULL;
}
