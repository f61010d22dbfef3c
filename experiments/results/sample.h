/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/sample.h -- one repetition, as measured and as stored.
 *
 * A results file is JSON Lines: a machine record, then a sample a line.  See
 * doc/results-format.md for every key.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/machine/counters.h"
#include "experiments/results/sample_variant.h"
#include "huge_pages/region.h"

enum {
  RESULTS_SCHEMA = 1,
  SAMPLE_NAME_SIZE = 48,
  /* Those of the device, and what the algorithm counts of itself. */
  SAMPLE_COUNTERS = COUNTERS_MAX + ALGO_COUNTS
};

struct sample_counter {
  char name[32];
  bool present; /* false: null in the file, absent on that machine */
  uint64_t value;
};

struct sample {
  char algo[SAMPLE_NAME_SIZE];
  char device[16];
  uint64_t n;
  char pages_asked[HP_NAME_SIZE];
  struct hp_granted pages_granted; /* backing of the workspace used */
  bool granted_ok;                 /* all of it as asked */
  uint32_t rep;
  uint64_t ns; /* time of run alone */
  /* Copies of the workspace to a device and back, where it ran on one. */
  bool transferred;
  uint64_t upload_ns, download_ns;
  double ram_ops; /* RAM complexity of n */
  uint64_t seed;
  struct sample_variant variant;
  bool check_ok;
  long line; /* of the file it was read from; 0: of none */
  size_t counters;
  struct sample_counter counter[SAMPLE_COUNTERS];
};
