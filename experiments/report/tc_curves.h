/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/tc_curves.h -- what the programs of a report miss in
 * translation caches of every size: simulated when the report is made.
 *
 * A results file has at most what one TC missed, so each program's traced twin
 * (experiments/stream/) runs once, on an input as small as shows what it does,
 * and its pages go to a curve of all W for each size of pages that was
 * measured.  What came of it is kept on disk, beside the reuse profiles.
 */
#pragma once
#include "cpu_algos/algo.h"
#include "experiments/report/survey.h"
#include "vat/curve.h"

/* What is simulated of a program: the largest power of two that was measured
 * and is below both. */
#define TC_CURVES_OPS 16777216.0
#define TC_CURVES_BYTES ((size_t)32 << 20)

/* The sizes of pages that were measured, each once. */
enum { TC_CURVES_SIZES = 16 };
size_t tc_curves_sizes(const struct survey *survey,
                       size_t sizes[TC_CURVES_SIZES]);

struct tc_curve {
  const struct algo *algo;
  const char *generator; /* one of algo's; NULL: its first */
  uint64_t n;
  size_t page_bytes;
  double ops; /* RAM complexity of n */
  struct vat_curve_point *points;
  size_t count;
};

struct tc_curves {
  struct tc_curve *curve;
  size_t count;
};

/*
 * Add what `survey` has and `curves` does not, from disk or else simulated.
 * What is not simulated by the time `until_s` (progress.h) is left out, and so
 * is what finds no memory, works on data from outside, or has no address
 * stream.
 */
void tc_curves_add(struct tc_curves *curves, const struct survey *survey,
                   double until_s);
void tc_curves_fini(struct tc_curves *curves);

/* The program's curve on such pages; NULL: none.  And its misses at W. */
const struct tc_curve *tc_curves_find(const struct tc_curves *curves,
                                      const struct survey *survey,
                                      size_t program, size_t page_bytes);
uint64_t tc_curve_misses(const struct tc_curve *curve, uint64_t nodes);
