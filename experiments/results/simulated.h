/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/simulated.h -- what a translation cache of the VAT model
 * would miss, simulated beside what was measured.
 *
 * A results file has it in records of their own, one per algorithm, size and
 * page kind, so that nobody takes it for a measurement; see
 * doc/results-format.md for every key.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/cli/record.h"
#include "experiments/results/sample.h"

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
