/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/models.h -- what each model says an operation takes.
 *
 * RAM counts operations; EM adds cache misses, VAT what the translation cache
 * misses, EM+VAT both; FULL adds physical terms to EM+VAT, each of which can be
 * left out to see what it is worth.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "experiments/cli/terms.h"
#include "experiments/validate/profile_costs.h"

struct fitted {
  double c;       /* ns an operation whose data are at hand */
  double overlap; /* share of its waiting that is not hidden */
  double element; /* ns an element, beside what its operations take */
};

enum model_place {
  MODEL_RAM,
  MODEL_EM,
  MODEL_VAT,
  MODEL_EM_VAT,
  MODEL_FULL,
  MODELS
};

/* What it waits for is seen in part, by the overlap that is fitted. */
struct model {
  const char *name;  /* "em_vat", in JSON */
  const char *title; /* "EM+VAT" */
  bool lines, vat;   /* waits for what caches and translation caches miss */
};

extern const struct model models[MODELS];

/* ns an operation, FULL without the terms of `without`. */
double model_predict(enum model_place place, const struct costs *costs,
                     const struct fitted *fitted, unsigned without);

/* Has it a time of elements, and not only of operations? */
bool models_fit_elements(enum model_place model, unsigned without);

/* Those of FULL; the bit of each in `without` is 1 << its index. */
extern const struct term terms[]; /* ended by a NULL name */
