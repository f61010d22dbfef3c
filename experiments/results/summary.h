/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/results/summary.h -- repetitions boiled down to a row.
 *
 * A row is one (algorithm, device, variant, n, page kind).  Samples
 * whose backing is not what was asked, or whose check failed, are left out of
 * every figure.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "experiments/results/results.h"

/*
 * A ratio closer to 1 than this is noise, however narrow its interval: the same
 * point measured again on the same pages, minutes later, moves by about 2 % on
 * virtual machines with shared caches, and a run's own spread does not show it.
 */
#define SUMMARY_NOISE_FLOOR 0.025

struct summary {
  const char *algo, *device, *pages; /* point into the samples */
  uint64_t n;
  const struct sample_variant *variant; /* of what it worked on */
  /* The row others are compared with: "4k", or what stands for base pages on
   * kernels built with larger ones ("16k", "64k"). */
  bool base;
  size_t reps;     /* samples that count */
  size_t rejected; /* samples left out: other backing than asked */
  size_t failed;   /* samples left out: wrong answer */
  bool granted_ok; /* none left out for its backing */
  /* Backing of a sample that counts, or of one left out where none does. */
  const struct hp_granted *granted;
  double ram_ops;
  double ns_per_op_min, ns_per_op_median; /* NAN where reps is 0 */
  /* Time relative to base pages of the same algo, device, n: median of the
   * ratios of equal repetitions, with a bootstrap 95 % interval.  NAN on base
   * pages and where there is no base row; the interval is NAN below
   * RATIO_MIN_PAIRS pairs. */
  double ratio_to_4k, ratio_lo, ratio_hi;
  /* Times of the pair whose ratio is nearest the median: figures to show beside
   * it.  Medians of each side by itself need not divide to it. */
  double pair_base_ns_per_op, pair_ns_per_op;
  size_t counters; /* medians over repetitions */
  struct sample_counter counter[SAMPLE_COUNTERS];
  /* Not measured: see summaries_add_simulated(); NULL: not simulated. */
  const struct simulated *simulated;
  /* Place among the rows: first sample of all its sizes, size (first sample of
   * its work), then listing order. */
  const struct sample *line, *work;
  size_t pages_rank;
};

/*
 * Rows ordered as the samples first name what was worked on (all of that but
 * sizes and pages), by size, and then as the page kinds are listed, base pages
 * first.  The caller frees *rows, which must not outlive `samples`.
 */
void summaries_make(const struct sample *samples, size_t count,
                    struct summary **rows, size_t *row_count);

/* Give each row what was simulated of it.  A record does not say of which
 * variant it is, so rows that differ in nothing else are given none.  The
 * `records` must outlive the rows. */
void summaries_add_simulated(struct summary *rows, size_t count,
                             const struct simulated *records,
                             size_t record_count);

/* Is it one of those that the row is of, and counts? */
bool summary_has(const struct summary *row, const struct sample *sample);

/* True when the ratio's interval leaves no doubt which side of 1 it is on and
 * the difference exceeds the noise floor. */
bool summary_is_significant(const struct summary *row);

/* {"record":"summary",...}; the caller owns it. */
extern const struct field summary_fields[];
json_t *summary_to_json(const struct summary *row);
/* To print it with: more digits would show how binary fractions round. */
#define SUMMARY_JSON_FLAGS \
  (JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6))
