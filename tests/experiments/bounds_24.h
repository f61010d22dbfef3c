/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/bounds_24.h -- closed forms of Jurkiewicz, PhD thesis,
 * section 2.4: what the thesis's programs cost at least and at most.
 *
 * All are numbers of TC misses, with every constant.  Where the text has O()
 * only, its argument was followed with constants, and where it forgets that a
 * path over d levels has d + 1 nodes, they are counted; the .c says how.
 *
 * `upper` bounds are of MIN(W), by a caching strategy that somebody must be
 * able to follow in W cells: INFINITY where W is too small for it.  By theorems
 * 2.14 and 2.16 ISMIN(W) <= upper(W - d) and ISLRU(W) <= LRU(W) <=
 * 2 upper(W / 2); of scans they hold for LRU and ISLRU as they are.
 * `lower` bounds of random programs are of the expectation under policies that
 * do not know the future; by theorem 2.14 MIN(W) >= lower(2 W) / 2.
 */
#ifndef TESTS_EXPERIMENTS_BOUNDS_24_H
#define TESTS_EXPERIMENTS_BOUNDS_24_H
#include <stddef.h>
#include <stdint.h>

struct bounds_case {
  uint64_t n;        /* keys */
  uint64_t page;     /* keys in a page: the thesis's P */
  unsigned lg_nodes; /* k: 2^k children a node */
  unsigned levels;   /* d: d + 1 nodes a path */
  uint64_t nodes;    /* W */
};

/* How far, except with probability 1e-6, a sum of n values is from its
 * expectation where each lies in an interval of length `range`, whatever those
 * before it were. */
double bounds_deviation(double n, double range);

/* Sequential access, from anywhere in a page. */
double bounds_scan_lower(const struct bounds_case *c);
double bounds_scan_upper(const struct bounds_case *c);
/* The same without ceilings, as it is printed, and as it holds. */
double bounds_scan_printed(const struct bounds_case *c);
double bounds_scan_closed(const struct bounds_case *c);

/* n random accesses, each to a place among the first 1, 2, ... n in some order:
 * permute, and random_scan, where they are those not yet seen.  Besides one
 * sequential scan. */
double bounds_random_lower(const struct bounds_case *c);
double bounds_random_printed(const struct bounds_case *c); /* a lower bound */
double bounds_random_upper(const struct bounds_case *c);

/* n binary searches, where n + 1 is a power of two and the array begins at a
 * multiple of as many keys. */
double bounds_search_lower(const struct bounds_case *c);
double bounds_search_printed(const struct bounds_case *c); /* a lower bound */
double bounds_search_upper(const struct bounds_case *c);
/* Of those misses that bounds_search_lower() counts, the most in one search. */
double bounds_search_range(const struct bounds_case *c);

/* Heaps whose siblings share a page; lower: misses of leaves under LRU or
 * ISLRU, where each sift goes down to the bottom and n + 1 is a power of 2. */
double bounds_heapify_lower(const struct bounds_case *c);
double bounds_heapify_upper(const struct bounds_case *c);
double bounds_heapsort_upper(const struct bounds_case *c);

/* Quicksort with `count` partitions of ranges of so many keys, sorting those of
 * P keys and fewer in any way, but in place.  For a random order and the median
 * of three there are about (12/7) n / P ranges of more than P keys, which have
 * (12/7) n ln(n / P) keys in all (Knuth, TAOCP 3, 5.2.2). */
double bounds_quicksort_upper(const struct bounds_case *c,
                              const uint64_t *partitions, size_t count);
#endif
