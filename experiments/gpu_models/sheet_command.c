/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model calibrated and integrated: what sheets say of every combination of
 * the numbers that were given; or their constants, fitted to runs. */
#include <errno.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/numbers.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/gpu_models/model_json.h"

#define USUAL_MACHINE "gtx480" /* the source's */

enum { HEADING = 1, OPTIONS_MOST = 40, USUAL = 5 };

struct request {
  const struct sheet_model *model;
  const struct sheet *sheet;
  struct sheet_machine machine;
  const char *fit; /* a file of runs, or NULL */
  bool json;
  struct option_words words;
  struct numbers given[OPTIONS_MOST]; /* by option; none: not given */
  /* The same by parameter of the sheet: borrowed. */
  struct numbers of_sheet[SHEET_PARAMETERS_MAX];
};

/* A heading, the parameters of all sheets, by name; then what all have. */
static struct option_row rows[HEADING + OPTIONS_MOST + USUAL];

static int set_arch(void *at, const char *option, const char *name) {
  struct request *request = at;
  const struct sheet_model *model = request->model;
  struct sheet_machine machine;
  char names[NAMES_SIZE] = "";
  if (sheet_machine_find(model, name, &request->machine)) return VAT_OK;
  for (size_t i = 0; model->machine(i, &machine); i++)
    names_add(names, machine.name);
  return fail(VAT_USAGE, "--%s %.80s: unknown machine; choose one of %s",
              option, name, names);
}

static const struct option_row usual[USUAL] = {
    {.help = "Input"},
    {"arch", "ARCH", OPTION_OWN, .set = set_arch, .usual = USUAL_MACHINE,
     .help = "the machine: one of those below"},
    {"fit", "RUNS.json", OPTION_TEXT, OPTION_AT(struct request, fit),
     .help = "fit a1 and a0 to an array of objects, each with the parameters "
             "of a run and its \"seconds\""},
    {"json", NULL, OPTION_FLAG, OPTION_AT(struct request, json),
     .help = "print JSON Lines"},
    {0}};

/* Options with the same name are of the same kind in all sheets. */
static size_t add_parameters(size_t count, const struct sheet *sheet) {
  for (const struct sheet_parameter *p = sheet->parameters; p->name; p++) {
    size_t at = 0;
    while (at < count && strcmp(rows[HEADING + at].name, p->name)) at++;
    if (at < count) continue;
    if (count == OPTIONS_MOST) abort(); /* make room */
    rows[HEADING + count] = (struct option_row){
        p->name,
        "LIST",
        p->whole ? OPTION_WHOLE_NUMBERS : OPTION_NUMBERS,
        .low = -1e100,
        .help = p->meaning,
        .at = offsetof(struct request, given) + count * sizeof(struct numbers)};
    count++;
  }
  return count;
}

static void print_sheets(FILE *out, const void *of) {
  const struct sheet_model *model = ((const struct request *)of)->model;
  struct sheet_machine machine;
  fprintf(out, "Results (%s) and their parameters:\n", model->source);
  for (const struct sheet *s = model->sheets; s->name; s++) {
    fprintf(out, "  %s: %s (%s);", s->name, s->summary, s->source);
    for (const struct sheet_parameter *p = s->parameters; p->name; p++)
      fprintf(out, "%s --%s", p == s->parameters ? "" : ",", p->name);
    fputc('\n', out);
  }
  fputs("Machines:\n", out);
  for (size_t i = 0; model->machine(i, &machine); i++)
    fprintf(out, "  %s: %s; %s\n", machine.name, machine.title, machine.source);
}

const struct option_table *sheet_table(const struct sheet_model *model) {
  static const struct option_table table = {
      .rows = rows,
      .usage = "WHAT",
      .words = offsetof(struct request, words),
      .words_most = 1,
      .too_many = "unexpected argument",
      .doc = "Show the numbers of a model.",
      .more = print_sheets,
  };
  size_t count = 0;
  rows->help = "Parameters, each a list such as 4,8,16, 1..48*2 or 1..90+1";
  for (const struct sheet *s = model->sheets; s->name; s++)
    count = add_parameters(count, s);
  memcpy(rows + HEADING + count, usual, sizeof usual);
  return &table;
}

static int choose_sheet(struct request *request) {
  const struct sheet_model *model = request->model;
  const char *word = *request->words.at;
  if (!word)
    return fail(VAT_USAGE, "%s what? there are %s", model->name,
                NAMES_OF(model->sheets));
  request->sheet = sheet_find(model, word);
  if (request->sheet) return VAT_OK;
  return fail(VAT_USAGE, "%.80s: unknown result of %s; choose one of %s", word,
              model->name, NAMES_OF(model->sheets));
}

