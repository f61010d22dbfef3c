/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model says of cases whose parameters are given, on the command line or
 * in a JSON file. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/gpu_models/model_request.h"

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

/* Every combination of the values that were listed, the last list running
 * fastest. */
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

static bool same_name(const char *parameter, const char *key) {
  for (; *parameter; parameter++, key++)
    if (*parameter != *key && !(*parameter == '-' && *key == '_')) return false;
  return !*key;
}

static int read_kernel(const struct model_request *request, size_t index,
                       json_t *object, double *parameters) {
  const struct gpu_case *c = request->at;
  char where[320];
  const char *key;
  json_t *value;
  snprintf(where, sizeof where, "%.240s: kernel %zu: ", request->from,
           index + 1);
  if (!json_is_object(object))
    return fail(VAT_USAGE, "%sit must be an object of parameters", where);
  for (size_t i = 0; c->parameters[i].name; i++)
    parameters[i] = c->parameters[i].usual;
  bool taken[GPU_PARAMETERS_MAX] = {false};
  json_object_foreach(object, key, value) {
    size_t at = 0;
    while (c->parameters[at].name && !same_name(c->parameters[at].name, key))
      at++;
    if (!c->parameters[at].name)
      return fail(VAT_USAGE,
                  "%s%.40s: unknown parameter of %s; see vat model --help",
                  where, key, c->name);
    if (!json_is_number(value))
      return fail(VAT_USAGE, "%s%.40s: it must be a number", where, key);
    parameters[at] = json_number_value(value);
    if (model_request_check(&c->parameters[at], parameters[at], where))
      return VAT_USAGE;
    if (taken[at])
      return fail(VAT_USAGE, "%s%.40s: it appears twice", where, key);
    taken[at] = true;
  }
  for (size_t i = 0; c->parameters[i].name; i++)
    if (isnan(parameters[i]))
      return fail(VAT_USAGE, "%s\"%s\" is missing, %s", where,
                  c->parameters[i].name, c->parameters[i].meaning);
  return VAT_OK;
}

static void add(const struct gpu_model *model, struct model_line *sum,
                const struct model_line *line) {
  for (size_t i = 0; model->outputs[i].key; i++)
    sum->outputs[i] =
        model->outputs[i].adds ? sum->outputs[i] + line->outputs[i] : NAN;
  sum->kernels++;
}

/* One after the other: their times add up (equation 1 of the MAX and SUM
 * models, and of any model of launches). */
static int print_kernels(const struct model_request *request,
                         const json_t *kernels) {
  struct model_line sum = {
      .name = request->at->name, .at = request->at, .n = NAN};
  size_t count = json_array_size(kernels);
  struct model_line *lines = memory_zeroed(count, sizeof *lines);
  int code = VAT_OK;
  for (size_t i = 0; !code && i < count; i++) {
    lines[i] = sum;
    code = read_kernel(request, i, json_array_get(kernels, i),
                       lines[i].parameters);
  }
  if (!code) model_print_head(request);
  for (size_t i = 0; !code && i < count; i++) {
    struct model_line *line = &lines[i];
    if (!strcmp(line->at->parameters[0].name, "n"))
      line->n = line->parameters[0];
    line->at->evaluate(request->arch, line->parameters, line->outputs);
    add(request->model, &sum, line);
    model_print_line(request, line);
  }
  if (sum.kernels > 1) model_print_line(request, &sum);
  free(lines);
  return code;
}

int model_of_file(const struct model_request *request) {
  char error[512];
  json_t *root = json_file_read(request->from, error, sizeof error);
  if (!root) return fail(fail_code(errno), "%s", error);
  json_t *kernels = json_is_array(root) ? root : json_pack("[o]", root);
  int code = json_array_size(kernels)
                 ? print_kernels(request, kernels)
                 : fail(VAT_USAGE, "%s: the array is empty; it needs kernels",
                        request->from);
  json_decref(kernels);
  return code;
}
