/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/sample_pages.h -- how many pages so many visits come to,
 * by a sample of the visits.
 *
 * If n samples have page i n_i times, x n random visits, x up to 1, come to
 * sum 1 - (1 - x)^n_i pages: a part of the sample, so this is unbiased however
 * popular the pages are (Hurlbert 1971, rarefaction; Good 1953).  A next visit
 * comes to a new page with probability sum n_i / n (1 - x)^(n_i - 1): each
 * sample with what the others say of its page.  No popularity has to be
 * estimated page by page, which few samples could not do.
 *
 * Beyond the sample, x > 1, pages that were not seen are reached: f1 (f1 - 1) /
 * (2 (f2 + 1)) of them at least, where f1 pages were seen once and f2 twice
 * (Chao 1984), at the pace that f1 tells (Chao et al. 2014, extrapolation).  Of
 * pages of 4 KiB no more than there are in the blocks of 2 MiB that were seen.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_pages {
  size_t *order; /* samples by page */
  size_t count, seen;
  double once, twice;         /* f1, f2 */
  double unseen, unseen_most; /* pages */
};

/* Chao's estimate. */
double pages_unseen(double once, double twice);

/* Of the samples first..last - 1 those that are `counted`; `page` has the page
 * of each sample of the thread, 2^bits bytes. */
void sample_pages_make(struct sample_pages *pages, const uint64_t *page,
                       const bool *counted, size_t first, size_t last,
                       unsigned bits);
void sample_pages_fini(struct sample_pages *pages);

/* Pages that are reached where sample i is x[i] of a visit.  If `is_new` is not
 * NULL, it gets for each sample the probability that its page was not reached
 * by others then.  `most`: as many pages were unseen as there can be. */
double sample_pages_reached(const struct sample_pages *pages,
                            const uint64_t *page, const double *x, bool most,
                            double *is_new);
