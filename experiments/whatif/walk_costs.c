/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/whatif/walk_costs.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/calibrate/chase_curve.h"

enum { PAGES_A_LINE = 8 };

/* A curve over the points of another. */
static int derived(struct cal_curve *curve, const struct cal_curve *like) {
  *curve = (struct cal_curve){.by_pages = true,
                              .step_bytes = like->step_bytes,
                              .chains = 1,
                              .count = like->count};
  curve->points = calloc(like->count + 1, sizeof *curve->points);
  return curve->points ? 0 : -1;
}

/* What noise makes of two curves that hardly differ is no saving. */
static void fill(struct cal_curve *saved, struct cal_curve *walk,
                 const struct cal_curve *base, const struct cal_curve *larger,
                 const struct cal_curve *lines) {
  for (size_t i = 0; i < base->count; i++) {
    double x = base->points[i].x, with = curve_at(larger, x);
    saved->points[i].x = walk->points[i].x = x;
    saved->points[i].ns = fmax(0, base->points[i].ns - with);
    walk->points[i].ns = fmax(0, with - curve_at(lines, x * lines->step_bytes));
  }
}

/* How far apart two points that should be neighbours on a smooth curve are
 * tells how well the curve is known: the root mean square of S(n) less the mean
 * of its neighbours' over n as large, as a share. */
static double roughness(const struct cal_curve *saved) {
  double squares = 0, weight = 0;
  for (size_t i = 1; i + 1 < saved->count; i++) {
    double mean = (saved->points[i - 1].ns + saved->points[i + 1].ns) / 2;
    double off = saved->points[i].ns - mean;
    squares += off * off;
    weight += mean * mean;
  }
  return weight > 0 ? sqrt(squares / weight) : 0;
}

/* Misses that are d apart at random among `lines` have so many others between
 * them. */
static double distinct(double d, double lines) {
  return lines * -expm1(-d / lines);
}

static void price(struct walk_costs *costs, const struct cal_curve *saved,
                  const struct cal_curve *walk, const struct cal_curve *lines,
                  double pages) {
  double doubt = roughness(saved), tables = fmax(1, pages / PAGES_A_LINE);
  for (int i = 0; i < WALK_OCTAVES; i++) {
    double d = i ? exp2(i - 0.5) : 1;
    double x = fmin(pages, PAGES_A_LINE * distinct(d, tables));
    costs->saved_ns[i] = curve_distance(saved, x);
    costs->saved_lo_ns[i] = costs->saved_ns[i] * fmax(0, 1 - doubt);
    costs->saved_hi_ns[i] = costs->saved_ns[i] * (1 + doubt);
    costs->walk_ns[i] = curve_distance(walk, x);
    costs->data_ns[i] = fmax(
        0, curve_distance(lines, x * saved->step_bytes) - costs->walk_ns[i]);
  }
}

const char *walk_costs_make(struct walk_costs *costs,
                            const struct calibration *cal, const char *base,
                            const char *kind, double pages) {
  const struct cal_curve *small = calibration_curve(cal, "page_chase", base, 1);
  const struct cal_curve *large = calibration_curve(cal, "page_chase", kind, 1);
  const struct cal_curve *lines = calibration_curve(cal, "line_chase", kind, 1);
  struct cal_curve saved = {0}, walk = {0};
  const char *lack = NULL;
  if (!small || small->count < 3) return "no page chase on base pages";
  if (!large || large->count < 3) return "no page chase on these pages";
  if (!lines || lines->count < 3) return "no line chase on these pages";
  if (derived(&saved, small) || derived(&walk, small)) {
    lack = "out of memory";
  } else {
    fill(&saved, &walk, small, large, lines);
    price(costs, &saved, &walk, lines, pages);
  }
  free(saved.points);
  free(walk.points);
  return lack;
}