/* Parameter `index` if it is not given: its usual value, or the machine's; NAN:
 * there is none. */
static double usual_of(const struct request *request, int index) {
  const struct sheet_parameter *p = &request->sheet->parameters[index];
  return p->value ? request->machine.value[p->value - 1] : p->usual;
}

/* Is `value` one that the parameter takes?  Else it is told behind `where`. */
static int check_value(const struct sheet_parameter *parameter, double value,
                       const char *where) {
  if (parameter->whole && value != floor(value))
    return fail(VAT_USAGE, "%s%s %g: it must be a whole number", where,
                parameter->name, value);
  if (value >= parameter->least && value <= parameter->most) return VAT_OK;
  return fail(VAT_USAGE, "%s%s %g: out of range; it must be from %g to %g",
              where, parameter->name, value, parameter->least, parameter->most);
}

/* From options to the parameters of the sheet. */
static int give(struct request *request) {
  const struct sheet *sheet = request->sheet;
  for (int i = 0; i < OPTIONS_MOST; i++) {
    if (!request->given[i].count) continue;
    const char *name = rows[HEADING + i].name;
    int at = sheet_parameter_find(sheet, name);
    if (at < 0)
      return fail(VAT_USAGE, "--%s: %s does not depend on it; leave it out",
                  name, sheet->name);
    if (request->fit)
      return fail(VAT_USAGE, "--%s: --fit sets it; leave it out", name);
    request->of_sheet[at] = request->given[i];
  }
  for (int i = 0; !request->fit && sheet->parameters[i].name; i++)
    if (!request->of_sheet[i].count && isnan(usual_of(request, i)))
      return fail(VAT_USAGE, "%s of which %s? give --%s: %s", sheet->name,
                  sheet->parameters[i].name, sheet->parameters[i].name,
                  sheet->parameters[i].meaning);
  return VAT_OK;
}

static json_t *output_json(const struct sheet_output *output, double value) {
  if (isnan(value)) return json_null();
  if (output->names == sheet_truth) return json_boolean(value != 0);
  if (output->names) return json_string(output->names[(int)value]);
  return model_json_number(value);
}

static void print_json(const struct request *request, const double *in,
                       const double *out) {
  const struct sheet *sheet = request->sheet;
  json_t *object =
      json_pack("{ss ss ss}", "model", request->model->name, "case",
                sheet->name, "arch", request->machine.name);
  for (int i = 0; sheet->parameters[i].name; i++)
    model_json_add(object, sheet->parameters[i].name, in[i]);
  for (int i = 0; sheet->outputs[i].key; i++)
    json_object_set_new(object, sheet->outputs[i].key,
                        output_json(&sheet->outputs[i], out[i]));
  model_json_print(object);
}

static int width_of(const char *name) {
  int width = (int)strlen(name);
  return width > 9 ? width : 9;
}

/* What was given, and what comes of it; NULL: their heads. */
static void print_line(const struct request *request, const double *in,
                       const double *out) {
  const struct sheet *sheet = request->sheet;
  for (int i = 0; sheet->parameters[i].name; i++) {
    const char *name = sheet->parameters[i].name;
    if (request->of_sheet[i].count)
      printf("%*s ", width_of(name), in ? NUMBER_TEXT(in[i]) : name);
  }
  for (int i = 0; sheet->outputs[i].key; i++) {
    const struct sheet_output *output = &sheet->outputs[i];
    const char *shown = !out             ? output->key
                        : isnan(out[i])  ? "-"
                        : !output->names ? NUMBER_TEXT(out[i])
                                         : output->names[(int)out[i]];
    printf(" %*s", width_of(output->key), shown);
  }
  putchar('\n');
}

/* Every combination, the last list fastest, as a table or JSON. */
static int print_all(const struct request *request) {
  const struct sheet *sheet = request->sheet;
  const struct sheet_parameter *parameters = sheet->parameters;
  double in[SHEET_PARAMETERS_MAX], out[SHEET_OUTPUTS_MAX];
  size_t beyond, lines = numbers_combinations(
                     request->of_sheet, SHEET_PARAMETERS_MAX, 1000000, &beyond);
  if (!lines)
    return fail(VAT_USAGE, "--%s: over a million combinations",
                parameters[beyond].name);
  int count = 0;
  for (; parameters[count].name; count++) in[count] = usual_of(request, count);
  for (size_t line = 0; line < lines; line++) {
    numbers_combine(request->of_sheet, SHEET_PARAMETERS_MAX, line, in);
    for (int i = count; i-- > 0;)
      if (check_value(&parameters[i], in[i], "--")) return VAT_USAGE;
    sheet->evaluate(in, out);
    if (!line && !request->json) {
      printf("%s (%s, %s): %s, %s, on a %s\n", request->model->title,
             request->model->source, sheet->source, sheet->name, sheet->summary,
             request->machine.title);
      print_line(request, NULL, NULL);
    }
    (request->json ? print_json : print_line)(request, in, out);
  }
  return VAT_OK;
}

