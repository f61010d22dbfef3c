/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/validate/walk_models.h"

#include <math.h>
#include <stdlib.h>

#include "experiments/cli/memory.h"

/* What is not walks, by all on base pages or all on larger ones. */
static double rest(const struct walk_state *state) {
  return state->user_s - state->walk_s;
}

/* A walk on base pages. */
static double each(const struct walk_case *of) {
  return of->base.misses > 0 ? of->base.walk_s / of->base.misses : 0;
}

/* A. Basu, J. Gandhi, J. Chang, M. Hill, M. Swift: Efficient virtual memory for
 * big memory servers.  ISCA 2013. */
static double basu(const struct walk_case *of) {
  return rest(&of->base) + each(of) * of->here.misses;
}

/* B. Pham, J. Vesely, G. Loh, A. Bhattacharjee: Large pages and lightweight
 * memory management in virtualized environments.  MICRO 2015.  Seven cycles for
 * each hit of the second TLB. */
static double pham(const struct walk_case *of) {
  return rest(&of->base) - of->base.hit_s + of->here.walk_s + of->here.hit_s;
}

/* J. Gandhi, A. Basu, M. Hill, M. Swift: Efficient memory virtualization.
 * MICRO 2014. */
static double gandhi(const struct walk_case *of) {
  return rest(&of->larger) + each(of) * of->here.misses;
}

/* H. Alam, T. Zhang, M. Erez, Y. Etsion: Do-it-yourself virtual memory
 * translation.  ISCA 2017. */
static double alam(const struct walk_case *of) {
  return rest(&of->larger) + of->here.walk_s;
}

/* I. Yaniv, D. Tsafrir: Hash, don't cache (the page table).  SIGMETRICS 2016.
 */
static double yaniv(const struct walk_case *of) {
  double walks = of->base.walk_s - of->larger.walk_s;
  double slope = walks > 0 ? (of->base.user_s - of->larger.user_s) / walks : 0;
  return of->larger.user_s + slope * (of->here.walk_s - of->larger.walk_s);
}

const struct walk_model walk_models[] = {
    {"basu", "Basu et al. 2013", false, basu},
    {"pham", "Pham et al. 2015", false, pham},
    {"gandhi", "Gandhi et al. 2014", true, gandhi},
    {"alam", "Alam et al. 2017", true, alam},
    {"yaniv", "Yaniv and Tsafrir 2016", true, yaniv},
    {NULL, NULL, false, NULL}};

/* --- Mosmodel: L. Agbarya, I. Yaniv, J. Gandhi, D. Tsafrir: Predicting
 * execution times with partial simulations in virtual memory research: why and
 * how.  MICRO 2020. --- */

enum { TERMS = 9, SWEEPS = 2000 };

/* All powers and products up to degree 3 but 1, of shares of the most. */
static void terms_of(double terms[TERMS], const struct walk_state *state,
                     const struct walk_state *most) {
  double c = most->walk_s > 0 ? state->walk_s / most->walk_s : 0;
  double m = most->misses > 0 ? state->misses / most->misses : 0;
  const double all[TERMS] = {c,         m,         c * c,     c * m,    m * m,
                             c * c * c, c * c * m, c * m * m, m * m * m};
  for (int i = 0; i < TERMS; i++) terms[i] = all[i];
}

struct fit {
  double mean[TERMS], scale[TERMS]; /* of the terms */
  double weight[TERMS], at_mean;
};

static void standardize(struct fit *fit, double (*row)[TERMS], size_t count) {
  for (int t = 0; t < TERMS; t++) {
    double sum = 0, square = 0;
    for (size_t i = 0; i < count; i++) sum += row[i][t];
    fit->mean[t] = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
      row[i][t] -= fit->mean[t];
      square += row[i][t] * row[i][t];
    }
    fit->scale[t] = sqrt(square / (double)count);
    for (size_t i = 0; i < count; i++)
      row[i][t] = fit->scale[t] > 1e-12 ? row[i][t] / fit->scale[t] : 0;
  }
}

static double shrunk(double value, double by) {
  return value > by ? value - by : value < -by ? value + by : 0;
}

/* Coordinate descent (Friedman, Hastie and Tibshirani 2010): `left` is what is
 * not explained.  The penalty is a thousandth of that from which on nothing is.
 */
static void descend(struct fit *fit, double (*row)[TERMS], double *left,
                    size_t count) {
  const double n = (double)count;
  double penalty = 0;
  for (int t = 0; t < TERMS; t++) {
    double product = 0;
    for (size_t i = 0; i < count; i++) product += row[i][t] * left[i];
    penalty = fmax(penalty, 1e-3 * fabs(product) / n);
  }
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int t = 0; t < TERMS; t++) {
      double product = 0, had = fit->weight[t];
      if (!(fit->scale[t] > 1e-12)) continue;
      for (size_t i = 0; i < count; i++) product += row[i][t] * left[i];
      fit->weight[t] = shrunk(had + product / n, penalty);
      for (size_t i = 0; i < count; i++)
        left[i] -= (fit->weight[t] - had) * row[i][t];
    }
}

double walk_model_fitted(const struct walk_state *known, size_t count,
                         const struct walk_state *here) {
  struct fit fit = {.at_mean = 0};
  struct walk_state most = {0};
  double terms[TERMS];
  bool differ = false;
  for (size_t i = 0; i < count; i++) {
    most.misses = fmax(most.misses, known[i].misses);
    most.walk_s = fmax(most.walk_s, known[i].walk_s);
    differ |= known[i].walk_s != known[0].walk_s;
  }
  if (count < WALK_MODEL_STATES || !differ) return NAN;
  double(*row)[TERMS] = memory_zeroed(count, sizeof *row);
  double *left = memory_zeroed(count, sizeof *left);
  for (size_t i = 0; i < count; i++) {
    terms_of(row[i], &known[i], &most);
    fit.at_mean += known[i].user_s / (double)count;
  }
  for (size_t i = 0; i < count; i++) left[i] = known[i].user_s - fit.at_mean;
  standardize(&fit, row, count);
  descend(&fit, row, left, count);
  terms_of(terms, here, &most);
  double told = fit.at_mean;
  for (int t = 0; t < TERMS; t++)
    if (fit.scale[t] > 1e-12)
      told += fit.weight[t] * (terms[t] - fit.mean[t]) / fit.scale[t];
  free(row);
  free(left);
  return told;
}
