/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/validate.h -- a validation: what it is of and what came
 * of it.
 */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "experiments/results/results.h"
#include "experiments/validate/judge.h"

/* Fewer pairs of page kinds than this tell nothing of ratios. */
enum { VALIDATE_PAIRS = 3, VALIDATE_VERDICT = 600 };

/* Fewer chases of the canary than this tell nothing of others. */
enum { VALIDATE_CHASES = 5 };

/* The first four, and what is left out, are the caller's. */
struct validation {
  const char *path, *machine_path; /* of the results, of the calibration */
  const struct results *results;
  const struct calibration *cal;
  struct summary *rows;
  size_t row_count;
  struct points points;
  struct judged judged;
  unsigned without;   /* terms that FULL is judged without */
  bool exchange;      /* programs' costs are exchanged: it should fail */
  double noise_floor; /* of measured times, relative; NAN: unknown */
  /* `cal`, with the last cache that the canary saw meanwhile, in its memory. */
  struct calibration meanwhile;
  double last_bytes;   /* of the last cache, usable meanwhile */
  double neighbours;   /* bytes a ns that others brought into it */
  double canary_range; /* of a loop that only computes; NAN: unknown */
  bool holds;
  char verdict[VALIDATE_VERDICT];
};

/* Everything up to the verdict.  An exit code, having printed why; a validation
 * that does not hold is VAT_OK here.  Release with validation_fini() in either
 * case. */
int validation_make(struct validation *validation);
void validation_fini(struct validation *validation); /* zeroed is fine */

void validation_print(FILE *out, const struct validation *validation);
/* The caller owns it. */
json_t *validation_to_json(const struct validation *validation);
