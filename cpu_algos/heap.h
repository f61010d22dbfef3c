/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/heap.h -- binary max-heaps in place, largest key in front.
 *
 * Numbered from 1, node i has the children 2i and 2i + 1 and lives in
 * keys[i - 1].  Where keys[0] is 8 bytes past a multiple of 16, two siblings
 * always share a cache line; any array works.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/keys.h"

/* The same heap, O(n): in post-order, and level by level. */
void cpu_heap_build(uint64_t *keys, uint64_t n);
void cpu_heap_build_levels(uint64_t *keys, uint64_t n);

/* Turn a heap into ascending order, O(n log n): bottom-up, and top-down. */
void cpu_heap_unwind(uint64_t *keys, uint64_t n);
void cpu_heap_unwind_topdown(uint64_t *keys, uint64_t n);

/* Where a run has its heap: one key of room before it brings siblings into one
 * cache line. */
static inline uint64_t *cpu_heap_of(const struct algo_run *run) {
  return cpu_keys(run) + 1;
}

/* What algorithms on such a heap have in common, as algo.h has it. */
size_t cpu_heap_bytes(uint64_t n);
void cpu_heap_restore(struct algo_run *run);
void cpu_heap_setup(struct algo_run *run);
void cpu_heap_answer(const struct algo_run *run, struct algo_data *answer);
/* For algorithms whose answer is the heap: is it one, of the input's keys? */
const char *cpu_heap_check(const struct algo_run *run);
/* For sorts. */
const char *cpu_heap_check_sorted(const struct algo_run *run);

bool cpu_heap_is(const uint64_t *keys, uint64_t n);
