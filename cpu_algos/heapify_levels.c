/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build a heap of an array level by level, as Jurkiewicz, PhD thesis, section
 * 2.4 analyses it: sift(i) for i = floor(n / 2) down to 1, from the top.  The
 * largest key comes first here, the smallest one there.  heapify.c makes the
 * same heap in an order that misses less. */
#include "cpu_algos/algo.h"
#include "cpu_algos/heap.h"
#include "cpu_algos/keys.h"

static void heapify(struct algo_run *run) {
  cpu_heap_build_levels(cpu_heap_of(run), run->n);
}

const struct algo cpu_algo_heapify_levels = {
    .name = "heapify_levels",
    .title = "heapify by levels",
    .summary = "build a heap of an array level by level, as the thesis does",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = cpu_heap_bytes,
    .setup = cpu_heap_setup,
    .restore = cpu_heap_restore,
    .run = heapify,
    .check = cpu_heap_check,
    .data = "keys",
    .generators = cpu_keys_generators,
    .answer = cpu_heap_answer,
};
