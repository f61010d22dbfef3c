/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/derivation.h -- from curves to numbers, how sure these
 * are, and what they are not good for.
 *
 * Pure: the same curves give the same numbers, on whatever machine.
 * doc/calibration.md has the reasoning.
 */
#pragma once
#include <math.h>

#include "experiments/calibrate/measure.h"
#include "experiments/probe/calibration.h"

/* Derived so far: intervals are found later. */
static inline struct cal_value derived(double value) {
  return (struct cal_value){value, NAN, NAN};
}

/*
 * Fill levels, pages and streams of `cal` from its curves; names and reported
 * sizes of levels, and names and sizes of page kinds must be there.  What a
 * curve does not show becomes NAN, as all intervals do.
 */
void derive(struct calibration *cal);

/* Its parts, in their order: each uses the results of those before. */
void derive_tlbs(struct calibration *cal);
void derive_walks(struct calibration *cal);
void derive_overlaps(struct calibration *cal);
void derive_neighbours(struct calibration *cal);

/* Bytes a ns that others bring into the last cache where a settled chase over
 * `bytes` takes `ns` an access; NAN where that does not tell. */
double derive_neighbours_by(const struct calibration *cal, const char *kind,
                            double bytes, double ns);

/* Bytes of the last cache that a line chase over `bytes` has where an access
 * takes `ns`; NAN where that does not tell. */
double derive_last_by(const struct calibration *cal, const char *kind,
                      double bytes, double ns);

/* --- translation.c --- */

/* ns an access to random lines of n random base pages of `kind` takes for
 * translation; NAN without curves. */
double translation_ns(const struct calibration *cal, const char *kind,
                      double pages);

/* ns an access to random lines in `bytes` takes apart from that. */
double data_ns(const struct calibration *cal, const char *kind, double bytes);

/* --- derive_walks.c --- */

/* Which caches table lines are found in, where random accesses bring lines of
 * data and of page tables.
 *
 * Each access goes to one of data_lines lines and, if the TLB misses it, to one
 * of table_lines in each of `tables` tables, all as likely as any other.  LRU
 * keeps what was accessed within the last T accesses, where T is such that as
 * many lines are as the cache holds (H. Che, Y. Tung, Z. Wang: Hierarchical Web
 * Caching Systems, 2002): of n lines that each are one of n with chance p an
 * access, n (1 - exp(-p T / n)).  Caches that replace at random, as last levels
 * nearly do, keep n p T / (n + p T) (E. Gelenbe: A Unified Approach to the
 * Evaluation of a Class of Replacement Algorithms, 1973): more of what is used
 * seldom, and less of what is used often, as table lines are.
 */
enum table_replacement { REPLACE_LRU, REPLACE_RANDOM, REPLACEMENTS };

struct table_traffic {
  enum table_replacement replacement;
  double data_lines, table_lines; /* above 0 */
  double tables;
  double walks; /* share of accesses that the TLB misses; above 0 */
};

/* Share of accesses to table lines that a cache of `lines` lines misses. */
double table_traffic_missed(const struct table_traffic *traffic, double lines);

/*
 * Set lo and hi of every derived value of `cal`, whose values stand: the 2.5 %
 * and 97.5 % points of what follows from repetitions drawn with replacement,
 * and what up to four parts of the time give alone, as neighbours come and go.
 * NAN with fewer than three repetitions.
 */
void intervals(struct calibration *cal, const struct recording *rec);

/* --- quality.c --- */

/* Add a warning, as far as there is room. */
void quality_warn(struct calibration *cal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The warnings of noise, in the place of those there are. */
void quality_check_noise(struct calibration *cal);

/* Add what is wrong with the numbers that were derived: noise, and effects that
 * pages of the host hide. */
void quality_check(struct calibration *cal);

/* --- step_fit.c: fit what a random chase over caches shows. ---
 *
 * A cache that keeps the last `knee` spots misses a share 1 - knee / x of the
 * accesses to x random ones, each for `step` more time: so
 *   t(x) = base + sum of step[i] max(0, 1 - knee[i] / x).
 * Weighted least squares over base and all steps, none negative, for every
 * choice of knees on a grid that narrows down; then again with less weight for
 * what lies far off (P. J. Huber, Robust Estimation of a Location Parameter,
 * 1964), so that some disturbed points move nothing.
 */

enum { STEP_FIT_STEPS = 6, STEP_FIT_POINTS = 768 };

struct step_points {
  size_t count;
  struct step_point {
    double x, y, scale; /* of an error at y; above 0 */
  } at[STEP_FIT_POINTS];
};

struct step_fit {
  size_t steps;                                            /* asked for */
  double least[STEP_FIT_STEPS], most[STEP_FIT_STEPS];      /* where to look */
  double knee[STEP_FIT_STEPS], step[STEP_FIT_STEPS], base; /* found */
  double error; /* root of the mean square, in scales */
};

/* Find what is asked for; knees ascend. */
void step_fit(const struct step_points *points, struct step_fit *fit);

double step_fit_at(const struct step_fit *fit, double x);

/*
 * The fit with as few steps as do, `most` at most; one more has to leave much
 * less of the error.  Knees lie from the first point on, and some points beyond
 * the last one.
 */
void step_fit_choose(const struct step_points *points, size_t most,
                     struct step_fit *fit);
