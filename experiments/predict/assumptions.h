/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/predict/assumptions.h -- the four assumptions of the VAT model on
 * its parameters (Jurkiewicz, PhD thesis, section 2.4, "asymptotic order
 * relations"), with the numbers of a request.
 *
 *   1. 1 <= tau d <= P    2. 2 <= K    3. m / P <= K^d <= 2 m / P
 *   4. d <= W < m^theta for a theta in (0, 1)
 *
 * m is the workspace and P a page, both in keys of 8 bytes.  The cost of a path
 * but for its root is tau d if all layers have one tau.
 */
#pragma once
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "experiments/predict/predict.h"

enum { ASSUMPTIONS = 4, ASSUMPTION_SIDES = 3 };

struct assumption {
  const char *form;
  enum { ASSUMPTION_NOT_CHECKED, ASSUMPTION_HOLDS, ASSUMPTION_FAILS } state;
  size_t sides; /* of the chain of inequalities; no side is above the next: */
  double side[ASSUMPTION_SIDES]; /* NAN: not known.  Of the last one: d, W, m */
  const char *why;               /* it is not checked; NULL: it is */
  double theta;                  /* of the last one: W = m^theta, or NAN */
};

/* With a TC of `nodes`. */
void assumptions_find(const struct predict_request *request, uint64_t nodes,
                      struct assumption found[ASSUMPTIONS]);

/* One line, with numbers of those that do not hold; with --assumptions a line
 * for each, with its numbers.  Of the largest W: where it is small enough, the
 * others are. */
void assumptions_print(const struct predict_request *request, FILE *out);

/* An array of all four. */
json_t *assumptions_json(const struct predict_request *request, uint64_t nodes);
