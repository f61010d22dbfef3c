/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every combination of the numbers that were given, as a table or JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/sheet_request.h"

static json_t *output_json(const struct sheet_output *output, double value) {
  if (isnan(value)) return json_null();
  if (output->names == sheet_truth) return json_boolean(value != 0);
  if (output->names) return json_string(output->names[(int)value]);
  return model_json_number(value);
}

static void print_json(const struct sheet_request *request, const double *in,
                       const double *out) {
  const struct sheet *sheet = request->sheet;
  json_t *object =
      json_pack("{ss ss ss}", "model", request->model->name, "case",
                sheet->name, "arch", request->machine.name);
  for (int i = 0; sheet->parameters[i].name; i++)
    model_json_set(object, sheet->parameters[i].name, in[i]);
  for (int i = 0; sheet->outputs[i].key; i++)
    json_object_set_new(object, sheet->outputs[i].key,
                        output_json(&sheet->outputs[i], out[i]));
  model_json_print(object);
}

static int width_of(const char *name) {
  int width = (int)strlen(name);
  return width > 9 ? width : 9;
}

/* What was given, and what comes of it. */
static void print_head(const struct sheet_request *request) {
  const struct sheet *sheet = request->sheet;
  printf("%s (%s, %s): %s, %s, on a %s\n", request->model->title,
         request->model->source, sheet->source, sheet->name, sheet->summary,
         request->machine.title);
  for (int i = 0; sheet->parameters[i].name; i++)
    if (request->given[i].count)
      printf("%*s ", width_of(sheet->parameters[i].name),
             sheet->parameters[i].name);
  for (int i = 0; sheet->outputs[i].key; i++)
    printf(" %*s", width_of(sheet->outputs[i].key), sheet->outputs[i].key);
  putchar('\n');
}

static void print_line(const struct sheet_request *request, const double *in,
                       const double *out) {
  const struct sheet *sheet = request->sheet;
  char text[NUMBER_SIZE];
  for (int i = 0; sheet->parameters[i].name; i++)
    if (request->given[i].count)
      printf("%*s ", width_of(sheet->parameters[i].name),
             number_text(in[i], text));
  for (int i = 0; sheet->outputs[i].key; i++) {
    const struct sheet_output *output = &sheet->outputs[i];
    const char *shown = isnan(out[i])    ? "-"
                        : !output->names ? number_text(out[i], text)
                                         : output->names[(int)out[i]];
    printf(" %*s", width_of(output->key), shown);
  }
  putchar('\n');
}

/* The combination at `place`, the last list fastest. */
static int combine(const struct sheet_request *request, size_t place,
                   double *in) {
  const struct sheet_parameter *parameters = request->sheet->parameters;
  int code = VAT_OK, count = 0;
  while (parameters[count].name) count++;
  for (int i = count; i-- > 0;) {
    const struct numbers *given = &request->given[i];
    in[i] = given->count ? given->at[place % given->count]
                         : sheet_usual(request, i);
    if (given->count) place /= given->count;
    if (!code) code = sheet_check(&parameters[i], in[i], "--");
  }
  return code;
}

int sheet_tell(const struct sheet_request *request) {
  size_t lines = 1;
  int code = VAT_OK;
  for (int i = 0; i < SHEET_PARAMETERS_MAX; i++) {
    if (request->given[i].count) lines *= request->given[i].count;
    if (lines > 1000000)
      return fail(VAT_USAGE, "--%s: over a million combinations",
                  request->sheet->parameters[i].name);
  }
  for (size_t i = 0; !code && i < lines; i++) {
    double in[SHEET_PARAMETERS_MAX], out[SHEET_OUTPUTS_MAX];
    code = combine(request, i, in);
    if (code) break;
    request->sheet->evaluate(in, out);
    if (!i && !request->json) print_head(request);
    if (request->json)
      print_json(request, in, out);
    else
      print_line(request, in, out);
  }
  return code;
}