/* Of a fit, seconds = a1 x + a0 by least squares, x being the time that a sheet
 * tells with a1 = 1 and a0 = 0 (5.24, 6.10). */
struct runs {
  double *x, *seconds;
  size_t count;
};

static int read_run(const struct request *request, size_t index,
                    const json_t *run, struct runs *runs) {
  const struct sheet *sheet = request->sheet;
  const json_t *seconds = json_object_get(run, "seconds");
  double in[SHEET_PARAMETERS_MAX], out[SHEET_OUTPUTS_MAX];
  char where[300];
  snprintf(where, sizeof where, "%.240s: run %zu: ", request->fit, index + 1);
  if (!json_is_number(seconds))
    return fail(VAT_USAGE, "%s\"seconds\" is missing or not a number", where);
  if (!(json_number_value(seconds) >= 0 && json_number_value(seconds) < 1e100))
    return fail(VAT_USAGE, "%s\"seconds\" is no time", where);
  for (int i = 0; sheet->parameters[i].name; i++) {
    char key[MODEL_KEY_SIZE];
    model_json_key(key, sheet->parameters[i].name);
    const json_t *value = json_object_get(run, key);
    in[i] = value ? json_number_value(value) : usual_of(request, i);
    if ((value && !json_is_number(value)) || isnan(in[i]))
      return fail(VAT_USAGE, "%s\"%s\" is missing or not a number: %s", where,
                  sheet->parameters[i].name, sheet->parameters[i].meaning);
    if (check_value(&sheet->parameters[i], in[i], where)) return VAT_USAGE;
  }
  in[sheet_parameter_find(sheet, "a1")] = 1;
  in[sheet_parameter_find(sheet, "a0")] = 0;
  sheet->evaluate(in, out);
  runs->x[index] = out[sheet_output_find(sheet, "time")];
  runs->seconds[index] = json_number_value(seconds);
  return VAT_OK;
}

static void print_fit(const struct request *request, const struct runs *runs) {
  double a0, a1, c00, c01, c11, rest;
  gsl_fit_linear(runs->x, 1, runs->seconds, 1, runs->count, &a0, &a1, &c00,
                 &c01, &c11, &rest);
  double all = gsl_stats_tss(runs->seconds, 1, runs->count);
  double r2 = all > 0 ? 1 - rest / all : NAN;
  if (request->json) {
    json_t *object = json_pack("{ss ss}", "model", request->model->name, "case",
                               request->sheet->name);
    model_json_add(object, "a1", a1, "a0", a0, "r2", r2, "runs",
                   (double)runs->count);
    model_json_print(object);
    return;
  }
  printf("%s: seconds = %s x + %s, where x is its time with a1 = 1, a0 = 0; ",
         request->sheet->name, NUMBER_TEXT(a1), NUMBER_TEXT(a0));
  if (all > 0)
    printf("R^2 = %.4f of %zu runs\n", r2, runs->count);
  else
    printf("no R^2, as all %zu runs took the same time\n", runs->count);
}

/* One x tells no line. */
static int check_spread(const struct request *request,
                        const struct runs *runs) {
  for (size_t i = 1; i < runs->count; i++)
    if (runs->x[i] != runs->x[0]) return VAT_OK;
  return fail(
      VAT_USAGE,
      "%s: the model gives all runs the same time; a fit needs different ones",
      request->fit);
}

static int fit_all(const struct request *request, const json_t *root) {
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

static int fit(const struct request *request) {
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

static int command(const struct sheet_model *model, int argc, char **argv) {
  struct request request = {.model = model};
  const struct option_table *table = sheet_table(model);
  int code = options_parse(table, argc, argv, &request);
  if (!code) code = choose_sheet(&request);
  if (!code) code = give(&request);
  if (!code) code = request.fit ? fit(&request) : print_all(&request);
  options_fini(table, &request);
  return code;
}

int calibrated_command(int argc, char **argv) {
  return command(&sheet_model_calibrated, argc, argv);
}

int integrated_command(int argc, char **argv) {
  return command(&sheet_model_integrated, argc, argv);
}
