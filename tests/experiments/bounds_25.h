/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/bounds_25.h -- closed forms of Jurkiewicz, PhD thesis,
 * section 2.5: searches in the van Emde Boas layout.
 *
 * Theorem 2.32 sums the IO-complexity over the layers of the translation tree,
 * a layer's nodes being its blocks.  That of the search is printed as log_B n,
 * without a constant.  Here it is counted on the layout of cpu_algos/veb.h:
 * nodes of 8 words and 3 levels, trees cut at half their height, a workspace
 * that begins at a multiple of 8 words.  In a bounds_case `n` are keys and
 * `page` words, at least 8.
 */
#ifndef TESTS_EXPERIMENTS_BOUNDS_25_H
#define TESTS_EXPERIMENTS_BOUNDS_25_H
#include "tests/experiments/bounds_24.h"

/* n searches.  The misses of LRU, ISLRU, MIN and ISMIN at any W > d, as the
 * layout is: nothing is kept but the path of the last address. */
double bounds_veb_any(const struct bounds_case *c);

/* No less than that, in closed form: the printed sum of log n / log(P K^i),
 * times 4, and rounded up.  */
double bounds_veb_closed(const struct bounds_case *c);

/* As printed: n (log_P n + log_K n ln log_P(P K^d)).  Asymptotic: with constant
 * 1 neither it nor the sum before it is a bound. */
double bounds_veb_printed(const struct bounds_case *c);

/* What MIN(W) misses at most: besides the current path it keeps what lies above
 * the top of the tree, and all nodes of the highest layers. */
double bounds_veb_upper(const struct bounds_case *c);
#endif
