/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "experiments/calibrate/derivation.h"

enum { COARSE = 10, FINE = 8, ROUNDS = 5, REWEIGHTS = 3 };

/* Errors beyond so many of the median one count by their size alone: 1.35
 * standard deviations of normal ones, of which half are within 0.67. */
static const double far_off = 2;

/* Knees nearer to each other than that are one. */
static const double apart = 1.15;

static double term(double knee, double x) { return fmax(0, 1 - knee / x); }

double step_fit_at(const struct step_fit *fit, double x) {
  double y = fit->base;
  for (size_t i = 0; i < fit->steps; i++)
    y += fit->step[i] * term(fit->knee[i], x);
  return y;
}

/* Least squares where nothing is negative, as costs are not.  Made for a
 * handful of unknowns and many solutions a second: points are added up into the
 * normal equations, and these are solved one unknown after the other, cut off
 * at 0. */
enum { UNKNOWNS = STEP_FIT_STEPS + 1, SWEEPS = 400 };

struct nonneg {
  size_t unknowns, points;
  double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS], yy;
  double x[UNKNOWNS]; /* the solution; where to start from before */
};

/* b - a x for one row, with x[i] itself left out. */
static double rest(const struct nonneg *n, size_t i) {
  double rest = n->b[i];
  for (size_t j = 0; j < n->unknowns; j++)
    if (j != i) rest -= n->a[i][j] * n->x[j];
  return rest;
}

/* Find x.  Returns the root of the mean square of what is left, in scales. */
static double nonneg_solve(struct nonneg *n) {
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double moved = 0;
    for (size_t i = 0; i < n->unknowns; i++) {
      if (!(n->a[i][i] > 0)) continue;
      double next = fmax(0, rest(n, i) / n->a[i][i]);
      moved = fmax(moved, fabs(next - n->x[i]));
      n->x[i] = next;
    }
    if (moved < 1e-5) break;
  }
  double left = n->yy;
  for (size_t i = 0; i < n->unknowns; i++)
    left += n->x[i] * (n->a[i][i] * n->x[i] - n->b[i] - rest(n, i));
  return n->points ? sqrt(fmax(0, left) / (double)n->points) : INFINITY;
}

static double error(const struct step_points *points, struct step_fit *fit) {
  struct nonneg n = {
      .unknowns = fit->steps + 1, .points = points->count, .x = {fit->base}};
  for (size_t i = 0; i < fit->steps; i++) n.x[i + 1] = fit->step[i];
  for (size_t p = 0; p < points->count; p++) {
    /* The sum of row[i] x[i] should be y, give or take the scale. */
    const struct step_point *point = &points->at[p];
    double row[UNKNOWNS] = {1}, weight = 1 / (point->scale * point->scale);
    for (size_t i = 0; i < fit->steps; i++)
      row[i + 1] = term(fit->knee[i], point->x);
    n.yy += weight * point->y * point->y;
    for (size_t i = 0; i < n.unknowns; i++) {
      n.b[i] += weight * row[i] * point->y;
      for (size_t j = 0; j < n.unknowns; j++)
        n.a[i][j] += weight * row[i] * row[j];
    }
  }
  double left = nonneg_solve(&n);
  fit->base = n.x[0];
  for (size_t i = 0; i < fit->steps; i++) fit->step[i] = n.x[i + 1];
  return left;
}

/* The best of all places on a coarse grid for knees i and on: coordinate by
 * coordinate from elsewhere, two knees may end up sharing one bend. */
static void scatter(const struct step_points *points, struct step_fit *trial,
                    size_t i, struct step_fit *best) {
  if (i == trial->steps) {
    trial->error = error(points, trial);
    if (trial->error < best->error) *best = *trial;
    return;
  }
  double ratio = trial->most[i] / trial->least[i];
  for (int g = 0; g < COARSE; g++) {
    trial->knee[i] = trial->least[i] * pow(ratio, (double)g / (COARSE - 1));
    if (!i || trial->knee[i] >= trial->knee[i - 1] * apart)
      scatter(points, trial, i + 1, best);
  }
}

/* The best place of knee i among FINE within a factor of where it is. */
static void place(const struct step_points *points, struct step_fit *fit,
                  size_t i, double factor) {
  double lo = fmax(fit->least[i], fit->knee[i] / factor);
  double hi = fmin(fit->most[i], fit->knee[i] * factor);
  if (i) lo = fmax(lo, fit->knee[i - 1] * apart);
  if (i + 1 < fit->steps) hi = fmin(hi, fit->knee[i + 1] / apart);
  struct step_fit trial = *fit;
  for (int g = 0; g < FINE && lo <= hi; g++) {
    trial.knee[i] = lo * pow(hi / lo, (double)g / (FINE - 1));
    trial.error = error(points, &trial);
    if (trial.error < fit->error) *fit = trial;
  }
}

/* Knees, narrowing down from where they are. */
static void narrow(const struct step_points *points, struct step_fit *fit,
                   int from) {
  for (int round = from; round < ROUNDS; round++)
    for (size_t i = 0; i < fit->steps; i++) {
      double grid = pow(fit->most[i] / fit->least[i], 1.0 / (COARSE - 1));
      place(points, fit, i, pow(grid, pow(0.4, round)));
    }
}

/* Scales for the next fit: those of `points`, larger for what lies far off. */
static void reweigh(const struct step_points *points,
                    const struct step_fit *fit, struct step_points *next) {
  double off[STEP_FIT_POINTS], sorted[STEP_FIT_POINTS];
  for (size_t p = 0; p < points->count; p++) {
    const struct step_point *point = &points->at[p];
    sorted[p] = off[p] =
        fabs(point->y - step_fit_at(fit, point->x)) / point->scale;
  }
  double most = far_off * gsl_stats_median(sorted, 1, points->count);
  if (!(most > 0)) return; /* nothing is off */
  for (size_t p = 0; p < points->count; p++)
    next->at[p].scale =
        points->at[p].scale * (off[p] > most ? sqrt(off[p] / most) : 1);
}

void step_fit(const struct step_points *points, struct step_fit *fit) {
  struct step_points weighed = *points;
  struct step_fit trial = *fit;
  trial.base = 0;
  for (size_t i = 0; i < fit->steps; i++) trial.step[i] = 0;
  fit->error = INFINITY;
  scatter(points, &trial, 0, fit);
  narrow(points, fit, 0);
  for (int i = 0; i < REWEIGHTS; i++) {
    reweigh(points, fit, &weighed);
    fit->error = error(&weighed, fit);
    narrow(&weighed, fit, 1);
  }
}

/* A bend more must leave so much less of the error: of 40 points two more
 * unknowns do by chance one time in a thousand (F test). */
static const double better = 0.82;

void step_fit_choose(const struct step_points *points, size_t most,
                     struct step_fit *fit) {
  for (size_t i = 0; i <= most; i++) {
    struct step_fit next = {.steps = i};
    for (size_t k = 0; k < i; k++) {
      next.least[k] = points->at[0].x;
      /* Some points must lie beyond. */
      next.most[k] = points->at[points->count - 1].x / 1.3;
    }
    step_fit(points, &next);
    if (!i || next.error < better * fit->error) *fit = next;
  }
}
