/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The address stream of an algorithm, simulated within the test. */
#pragma once
#include <stdint.h>

#include "vat/curve.h"
#include "vat/tc.h"

struct stream_case {
  const char *algo;
  uint64_t n, seed, base;
  const char *policy;
  unsigned index_bits, page_bits; /* levels: the least that hold the stream */
  uint64_t nodes;                 /* W */
};

/* The tree with as many levels as the workspace takes. */
struct vat_tree stream_case_tree(const struct stream_case *c);

struct vat_tc_counts stream_case_counts(const struct stream_case *c);

/* On another kind of input, one of the algorithm's generators. */
struct vat_tc_counts stream_case_counts_on(const struct stream_case *c,
                                           const char *generator);

/* The curve over all W; the caller frees it. */
struct vat_curve_point *stream_case_curve(const struct stream_case *c,
                                          size_t *count);

/* Its misses at W. */
uint64_t stream_curve_at(const struct vat_curve_point *curve, size_t count,
                         uint64_t nodes);
