/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The classic heapsort (Jurkiewicz, PhD thesis, sections 2.1 and 2.4): a heap
 * built level by level; then the last key takes the place of the largest and
 * is sifted down from the top, again and again.  heapsort.c goes bottom-up. */
#include "cpu_algos/algo.h"
#include "cpu_algos/heap.h"
#include "cpu_algos/keys.h"

static void heapsort(struct algo_run *run) {
  cpu_heap_build_levels(cpu_heap_of(run), run->n);
  cpu_heap_unwind_topdown(cpu_heap_of(run), run->n);
}

const struct algo cpu_algo_heapsort_topdown = {
    .name = "heapsort_topdown",
    .title = "top-down heapsort",
    .summary = "sort an array by the classic heapsort, as the thesis does",
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
};
