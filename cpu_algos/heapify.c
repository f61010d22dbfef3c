/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build a heap of an array (Jurkiewicz, PhD thesis, section 2.1). */
#include "cpu_algos/algo.h"
#include "cpu_algos/heap.h"
#include "cpu_algos/keys.h"

/* One key of room before the heap brings siblings into one cache line. */
static uint64_t *heap_of(const struct algo_run *run) {
  return cpu_keys(run) + 1;
}

static size_t bytes(uint64_t n) { return cpu_keys_bytes(n, 1, 1); }

static void restore(struct algo_run *run) {
  cpu_keys_fill(heap_of(run), run->n, run->seed);
}

static void setup(struct algo_run *run) {
  restore(run);
  cpu_keys_fingerprint(heap_of(run), run->n, run->fingerprint);
}

static void heapify(struct algo_run *run) {
  cpu_heap_build(heap_of(run), run->n);
}

static const char *check(const struct algo_run *run) {
  if (!cpu_heap_is(heap_of(run), run->n)) return "a key exceeds its parent";
  return cpu_keys_differ(heap_of(run), run->n, run->fingerprint);
}

const struct algo cpu_algo_heapify = {
    .name = "heapify",
    .title = "heapify",
    .summary = "build a heap of an array in place",
    .device = "cpu",
    .complexity = "n",
    .ram_ops = cpu_ops_linear,
    .bytes = bytes,
    .setup = setup,
    .restore = restore,
    .run = heapify,
    .check = check,
};
