/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/predict/bounds_fixture.h -- bounds beside what a stream
 * misses. */
#pragma once
#include "experiments/predict/forms.h"
#include "tests/experiments/stream/stream_fixture.h"

/* The policies, and the kind that each is to the bounds. */
struct bounds_policy {
  const char *name;
  enum vat_bounds_policy kind;
};
enum { BOUNDS_POLICIES = 4 };
extern const struct bounds_policy bounds_policies[BOUNDS_POLICIES];

/* At W = d + 1 and up to where all nodes fit, in steps of about a third: what
 * the stream misses there, by its curve. */
typedef void bounds_check(const struct predict_form *form,
                          const struct vat_bounds_case *c, double misses);
void bounds_check_curve(const struct predict_form *form,
                        const struct stream_case *stream,
                        enum vat_bounds_policy kind, bounds_check *check);
