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

#include "experiments/validate/costs.h"

struct fitted {
  double c;       /* ns an operation whose data are at hand */
  double overlap; /* share of its waiting that is not hidden */
};

struct model {
  const char *name;  /* "em_vat", in JSON */
  const char *title; /* "EM+VAT" */
  const char *summary;
  bool waits; /* has an overlap to fit */
  double (*predict)(const struct costs *costs, const struct fitted *fitted,
                    unsigned without);
};

extern const struct model *const models[]; /* NULL-ended */
extern const struct model model_full;

/* The place in models[] of one that is there. */
size_t model_find(const char *name);

/* A term of FULL; its bit in `without` is 1 << its index. */
struct term {
  const char *name; /* as --without takes it */
  const char *summary;
};

extern const struct term terms[]; /* ended by a NULL name */

/* The bit of the term called `name`; 0: there is none. */
unsigned term_find(const char *name);
