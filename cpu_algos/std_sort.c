/* SPDX-License-Identifier: GPL-3.0-or-later */
/* std::sort of the C++ library, whichever it is: what Jurkiewicz, PhD thesis,
 * ran as quicksort (chapter 2: "introsort is the version of quicksort used in
 * modern versions of the STL").  The C++ standard promises O(n log n)
 * comparisons and no structure, so there is no bound on its misses. */
#include "cpu_algos/std_sort.h"

#include "cpu_algos/algo.h"
#include "cpu_algos/keys.h"

static void sort(struct algo_run *run) { cpu_std_sort(cpu_keys(run), run->n); }

static const char *check(const struct algo_run *run) {
  return cpu_keys_unsorted(run, cpu_keys(run));
}

const struct algo cpu_algo_std_sort = {
    .name = "std_sort",
    .title = "std::sort",
    .summary = "sort an array by std::sort of the C++ library",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_keys_array_bytes,
    .setup = cpu_keys_setup,
    .restore = cpu_keys_restore,
    .run = sort,
    .check = check,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_keys_answer,
};
