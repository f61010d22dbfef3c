/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/bloom_rate.h -- how far off what (5.18) of the calibrated
 * model (calibrated.h) says of a Bloom filter's false positives a run may be.
 * Elements and w-mers are taken to be drawn independently and uniformly.
 */
#pragma once

struct bloom_rate {
  double bits, functions; /* m, k; drawn for this filter */
  double elements;        /* n_e */
  double all;             /* w-mers that there are, 4^w */
};

/* The variance of false positives, as the part of what is no element, among
 * `drawn` w-mers that are none, drawn from all: by how many bits are set, by
 * which of all pass, and by which were drawn. */
double bloom_rate_variance(const struct bloom_rate *filter, double drawn);
