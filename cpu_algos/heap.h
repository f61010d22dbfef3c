/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/heap.h -- binary max-heaps in place, largest key in front.
 *
 * Numbered from 1, node i has the children 2i and 2i + 1 and lives in
 * keys[i - 1].  Where keys[0] is 8 bytes past a multiple of 16, two siblings
 * always share a cache line; any array works.
 */
#ifndef CPU_ALGOS_HEAP_H
#define CPU_ALGOS_HEAP_H
#include <stdbool.h>
#include <stdint.h>

void cpu_heap_build(uint64_t *keys, uint64_t n); /* O(n) */

/* Turn a heap into ascending order, O(n log n). */
void cpu_heap_unwind(uint64_t *keys, uint64_t n);

bool cpu_heap_is(const uint64_t *keys, uint64_t n);
#endif
