/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/segmented.h -- a curve as straight pieces: how many, where
 * they end, how steep they are; and whether they fit better than one line or a
 * smooth curve.
 *
 * "Normalised operation time seems to be piecewise linear in the logarithm of
 * the problem size" (Jurkiewicz, PhD thesis, section 2.1).
 *
 * A piece is a line of its own through SEGMENTED_POINTS points or more.  Errors
 * are relative: weights are 1 / y^2.  For each count of pieces, the best
 * division of the points is found exactly, by dynamic programming (R. Bellman,
 * On the Approximation of Curves by Line Segments Using Dynamic Programming,
 * CACM 1961).  The count is that with the least
 *
 *   n ln(max(mean square error, floor^2)) + 2 p ln n,   p = 3 pieces - 1
 *
 * (two for each line, one for each end between them): Schwarz's criterion with
 * twice the penalty, as a break can be placed anywhere and the usual one finds
 * breaks in a fifth of straight lines with noise.  The floor is the noise floor
 * of the summaries: what fits better than measurements repeat is not better.
 *
 * Intervals are those of a bootstrap over the residuals, with as many pieces.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum {
  SEGMENTED_MOST = 6,    /* pieces */
  SEGMENTED_POINTS = 4,  /* of a piece, at least */
  SEGMENTED_SIZES = 128, /* points of a curve, at most */
  SEGMENTED_DEGREE = 5,  /* of a smooth curve, at most */
};

/* Criteria nearer to each other than that leave open which fits better (R. E.
 * Kass and A. E. Raftery, Bayes Factors, 1995: "strong" from there on). */
#define SEGMENTED_STRONG 6

struct segmented_interval {
  double value, lo, hi; /* 95 % */
};

struct segmented_piece {
  size_t first, count; /* of the points */
  double intercept;    /* at x = 0 */
  struct segmented_interval slope;
  /* Where it begins; NAN of the first: where it crosses the piece before, if
   * that is between the two points; else half way between them, a step, whose
   * interval holds both. */
  struct segmented_interval from;
  bool step;
};

/* What a model leaves. */
struct segmented_model {
  double error;     /* root of the mean square, relative */
  double criterion; /* the less, the better */
};

struct segmented {
  size_t count; /* of pieces; 0: the points cannot be fitted */
  struct segmented_piece piece[SEGMENTED_MOST];
  struct segmented_model line, pieces, curve;
  size_t degree; /* of the curve: the polynomial, 2 and up, that does best */
};

enum segmented_verdict {
  SEGMENTED_NONE,      /* the points cannot be fitted */
  SEGMENTED_LINE,      /* one piece does, and no curve does much better */
  SEGMENTED_PIECES,    /* pieces do much better than any curve */
  SEGMENTED_UNDECIDED, /* a curve does about as well as the pieces */
  SEGMENTED_CURVE,     /* a curve does much better */
};

/*
 * x ascends and no two are equal; y is above 0, and no times are more than 10^9
 * apart.  From 2 * SEGMENTED_POINTS to SEGMENTED_SIZES points.  Otherwise the
 * count of pieces is 0.  The same points give the same result.
 */
void segmented_fit(const double *x, const double *y, size_t count,
                   struct segmented *fit);

/* The line of piece i at x. */
double segmented_at(const struct segmented *fit, size_t piece, double x);

enum segmented_verdict segmented_judge(const struct segmented *fit);
