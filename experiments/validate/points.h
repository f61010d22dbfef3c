/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/points.h -- what was measured, sorted by what it is for.
 *
 * A point is a summary row: one (program, n, page kind).  Of each program two
 * numbers are fitted, both on base pages: what its operations cost, on sizes
 * that fill the second-level cache more than by half, and how much of its
 * waiting it overlaps, on sizes that reach into memory, and on those up to the
 * median one.  All larger sizes, all large ones, and all points on other page
 * kinds are held out: predictions are judged on them alone.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/results/summary.h"
#include "experiments/validate/costs.h"

/* Elements from which on a size is called large. */
#define POINTS_LARGE 1e7

enum point_use {
  /* Not used: branch predictors learn such inputs by heart; or the program is
   * left out. */
  POINT_SMALL,
  POINT_FITS_C,
  POINT_FITS_OVERLAP,
  POINT_HELD_OUT
};

struct point {
  const struct summary *row;
  const struct program *program;
  double ns;       /* an operation, measured: the least of its repetitions */
  double spread;   /* their median over their least, at least 1 */
  double bytes;    /* workspace */
  double elements; /* n, or n * n of a matrix */
  enum point_use use;
  struct costs costs;
  size_t base; /* index of the point on base pages of the same n; SIZE_MAX */
};

struct program {
  const struct algo *algo;
  size_t first, count;  /* its points */
  const char *left_out; /* why, a sentence; NULL: it is not */
};

struct points {
  struct point *points;
  size_t count;
  struct program *programs;
  size_t program_count, used_programs; /* those that are not left out */
};

struct points_sizes {
  double cache_bytes;  /* the second-level cache */
  double memory_bytes; /* up to here o is fitted, or to the median size */
};

/* Why a row is no point, in words about several of them; NULL: it is one. */
const char *points_missing(const struct summary *row);

/*
 * Points of `rows`, which must outlive them, sizes ascending in each program,
 * but of those that points_missing() something.  Costs are left zero.
 */
void points_init(struct points *points, const struct summary *rows,
                 size_t count, const struct points_sizes *sizes);
/*
 * Give every point of a program that is not left out its costs, from the cache
 * of reuse profiles on disk or else simulated, which may take minutes.  Each
 * size is simulated once, for all page kinds.  Signals must be armed
 * (interrupt.h).  An exit code, having printed why; VAT_FAILED with
 * interrupt_pending() true where one came.
 */
int points_find_costs(struct points *points, const struct calibration *cal);
void points_fini(struct points *points); /* zeroed is fine */

/* Pairs of a point on other pages and its base, of programs not left out. */
size_t points_pairs(const struct points *points);
