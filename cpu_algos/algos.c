/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <string.h>

#include "cpu_algos/algo.h"

extern const struct algo cpu_algo_permute;
extern const struct algo cpu_algo_random_scan;
extern const struct algo cpu_algo_binary_search;
extern const struct algo cpu_algo_heapify;
extern const struct algo cpu_algo_heapsort;
extern const struct algo cpu_algo_introsort;
extern const struct algo cpu_algo_sequential_scan;

/* The order of Jurkiewicz, PhD thesis, section 2.1. */
const struct algo *const cpu_algos[] = {
    &cpu_algo_permute,         &cpu_algo_random_scan,
    &cpu_algo_binary_search,   &cpu_algo_heapify,
    &cpu_algo_heapsort,        &cpu_algo_introsort,
    &cpu_algo_sequential_scan, NULL,
};

const struct algo *cpu_algo_find(const char *name) {
  for (size_t i = 0; cpu_algos[i]; i++)
    if (!strcmp(cpu_algos[i]->name, name)) return cpu_algos[i];
  errno = EINVAL;
  return NULL;
}
