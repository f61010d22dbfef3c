/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seconds = a1 x + a0, x being the time that a sheet tells with a1 = 1 and a0 =
 * 0 (5.24, 6.10). */
#include <errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/sheet_request.h"

struct runs {
  double *x, *seconds;
  size_t count;
};

static const json_t *member(const json_t *object, const char *name) {
  char key[MODEL_KEY_SIZE];
  model_json_key(key, name);
  return json_object_get(object, key);
}

static int read_run(const struct sheet_request *request, size_t index,
                    const json_t *run, struct runs *runs) {
  const struct sheet *sheet = request->sheet;
  const json_t *seconds = json_object_get(run, "seconds");
  double in[SHEET_PARAMETERS_MAX], out[SHEET_OUTPUTS_MAX];
  char where[300];
  snprintf(where, sizeof where, "%.240s: run %zu: ", request->fit, index + 1);
  if (!json_is_number(seconds))
    return fail(VAT_USAGE, "%s\"seconds\" is missing, or no number", where);
  if (!(json_number_value(seconds) >= 0 && json_number_value(seconds) < 1e100))
    return fail(VAT_USAGE, "%s\"seconds\" is no time", where);
  for (int i = 0; sheet->parameters[i].name; i++) {
    const json_t *value = member(run, sheet->parameters[i].name);
    in[i] = value ? json_number_value(value) : sheet_usual(request, i);
    if ((value && !json_is_number(value)) || isnan(in[i]))
      return fail(VAT_USAGE, "%s\"%s\" is missing, or no number: %s", where,
                  sheet->parameters[i].name, sheet->parameters[i].meaning);
    if (sheet_check(&sheet->parameters[i], in[i], where)) return VAT_USAGE;
  }
  in[sheet_parameter_find(sheet, "a1")] = 1;
  in[sheet_parameter_find(sheet, "a0")] = 0;
  sheet->evaluate(in, out);
  runs->x[index] = out[sheet_output_find(sheet, "time")];
  runs->seconds[index] = json_number_value(seconds);
  return VAT_OK;
}

static void print_fit(const struct sheet_request *request,
                      const struct runs *runs) {
  double a0, a1, c00, c01, c11, rest;
  char text[2][NUMBER_SIZE];
  gsl_fit_linear(runs->x, 1, runs->seconds, 1, runs->count, &a0, &a1, &c00,
                 &c01, &c11, &rest);
  double all = gsl_stats_tss(runs->seconds, 1, runs->count);
  double r2 = all > 0 ? 1 - rest / all : NAN;
  if (request->json) {
    model_json_print(
        json_pack("{ss ss so so so sI}", "model", request->model->name, "case",
                  request->sheet->name, "a1", model_json_number(a1), "a0",
                  model_json_number(a0), "r2", model_json_number(r2), "runs",
                  (json_int_t)runs->count));
    return;
  }
  printf("%s: seconds = %s x + %s, x being its time with a1 = 1, a0 = 0; ",
         request->sheet->name, number_text(a1, text[0]),
         number_text(a0, text[1]));
  if (all > 0)
    printf("R^2 = %.4f of %zu runs\n", r2, runs->count);
  else
    printf("no R^2, as all %zu runs took the same time\n", runs->count);
}

/* One x tells no line. */
static int check_spread(const struct sheet_request *request,
                        const struct runs *runs) {
  for (size_t i = 1; i < runs->count; i++)
    if (runs->x[i] != runs->x[0]) return VAT_OK;
  return fail(VAT_USAGE, "%s: a fit takes runs that the model tells apart",
              request->fit);
}

static int fit_all(const struct sheet_request *request, const json_t *root) {
  struct runs runs = {.count = json_array_size(root)};
  int code = VAT_OK;
  runs.x = memory_zeroed(runs.count + 1, sizeof *runs.x);
  runs.seconds = memory_zeroed(runs.count + 1, sizeof *runs.seconds);
  for (size_t i = 0; !code && i < runs.count; i++)
    code = read_run(request, i, json_array_get(root, i), &runs);
  if (!code) code = check_spread(request, &runs);
  if (!code) print_fit(request, &runs);
  free(runs.x);
  free(runs.seconds);
  return code;
}

int sheet_fit(const struct sheet_request *request) {
  char error[512];
  if (sheet_parameter_find(request->sheet, "a1") < 0)
    return fail(VAT_USAGE, "--fit: %s has no constants", request->sheet->name);
  json_t *root = json_file_read(request->fit, error, sizeof error);
  if (!root) return fail(fail_code(errno), "%s", error);
  int code =
      json_is_array(root)
          ? fit_all(request, root)
          : fail(VAT_USAGE, "%s: it must be an array of runs", request->fit);
  json_decref(root);
  return code;
}
