/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/judge.h -- how far predictions are from what was
 * measured, on the points that are held out.
 *
 * Errors of times are |predicted - measured| / measured; errors of ratios (time
 * on other pages over that on base pages) are differences.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_algos/algo.h"
#include "experiments/results/summary.h"
#include "experiments/validate/models.h"

/* --- points.c: what was measured, sorted by what it is for. ---
 *
 * A point is a summary row: one (program, n, page kind).  Of each program
 * numbers are fitted, all on base pages: what its operations cost, on sizes
 * that fill the second-level cache more than by half; how much of its waiting
 * it overlaps, on sizes that reach into memory, and on those up to the median
 * one; and on all of these what its elements cost, where these are not as many
 * for each operation.  All larger sizes, all large ones, and all points on
 * other page kinds are held out: predictions are judged on them alone.
 */

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

/* --- judge.c --- */

enum { JUDGE_TERMS = 12 };

struct score {
  size_t count;
  double median, p90; /* NAN where count is 0 */
};

/* Of a set of points. */
struct scores {
  struct score time, ratio;
};

/* Of times or ratios the median or what 90 of 100 do not exceed. */
double scores_part(const struct scores *scores, bool ratio, bool p90);

/* Time of an operation grows as (log n)^exponent from the second-level cache
 * on; NAN where there are fewer than four sizes. */
struct growth {
  double exponent, lo, hi; /* 95 % interval of the line through logarithms */
};

struct program_judged {
  struct fitted fitted[MODELS];
  struct scores scores[MODELS];
  struct growth measured, predicted[MODELS]; /* on base pages */
};

struct judged {
  struct program_judged *programs; /* of points->programs */
  double *predicted[MODELS];       /* ns an operation, of points->points */
  struct scores all[MODELS], large[MODELS];
  /* FULL without each term, fitted anew. */
  struct scores ablated_all[JUDGE_TERMS], ablated_large[JUDGE_TERMS];
  /* FULL, fitted anew, where each program's points have the costs of the next
   * program's that are nearest in bytes, and FULL as it is; both on the points
   * at which that changes a prediction by a tenth.  A check that can fail. */
  struct score exchanged, own;
};

/* Judge every model, FULL without the terms of `without`.  With `exchange` the
 * points get the costs of others, and what is said to be exchanged are their
 * own: which are to be better.  Release with judged_fini(). */
void judge(struct judged *judged, struct points *points, unsigned without,
           bool exchange);
void judged_fini(struct judged *judged);

/* Give each program's points the costs of the next program's. */
void judge_exchange(struct points *points);

/*
 * Fit the numbers of a program that is not left out: c, the time of an
 * operation whose data are at hand, from the sizes within the second-level
 * cache; the overlap o, the share of its waiting that an operation is kept by,
 * from the sizes on base pages up to the median one; and from these in FULL,
 * where operations are not as many for each element at all sizes, what an
 * element takes beside them.  Each model has its own; RAM has c alone.
 */
struct fitted fit_program(enum model_place model, unsigned without,
                          const struct points *points,
                          const struct program *program);
