/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/quick.h -- introsort's parts, apart from the table for the tests.
 */
#pragma once
#include <stdint.h>

/* What a sort did, for the proof that it is O(n log n). */
struct cpu_quick_work {
  uint64_t partitioned; /* keys that went through a partition, in all */
  uint64_t fallbacks;   /* ranges left to heapsort */
};

/* Ranges of at most this many keys are left to insertion sort. */
enum { CPU_QUICK_CUTOFF = 16 };

/*
 * Split keys[0..n), n >= 3, about the median of the first, middle and last
 * key: returns where that pivot ends up, smaller keys before it, the others
 * (also equal ones) behind it.
 */
uint64_t cpu_quick_partition(uint64_t *keys, uint64_t n);

/* Sort ascending by introsort (Musser, 1997). */
struct cpu_quick_work cpu_quick_sort(uint64_t *keys, uint64_t n);
