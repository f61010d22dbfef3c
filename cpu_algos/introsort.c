/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quicksort in its modern form (Jurkiewicz, PhD thesis, section 2.1): median
 * of three, heapsort where 2 log2 n partitions have not been enough, insertion
 * sort for short ranges. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/quick.h"

static void introsort(struct algo_run *run) {
  cpu_quick_sort(cpu_keys(run), run->n);
}

static const char *check(const struct algo_run *run) {
  return cpu_keys_unsorted(run, cpu_keys(run));
}

const struct algo cpu_algo_introsort = {
    .name = "introsort",
    .title = "introsort",
    .summary = "sort an array by quicksort that cannot degenerate",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_keys_array_bytes,
    .setup = cpu_keys_setup,
    .restore = cpu_keys_restore,
    .run = introsort,
    .check = check,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_keys_answer,
    .tunes = "std_sort",
};
