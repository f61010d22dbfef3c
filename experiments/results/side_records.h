/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/side_records.h -- what a results file has beside what was
 * measured; doc/results-format.md has every key.
 *
 * What the machine was like meanwhile: benchmarks that are always the same,
 * timed between others.  And what a translation cache of the VAT model would
 * miss: in records of their own, one per algorithm, size and page kind, so that
 * nobody takes them for measurements.
 */
#pragma once
#include "experiments/results/sample.h"

struct results_canary {
  uint32_t pass;            /* over all sizes, from 0 on */
  double ns_per_op;         /* of a loop that only computes */
  char pages[HP_NAME_SIZE]; /* of the settled chase; empty: there was none */
  double bytes, ns;         /* its footprint, and the time of an access */
  /* The same of the line chase, which others had no time to disturb; 0: there
   * was none. */
  double line_bytes, line_ns;
};

extern const struct field canary_fields[];

struct simulated {
  char algo[SAMPLE_NAME_SIZE];
  char device[16];
  uint64_t n;
  char pages[HP_NAME_SIZE];
  uint64_t seed;
  char policy[16];
  uint64_t tc_nodes; /* W */
  /* The tree: pages of 2^page_bits bytes, 2^index_bits children a node. */
  uint64_t page_bits, index_bits, levels;
  uint64_t accesses; /* loads and stores of the workspace */
  uint64_t misses;   /* of the TC, over all layers */
};

/* {"record":"simulated",...}; and of it what is of the cache alone. */
extern const struct field simulated_fields[], simulated_cache_fields[];

/* The first of `count` records that is of this algorithm, device, size and page
 * kind; NULL: none. */
const struct simulated *simulated_find(const struct simulated *records,
                                       size_t count, const char *algo,
                                       const char *device, uint64_t n,
                                       const char *pages);
