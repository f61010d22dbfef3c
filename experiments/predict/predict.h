/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/predict/predict.h -- bounds of an algorithm, and what is between
 * them.
 */
#pragma once
#include "experiments/cli/numbers.h"
#include "experiments/predict/forms.h"
#include "experiments/sim/tau_option.h"
#include "experiments/stream/stream.h"
#include "vat/policy.h"

struct predict_request {
  struct stream stream;
  const struct predict_form *form; /* of the stream's algorithm */
  int chosen; /* of the policies that there are bounds of */
  const struct vat_policy *policy;
  struct vat_tree tree;
  struct sizes nodes; /* W */
  struct tau tau;     /* not given: no costs */
  bool no_simulation;
  bool assumptions; /* print all of them */
  bool json;
};

/* For one W. */
struct prediction {
  struct vat_bounds_case of;
  double lower, upper; /* whole; INFINITY: none */
  bool simulated;
  uint64_t misses, misses_by_layer[VAT_LAYERS_MAX];
};

extern const struct option_table predict_table;

/* Fill from the command line; options_fini() in any case.  An exit code, having
 * printed what is wrong. */
int predict_request_parse(struct predict_request *request, int argc,
                          char **argv);

/* Fill one prediction for each W of the request.  An exit code, as above. */
int predict_evaluate(const struct predict_request *request,
                     struct prediction *predictions);

/* Why there is no simulation, or NULL: there is. */
const char *predict_missing(const struct predict_request *request);

/* Are the misses between the bounds, or not simulated? */
bool predict_is_within(const struct prediction *prediction);
