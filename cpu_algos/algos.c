/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>
#include <errno.h>
#include <string.h>

#include "cpu_algos/algo.h"

/* The table: a line is a file.  First those of Jurkiewicz, PhD thesis, section
 * 2.1, in its order, most of them tuned; then the others. */
#define ALGOS(X)         \
  X(permute)             \
  X(random_scan)         \
  X(binary_search)       \
  X(heapify)             \
  X(heapsort)            \
  X(introsort)           \
  X(sequential_scan)     \
  X(funnelsort)          \
  X(veb_search)          \
  X(eytzinger_search)    \
  X(eytzinger_prefetch)  \
  X(bplus_search)        \
  X(transpose_rows)      \
  X(transpose_recursive) \
  X(transpose_morton)    \
  X(matmul_rows)         \
  X(matmul_recursive)    \
  X(list_ranking_seq)    \
  X(list_ranking_nodes)  \
  X(histogram_seq)       \
  X(fft_radix2)          \
  X(fft_recursive)       \
  X(apsp_floyd)          \
  X(bloom_seq)           \
  X(bloom_blastn_cpu)    \
  X(facs_cpu)            \
  X(suffix_array_seq)    \
  X(hull2d)              \
  X(hull2d_float)        \
  X(andrew_hull)         \
  X(andrew_hull_float)   \
  X(heapify_levels)      \
  X(heapsort_topdown)    \
  X(quicksort_plain)     \
  X(binary_search_plain) \
  STD_SORT(X)

#ifdef HAVE_STDSORT
#define STD_SORT(X) X(std_sort)
#define NO_STD_SORT
#else
#define STD_SORT(X)
#define NO_STD_SORT                                                       \
  {"std_sort",                                                            \
   "this vat was built without std::sort of C++; fix: install g++, then " \
   "./configure --with-stdsort=yes && make"},
#endif

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

/* What is not in the table, and why. */
static const struct {
  const char *name, *why;
} unbuilt[] = {NO_STD_SORT{NULL, NULL}};

const char *cpu_algo_unbuilt(const char *name) {
  size_t i = 0;
  while (unbuilt[i].name && strcmp(unbuilt[i].name, name)) i++;
  return unbuilt[i].why;
}

const char *cpu_algo_generator(const struct algo *algo, const char *name) {
  for (size_t i = 0; algo->generators && algo->generators[i]; i++)
    if (!strcmp(algo->generators[i], name)) return algo->generators[i];
  return NULL;
}

uint64_t cpu_algo_fit(const struct algo *algo, uint64_t n) {
  return algo->fit ? algo->fit(n) : n;
}

uint64_t cpu_given_n(const struct algo_data *given) {
  uint64_t n = 0;
  bool matrix = given->rows || given->cols || given->next;
  if (!matrix) return given->count;
  for (; given; given = given->next) {
    if (given->rows > n) n = given->rows;
    if (given->cols > n) n = given->cols;
  }
  return n;
}

size_t cpu_algo_bytes(const struct algo *algo, uint64_t n,
                      const struct algo_data *given) {
  return given && algo->bytes_given ? algo->bytes_given(given) : algo->bytes(n);
}

double cpu_algo_ops(const struct algo *algo, uint64_t n,
                    const struct algo_data *given) {
  return given && algo->ops_given ? algo->ops_given(given) : algo->ram_ops(n);
}
