/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/sample_bursts.h -- accesses that come to one page in a
 * burst, shorter than the time from sample to sample.
 *
 * Of such a burst, as of several fields of a node, at most one access misses.
 * Samples seldom are so near each other, but some are: of all pairs of samples
 * that are u accesses apart, the share on one page is the probability A(u) that
 * an access has another one u later on its page, however the samples were
 * drawn.  What popular pages have by chance is subtracted.  So B(T), the sum of
 * A(u) up to T, is how many more accesses of its burst come within T.
 *
 * If each burst has n accesses, B is (n - 1) / 2, and one in 1 + 2 B begins a
 * burst; if they end at random, one in 1 + B.  So the answer is 1 / (1 + c B)
 * with c from 1 to 2.  Each instruction has a B of its own; where it has few
 * pairs, that of the thread.
 */
#pragma once
#include <stdbool.h>

#include "experiments/profile/perf_samples.h"

enum { BURST_OCTAVES = 40 };

/* A(u) by octave of u, and B at the beginning of each. */
struct burst_curve {
  double within[BURST_OCTAVES], sum[BURST_OCTAVES];
};

struct burst_pairs {
  double all[BURST_OCTAVES];    /* pairs, by octave of their distance */
  double same[BURST_OCTAVES];   /* of which on one page */
  double chance[BURST_OCTAVES]; /* as many of these are by chance */
};

struct sample_bursts {
  struct burst_curve *curve; /* of instructions */
  uint32_t *of;              /* each sample: its curve */
  struct burst_pairs pairs;  /* of all */
  bool regular; /* no two samples are near each other, as with a fixed period */
};

/* `page` has the page of each sample.  Only samples with a `share` of 0 and
 * more are looked at: that share of all samples around is on their page. */
void sample_bursts_make(struct sample_bursts *bursts,
                        const struct perf_sample *sample, size_t count,
                        const uint64_t *page, const double *share);
void sample_bursts_fini(struct sample_bursts *bursts);

/* B(T), of sample `i`. */
double sample_bursts_after(const struct sample_bursts *bursts, size_t i,
                           double T);
/* How far B(T) may be off, by the number of pairs; a standard error of the
 * mean.  INFINITY: there are hardly any pairs, or none that are near. */
double sample_bursts_error(const struct sample_bursts *bursts, double T);
