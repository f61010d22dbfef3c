/* SPDX-License-Identifier: BSD-2-Clause */
/* vat/bounds.h -- closed forms: what access patterns miss at least and at most.
 *
 * Jurkiewicz, PhD thesis, sections 2.4 to 2.6: numbers of TC misses with every
 * constant, d + 1 nodes a path.  Where the text has O() only, or speaks of
 * another program than ours, its argument was followed.  The .c files say how,
 * doc/bounds.md lists it all.
 *
 * Keys and matrix elements take 8 bytes and lie one after the other from `base`
 * on.  Where an input is random a bound is one of the expectation, set off by
 * as much as chance exceeds once in a million inputs.
 *
 * A lower bound is at least 0.  An upper bound is INFINITY where W, or pages,
 * are too small for what it argues by.  Without keys there is nothing to miss:
 * 0.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "vat/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Policies, by what the theorems of section 2.3 say of them. */
enum vat_bounds_policy {
  VAT_BOUNDS_RECENT, /* LRU and ISLRU: ISLRU(W) <= LRU(W) <= 2 MIN(W / 2) */
  VAT_BOUNDS_MIN,    /* LRU(2 W) / 2 <= MIN(W) */
  VAT_BOUNDS_ISMIN   /* MIN(W) <= ISMIN(W) <= MIN(W - d) */
};

struct vat_bounds_case {
  uint64_t n;           /* keys, < 2^53, or rows and columns of a matrix */
  uint64_t base;        /* address of the workspace */
  struct vat_tree tree; /* K, P and d; holds the workspace */
  uint64_t nodes;       /* W, at least d + 1 */
  enum vat_bounds_policy policy;
};

/* A bound; the forms below are of this type. */
typedef double vat_bounds_form(const struct vat_bounds_case *c);

/* How far, except with probability 1e-6, a sum of n values is from its
 * expectation where each lies in an interval of length `range`, whatever those
 * before it were: Azuma's inequality. */
double vat_bounds_deviation(double n, double range);

/*
 * Theorem 2.32: an algorithm whose IO-complexity on a memory of M keys in
 * blocks of B keys is at most io(M, B, arg) has MIN(W) <= the sum over layers i
 * of io(a P K^i, P K^i), P in keys.  a = floor((W - 1) / d): printed W / d,
 * which forgets that there are d + 1 layers, of which the root needs one node.
 */
typedef double vat_bounds_io(double memory, double block, const void *arg);
double vat_bounds_cache_oblivious(const struct vat_bounds_case *c,
                                  vat_bounds_io *io, const void *arg);

/* What theorems 2.14 and 2.16 make of a bound `of_min` of MIN(W) for the policy
 * of the case. */
double vat_bounds_by_policy(const struct vat_bounds_case *c,
                            vat_bounds_form *of_min);

/* Sequential access: exact, as the base is known. */
vat_bounds_form vat_bounds_scan;
/* From anywhere: sum over layers of ceil(n / P K^i), and d more. */
vat_bounds_form vat_bounds_scan_lower, vat_bounds_scan_upper;
/* Without ceilings: as printed; and one more, as it holds where a page has room
 * for a key. */
vat_bounds_form vat_bounds_scan_printed, vat_bounds_scan_closed;

/* n random accesses (lemma 2.27): a random order of n keys, read from an array
 * behind them, and random swaps of a prefix that shrinks. */
vat_bounds_form vat_bounds_random_scan_lower, vat_bounds_random_scan_upper;
vat_bounds_form vat_bounds_permute_lower, vat_bounds_permute_upper;
vat_bounds_form vat_bounds_random_printed_lower,
    vat_bounds_random_printed_upper;
/* In closed form, as they hold; the lower ones of the expected number, the
 * upper ones where W > 2 d. */
vat_bounds_form vat_bounds_random_scan_closed_lower,
    vat_bounds_random_scan_closed_upper;
