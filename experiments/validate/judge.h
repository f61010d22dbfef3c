/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/judge.h -- how far predictions are from what was
 * measured, on the points that are held out.
 *
 * Errors of times are |predicted - measured| / measured; errors of ratios (time
 * on other pages over that on base pages) are differences.
 */
#pragma once
#include "experiments/validate/models.h"
#include "experiments/validate/points.h"

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
 * Fit the two numbers of a program that is not left out: c, the time of an
 * operation whose data are at hand, from the sizes within the second-level
 * cache; the overlap o, the share of its waiting that an operation is kept by,
 * from the sizes on base pages up to the median one.  Each model has its own
 * two; RAM has c alone.
 */
struct fitted fit_program(enum model_place model, unsigned without,
                          const struct points *points,
                          const struct program *program);
