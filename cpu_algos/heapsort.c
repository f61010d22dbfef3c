/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heapsort (Jurkiewicz, PhD thesis, section 2.1). */
#include "cpu_algos/algo.h"
#include "cpu_algos/heap.h"
#include "cpu_algos/keys.h"

static void heapsort(struct algo_run *run) {
  cpu_heap_build(cpu_heap_of(run), run->n);
  cpu_heap_unwind(cpu_heap_of(run), run->n);
}

const struct algo cpu_algo_heapsort = {
    .name = "heapsort",
    .title = "heapsort",
    .summary = "sort an array by a heap built in it",
    .device = "cpu",
    .complexity = "n log2 n",
    .ram_ops = cpu_ops_nlogn,
    .bytes = cpu_heap_bytes,
    .setup = cpu_heap_setup,
    .restore = cpu_heap_restore,
    .run = heapsort,
    .check = cpu_heap_check_sorted,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_heap_answer,
    .tunes = "heapsort_topdown",
};
