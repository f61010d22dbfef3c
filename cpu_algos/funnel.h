/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_algos/funnel.h -- lazy funnelsort's parts, apart from the table for the
 * tests.
 *
 * A k-funnel is a complete binary tree of k - 1 mergers of two streams, for k a
 * power of two.  Each merger but the root writes to a buffer that the merger
 * above reads.  The tree lies in the van Emde Boas layout: the upper half of
 * its levels, and then each lower half behind its output buffer, which has the
 * third power of the lower half's streams as keys.  (Frigo, Leiserson, Prokop,
 * Ramachandran: Cache-oblivious algorithms, FOCS 1999; Brodal, Fagerberg: Cache
 * oblivious distribution sweeping, ICALP 2002.)
 */
#pragma once
#include <stdint.h>

/* What a sort did, for the proof that it is O(n log n). */
struct cpu_funnel_work {
  uint64_t comparisons;
  uint64_t merged; /* keys that left a merger, in all */
  uint64_t fills;  /* times that a merger was asked for keys */
};

/* Ranges of at most this many keys are left to insertion sort. */
enum { CPU_FUNNEL_CUTOFF = 16 };

/* Levels of mergers for n keys: the least h such that 2^(3 h) >= n, and 1. */
unsigned cpu_funnel_height(uint64_t n);

/* Words that a funnel of that many levels takes. */
uint64_t cpu_funnel_words(unsigned height);

/* Sort keys[0..n) ascending.  Behind it lies scratch: n words, and
 * cpu_funnel_words(cpu_funnel_height(n)) more. */
struct cpu_funnel_work cpu_funnel_sort(uint64_t *keys, uint64_t n);
