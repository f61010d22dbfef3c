/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/step_fit.h"

#include <math.h>

enum { TERMS = STEP_FIT_STEPS + 1, GRID = 24, ROUNDS = 6, SWEEPS = 60 };

static double term(double knee, double x) { return fmax(0, 1 - knee / x); }

double step_fit_at(const struct step_fit *fit, double x) {
  double y = fit->base;
  for (size_t i = 0; i < fit->steps; i++)
    y += fit->step[i] * term(fit->knee[i], x);
  return y;
}

/* Normal equations: of base, which comes first, and steps. */
struct normal {
  double a[TERMS][TERMS], b[TERMS];
};

static void set_up(const struct step_points *points, const struct step_fit *fit,
                   struct normal *n) {
  *n = (struct normal){0};
  for (size_t p = 0; p < points->count; p++) {
    double row[TERMS] = {1 / points->scale[p]};
    for (size_t i = 0; i < fit->steps; i++)
      row[i + 1] = term(fit->knee[i], points->x[p]) / points->scale[p];
    for (size_t i = 0; i <= fit->steps; i++) {
      n->b[i] += row[i] * points->y[p] / points->scale[p];
      for (size_t j = 0; j <= fit->steps; j++) n->a[i][j] += row[i] * row[j];
    }
  }
}

/* One unknown after the other, cut off at 0: converges for such equations, and
 * the knees found last time start it close by. */
static void solve(struct normal *n, struct step_fit *fit) {
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double moved = 0;
    for (size_t i = 0; i <= fit->steps; i++) {
      double rest = n->b[i], *x = i ? &fit->step[i - 1] : &fit->base;
      if (!(n->a[i][i] > 0)) continue;
      for (size_t j = 0; j <= fit->steps; j++)
        if (j != i) rest -= n->a[i][j] * (j ? fit->step[j - 1] : fit->base);
      double next = rest / n->a[i][i];
      if (i) next = fmax(0, next);
      moved = fmax(moved, fabs(next - *x));
      *x = next;
    }
    if (moved < 1e-6) break;
  }
}

static double error(const struct step_points *points, struct step_fit *fit) {
  struct normal normal;
  double sum = 0;
  set_up(points, fit, &normal);
  solve(&normal, fit);
  for (size_t p = 0; p < points->count; p++) {
    double off = (step_fit_at(fit, points->x[p]) - points->y[p]);
    sum += off * off / points->scale[p] / points->scale[p];
  }
  return sqrt(sum / (double)points->count);
}

/* The best place of knee i among GRID between lo and hi. */
static void place(const struct step_points *points, struct step_fit *fit,
                  size_t i, double lo, double hi) {
  if (i) lo = fmax(lo, fit->knee[i - 1] * 1.1);
  if (i + 1 < fit->steps) hi = fmin(hi, fit->knee[i + 1] / 1.1);
  struct step_fit trial = *fit;
  for (int g = 0; g < GRID && lo <= hi; g++) {
    trial.knee[i] = lo * pow(hi / lo, (double)g / (GRID - 1));
    trial.error = error(points, &trial);
    if (trial.error < fit->error) *fit = trial;
  }
}

void step_fit(const struct step_points *points, struct step_fit *fit) {
  for (size_t i = 0; i < fit->steps; i++) {
    fit->knee[i] = sqrt(fit->least[i] * fit->most[i]);
    fit->step[i] = 0;
  }
  fit->base = 0;
  fit->error = error(points, fit);
  /* Ranges overlap, and a knee's best place depends on the others': some
   * rounds over all of it before narrowing. */
  double width = 1;
  for (int round = 0; round < ROUNDS; round++) {
    if (round >= 2) width /= 4;
    for (size_t i = 0; i < fit->steps; i++) {
      double reach = pow(fit->most[i] / fit->least[i], width);
      place(points, fit, i, fmax(fit->least[i], fit->knee[i] / reach),
            fmin(fit->most[i], fit->knee[i] * reach));
    }
  }
}
