/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every combination of the values that were listed, the last list running
 * fastest. */
#include <math.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/model.h"
#include "experiments/gpu_models/model_print.h"

static size_t count_of(const struct sizes *given) {
  return given ? given->count : 1;
}

/* The combination at `place`, counted from 0. */
static void combine(const struct model_request *request, size_t place,
                    double *parameters) {
  const struct gpu_parameter *all = request->at->parameters;
  for (size_t i = gpu_case_parameters(request->at); i-- > 0;) {
    const struct sizes *given = model_request_given(request, all[i].name);
    parameters[i] =
        given ? (double)given->at[place % given->count] : all[i].usual;
    place /= count_of(given);
  }
}

int model_of_lists(const struct model_request *request) {
  const struct gpu_parameter *all = request->at->parameters;
  const struct sizes *n = model_request_given(request, "n");
  size_t lines = 1;
  for (const struct gpu_parameter *p = all; p->name; p++)
    if (__builtin_mul_overflow(
            lines, count_of(model_request_given(request, p->name)), &lines) ||
        lines > 1000000)
      return fail(VAT_USAGE, "--%s: over a million combinations", p->name);
  model_print_head(request);
  for (size_t i = 0; i < lines; i++) {
    struct model_line line = {.name = request->at->name, .at = request->at};
    combine(request, i, line.parameters);
    line.n = n ? line.parameters[0] : NAN;
    request->at->evaluate(request->arch, line.parameters, line.outputs);
    model_print_line(request, &line);
  }
  return VAT_OK;
}
