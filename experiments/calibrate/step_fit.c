/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/calibrate/step_fit.h"

#include <math.h>

#include "experiments/calibrate/nonneg.h"

enum { GRID = 24, ROUNDS = 6 };

static double term(double knee, double x) { return fmax(0, 1 - knee / x); }

double step_fit_at(const struct step_fit *fit, double x) {
  double y = fit->base;
  for (size_t i = 0; i < fit->steps; i++)
    y += fit->step[i] * term(fit->knee[i], x);
  return y;
}

static double error(const struct step_points *points, struct step_fit *fit) {
  struct nonneg nonneg = {.unknowns = fit->steps + 1, .x = {fit->base}};
  for (size_t i = 0; i < fit->steps; i++) nonneg.x[i + 1] = fit->step[i];
  for (size_t p = 0; p < points->count; p++) {
    double row[NONNEG_UNKNOWNS] = {1};
    for (size_t i = 0; i < fit->steps; i++)
      row[i + 1] = term(fit->knee[i], points->x[p]);
    nonneg_add(&nonneg, row, points->y[p], points->scale[p]);
  }
  double left = nonneg_solve(&nonneg);
  fit->base = nonneg.x[0];
  for (size_t i = 0; i < fit->steps; i++) fit->step[i] = nonneg.x[i + 1];
  return left;
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
