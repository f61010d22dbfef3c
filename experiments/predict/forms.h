/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/predict/forms.h -- which closed forms bound which algorithm.
 *
 * The forms themselves know access patterns only (vat/bounds.h).
 */
#pragma once
#include "vat/bounds.h"

/* What is known of a form of the source. */
enum predict_status {
  PREDICT_HOLDS,      /* proved, for each n, W and tree */
  PREDICT_TESTED,     /* no counterexample is known, and no proof */
  PREDICT_ASYMPTOTIC, /* right up to a constant: no bound as it stands */
  PREDICT_REFUTED,    /* a counterexample is known */
  PREDICT_CORRECTED   /* not printed: what holds in place of a refuted form */
};

extern const char *const predict_status_names[];

/* What the source prints, and after a refuted form what holds in its place. */
struct predict_printed {
  const char *side;       /* "lower", "upper"; NULL: the end */
  const char *form;       /* in misses, without tau */
  const char *source;     /* section, lemma */
  vat_bounds_form *value; /* NULL: it has no constant */
  /* Under LRU and ISLRU; under MIN and ISMIN, which know the future. */
  enum predict_status status[2];
  const char *remark;         /* what it assumes, or misses; NULL */
  const char *counterexample; /* a command; NULL */
};

enum predict_status predict_printed_status(const struct predict_printed *p,
                                           enum vat_bounds_policy policy);

struct predict_form {
  const char *algo; /* NULL: the end */
  vat_bounds_form *lower, *upper;
  const char *lower_source, *upper_source;
  const struct predict_printed *printed;
};

extern const struct predict_form predict_forms[];

/* The row behind `p`, the first where it is NULL; NULL behind the last.  What
 * corrects a form is left out where that holds. */
const struct predict_printed *predict_printed_next(
    const struct predict_form *form, const struct predict_printed *p,
    enum vat_bounds_policy policy);

/* The line of an algorithm, or NULL. */
const struct predict_form *predict_form_find(const char *algo);
