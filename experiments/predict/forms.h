/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/predict/forms.h -- which closed forms bound which algorithm.
 *
 * The forms themselves know access patterns only (vat/bounds.h).
 */
#pragma once
#include <stdbool.h>

#include "vat/bounds.h"

/* What the source prints. */
struct predict_printed {
  const char *side;       /* "lower", "upper"; NULL: the end */
  const char *form;       /* in misses, without tau */
  const char *source;     /* section, lemma */
  vat_bounds_form *value; /* NULL: it has no constant */
  bool asymptotic;        /* no bound as it stands */
  const char *remark;     /* how it was corrected or replaced; NULL */
};

struct predict_form {
  const char *algo; /* NULL: the end */
  vat_bounds_form *lower, *upper;
  const char *lower_source, *upper_source;
  const struct predict_printed *printed;
};

extern const struct predict_form predict_forms[];

/* The line of an algorithm, or NULL. */
const struct predict_form *predict_form_find(const char *algo);
