/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/bloom_rate.h -- how many of so many w-mers a Bloom filter
 * takes for its elements, and how far off that a run may be.
 *
 * (5.18) of the calibrated model (calibrated.h) draws the functions anew for
 * each element.  One of the H3 family leads as many of all 4^w w-mers to each
 * bit: to one that is no element there is one less to meet there.  Elements and
 * w-mers are taken to be drawn independently and uniformly.
 */
#ifndef GPU_ALGOS_MODELS_BLOOM_RATE_H
#define GPU_ALGOS_MODELS_BLOOM_RATE_H

struct bloom_rate {
  double bits, functions; /* m, k; drawn for this filter */
  double elements;        /* n_e */
  double all;             /* w-mers that there are, 4^w */
};

/* False positives, the part of what is no element, of functions of H3. */
double bloom_rate_h3(const struct bloom_rate *filter);

/* The variance of that part among `drawn` w-mers that are none, drawn from all:
 * by how many bits are set, by which of all pass, and by which were drawn. */
double bloom_rate_variance(const struct bloom_rate *filter, double drawn);
#endif