vat_bounds_form vat_bounds_permute_closed_lower,
    vat_bounds_permute_closed_upper;

/* n binary searches by steps of powers of two (lemma 2.28). */
vat_bounds_form vat_bounds_search_lower, vat_bounds_search_upper;
vat_bounds_form vat_bounds_search_printed_lower,
    vat_bounds_search_printed_upper;
/* The upper one in closed form, as it holds of each n searches: n (d + (1 + L)
 * (1 + L / (2 k))) + W of MIN, where W > 3 d. */
vat_bounds_form vat_bounds_search_closed;
/* The same by halves of the range, the thesis's search tree. */
vat_bounds_form vat_bounds_bisect_lower, vat_bounds_bisect_upper;

/* Heaps whose node i is key i, 0 unused: built in post-order, and unwound. */
vat_bounds_form vat_bounds_heapify_lower, vat_bounds_heapify_upper;
vat_bounds_form vat_bounds_heapsort_lower, vat_bounds_heapsort_upper;
/* Built level by level and unwound from the top, as the thesis does; d + n p /
 * P as printed. */
vat_bounds_form vat_bounds_heapify_levels_lower,
    vat_bounds_heapify_levels_upper, vat_bounds_heapify_levels_printed;
vat_bounds_form vat_bounds_heapsort_topdown_lower,
    vat_bounds_heapsort_topdown_upper;
/* The second phase of heapsort alone: bottom-up, top-down. */
vat_bounds_form vat_bounds_unwind_upper, vat_bounds_unwind_topdown_upper;

/* Quicksort of a random order by medians of three and Lomuto's partition; lower
 * for all pivots and partitions. */
vat_bounds_form vat_bounds_quicksort_lower, vat_bounds_quicksort_upper;
/* Of any order by random pivots and Hoare's partition. */
vat_bounds_form vat_bounds_quicksort_plain_upper;

/* n searches in the van Emde Boas layout of nodes of 8 words and 3 levels. */
vat_bounds_form vat_bounds_veb_lower, vat_bounds_veb_upper;
/* At any W > d; the same in closed form, the printed sum of log n / log(P K^i)
 * times 4, rounded up; the integral printed for it; at most of MIN(W). */
vat_bounds_form vat_bounds_veb_any, vat_bounds_veb_closed,
    vat_bounds_veb_printed, vat_bounds_veb_min;

/* Transposes of n x n doubles into memory behind them: row by row, by halves
 * down to 8 x 8, by quarters in the recursive layout of tiles of 32 x 32. */
vat_bounds_form vat_bounds_rows_lower, vat_bounds_rows_upper;
vat_bounds_form vat_bounds_halves_lower, vat_bounds_halves_upper;
vat_bounds_form vat_bounds_tiles_lower, vat_bounds_tiles_upper;

/* The product of two matrices of that layout, by eight products of quarters. */
vat_bounds_form vat_bounds_matmul_lower, vat_bounds_matmul_upper;
/* As printed: K^1.5 / (K^1.5 - 1) n^3 / (a^0.5 P^1.5), without a constant. */
vat_bounds_form vat_bounds_matmul_printed;

/* The product of matrices that lie row by row, as it is defined. */
vat_bounds_form vat_bounds_product_rows_lower, vat_bounds_product_rows_upper;

/* Transforms of n complex numbers of two words, or of the next power of two: in
 * place and radix 2, with a table of roots behind; and by sqrt(n) transforms of
 * sqrt(n) between transposes. */
vat_bounds_form vat_bounds_fft_lower, vat_bounds_fft_upper;
vat_bounds_form vat_bounds_fft_split_lower, vat_bounds_fft_split_upper;

/* Lazy funnelsort, which merges n^(1/3) segments of n^(2/3) keys. */
vat_bounds_form vat_bounds_funnel_lower, vat_bounds_funnel_upper;

#ifdef __cplusplus
}
#endif
