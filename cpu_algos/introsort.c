/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quicksort in its modern form (Jurkiewicz, PhD thesis, section 2.1): median
 * of three, heapsort where 2 log2 n partitions have not been enough, insertion
 * sort for short ranges. */
#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"
#include "cpu_algos/quick.h"

static size_t bytes(uint64_t n) { return cpu_keys_bytes(n, 1, 0); }

static void restore(struct algo_run *run) {
  cpu_keys_fill(cpu_keys(run), run->n, run->seed);
}

static void setup(struct algo_run *run) {
  restore(run);
  cpu_keys_fingerprint(cpu_keys(run), run->n, run->fingerprint);
}

static void introsort(struct algo_run *run) {
  cpu_quick_sort(cpu_keys(run), run->n);
}

static const char *check(const struct algo_run *run) {
  if (!cpu_keys_ascend(cpu_keys(run), run->n))
    return "the keys are not in ascending order";
  return cpu_keys_differ(cpu_keys(run), run->n, run->fingerprint);
}

const struct algo cpu_algo_introsort = {
    .name = "introsort",
    .title = "introsort",
    .summary = "sort an array by quicksort that cannot degenerate",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = introsort,
    .check = check,
};
