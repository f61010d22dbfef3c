/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/predict/cost_bounds.h"

#include <math.h>

double cost_simulated(const struct predict_request *request,
                      const struct prediction *p) {
  return tau_cost(&request->tau, request->tree.levels, p->misses_by_layer);
}

/* What is equal in exact arithmetic may differ in the last digits. */
static void stretch(struct cost_bounds *b, double cost) {
  double slack = 1e-12 * cost;
  if (b->lower > cost && b->lower - cost <= slack) b->lower = cost;
  if (b->upper < cost && cost - b->upper <= slack) b->upper = cost;
}

/*
 * Let m_0 >= m_1 >= ... >= m_d be the misses by layer.  Of c_j = m_j - m_(j+1),
 * none of which is negative, the misses are the sum of (j + 1) c_j, and the
 * cost is that of (tau_0 + ... + tau_j) c_j: a miss costs on average no less
 * than the least mean of tau on layers 0 to j, over all j, and no more than the
 * greatest.
 *
 * They are so ordered if a translation that misses a node also misses the next
 * node on its path.  Under ISLRU and ISMIN that is the initial segment
 * property; under LRU with W > d the next node was last accessed before its
 * parent was or right after it, so that as many others came since
 * (doc/tau.md has the proof).  MIN may evict a node of the current path that it
 * needs later than those below.
 */
struct cost_bounds cost_bounds_find(const struct predict_request *request,
                                    const struct prediction *p) {
  bool ordered = p->of.policy != VAT_BOUNDS_MIN;
  struct cost_bounds b = {.least_tau = INFINITY};
  double mean = 0; /* exact where all are the same */
  for (unsigned i = 0; i <= request->tree.levels; i++) {
    double tau = tau_of(&request->tau, i);
    mean = ordered ? mean + (tau - mean) / (i + 1) : tau;
    b.least_tau = fmin(b.least_tau, mean);
    b.greatest_tau = fmax(b.greatest_tau, mean);
  }
  b.lower = b.least_tau * p->lower;
  b.upper = b.greatest_tau > 0 ? b.greatest_tau * p->upper : 0;
  if (p->simulated) stretch(&b, cost_simulated(request, p));
  return b;
}
