/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build a heap of an array (Jurkiewicz, PhD thesis, section 2.1): in
 * post-order; heapify_levels.c goes level by level. */
#include "cpu_algos/algo.h"
#include "cpu_algos/heap.h"
#include "cpu_algos/keys.h"

static void heapify(struct algo_run *run) {
  cpu_heap_build(cpu_heap_of(run), run->n);
}

const struct algo cpu_algo_heapify = {
    .name = "heapify",
    .title = "heapify",
    .summary = "build a heap of an array in place",
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
    .tunes = "heapify_levels",
};
