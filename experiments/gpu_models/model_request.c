/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/model_request.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/device/device.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/results/results.h"

enum { HEADING = 1, USUAL = 7 };

/* A heading, the parameters of all cases by name, and what all models have. */
static struct option_row rows[HEADING + MODEL_OPTIONS_MAX + USUAL];
static struct option_row *const options = rows + HEADING;

/* Its place in the request; MODEL_OPTIONS_MAX: there is none. */
static size_t option_of(const char *name) {
  for (size_t i = 0; i < MODEL_OPTIONS_MAX; i++) {
    const struct option_row *row = &options[i];
    if (!row->name || row->type != OPTION_SIZES) break;
    if (!strcmp(row->name, name)) return i;
  }
  return MODEL_OPTIONS_MAX;
}

static void print_case(FILE *out, const struct gpu_case *c) {
  fprintf(out, "  %s: %s;", c->name, c->summary);
  for (const struct gpu_parameter *p = c->parameters; p->name; p++) {
    fprintf(out, "%s --%s", p == c->parameters ? "" : ",", p->name);
    if (isnan(p->usual))
      fprintf(out, " %s", p->meaning);
    else
      fprintf(out, " (%g)", p->usual);
  }
  fputc('\n', out);
}

/* What the tables have. */
static void print_models(FILE *out, const void *request) {
  (void)request;
  for (size_t i = 0; gpu_models[i]; i++) {
    fprintf(out, "Cases of %s (%s), their parameters and the defaults:\n",
            gpu_models[i]->name, gpu_models[i]->source);
    for (const struct gpu_case *c = gpu_models[i]->cases; c->name; c++)
      print_case(out, c);
  }
  for (const struct calculator *c = calculators; c->name; c++)
    fprintf(out, "%s (%s): %s; see vat model %s --help\n", c->name, c->source,
            c->summary, c->name);
  fputs("GPUs:\n", out);
  for (const struct gpu_arch *arch = gpu_archs; arch->name; arch++)
    fprintf(out, "  %s: %s; %s\n", arch->name, arch->title, arch->source);
}

static const char *model_names(char names[NAMES_SIZE]) {
  *names = '\0';
  for (size_t i = 0; gpu_models[i]; i++) names_add(names, gpu_models[i]->name);
  return names_of(calculators, sizeof *calculators, names);
}

static int choose_model(struct model_request *request, const char *name) {
  char names[NAMES_SIZE];
  request->model = gpu_model_find(name);
  if (request->model) return VAT_OK;
  if (calculator_find(name))
    return fail(VAT_USAGE, "%s: the model comes first; write vat model %s",
                name, name);
  return fail(VAT_USAGE, "%s: unknown model; choose one of %s", name,
              model_names(names));
}

/* The GPU that a results file was measured on. */
static int read_arch(struct model_request *request, const char *path) {
  char error[RESULTS_ERROR_SIZE];
  struct results results;
  if (results_read(&results, path, error))
    return fail(fail_code(errno), "--arch %s", error);
  bool known = gpu_record_read(&request->record, results.machine);
  results_fini(&results);
  request->arch = &request->record.arch;
  if (known) return VAT_OK;
  return fail(VAT_USAGE,
              "--arch %s: its machine record does not describe a GPU, by name, "
              "compute_capability, sms (1 to %d) and clock_khz; vat run "
              "--device cuda -o FILE writes one that does",
              path, GPU_RECORD_SMS_MOST);
}

static int choose_arch(void *at, const char *option, const char *name) {
  struct model_request *request = at;
  request->arch = gpu_arch_find(name);
  if (request->arch) return VAT_OK;
  if (strpbrk(name, "./")) return read_arch(request, name);
  return fail(VAT_USAGE,
              "--%s %s: unknown GPU; choose one of %s, or a results file",
              option, name, NAMES_OF(gpu_archs));
}

#define AT(member) OPTION_AT(struct model_request, member)

static const struct option_row usual[USUAL] = {
    {.help = "Input"},
    {"arch", "ARCH", OPTION_OWN, .set = choose_arch,
     .help = "the GPU: one of those below (default: the first), or a results "
             "file of vat run --device cuda"},
    {"algo", "ALGO", OPTION_TEXT, AT(algo),
     .help = "the algorithm that the emulator runs and counts, at the sizes "
             "--n; with --results, the algorithm to compare the case with"},
    {"from", "FILE.json", OPTION_TEXT, AT(from), .conflicts = "results",
     .help = "take parameters from a JSON object, or from an array of objects, "
             "one after the other"},
    {"results", "RESULTS", OPTION_TEXT, AT(results),
     .help = "counts from vat run --device emu -o: of the algorithm CASE or of "
             "all, at the sizes --n or at all"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print JSON Lines"},
    {0}};

static size_t add_parameters(size_t count, const struct gpu_case *c) {
  for (const struct gpu_parameter *p = c->parameters; p->name; p++) {
    size_t at = option_of(p->name);
    struct option_row *row = &options[at];
    if (at < MODEL_OPTIONS_MAX) {
      if (strcmp(row->help, p->meaning))
        row->help = "the values of a case below";
      continue;
    }
    if (count == MODEL_OPTIONS_MAX) abort(); /* make room */
    options[count] =
        (struct option_row){p->name, "LIST", OPTION_SIZES, .help = p->meaning,
                            .at = offsetof(struct model_request, given) +
                                  count * sizeof(struct sizes)};
    count++;
  }
  return count;
}

const struct option_table *model_table(void) {
  static const struct option_table table = {
      .rows = rows,
      .usage = "MODEL [CASE]",
      .examples =
          "  vat model maxsum list_ranking --n 2^22 --arch gtx280\n"
          "  vat model calibrated occupancy --threads 256 --regs 20\n",
      .words = offsetof(struct model_request, words),
      .words_most = 2,
      .too_many = "only one case is allowed",
      .doc = "Show the time that a program takes by a model of GPUs.",
      .more = print_models,
  };
  size_t count = 0;
  if (rows->help) return &table;
  rows->help = "Parameters, each a list such as 64,128, 2^6:2^11*2 or 1..90";
  for (size_t i = 0; gpu_models[i]; i++)
    for (const struct gpu_case *c = gpu_models[i]->cases; c->name; c++)
      count = add_parameters(count, c);
  memcpy(options + count, usual, sizeof usual);
  return &table;
}

const struct sizes *model_request_given(const struct model_request *request,
                                        const char *name) {
  size_t at = option_of(name);
  return at < MODEL_OPTIONS_MAX && request->given[at].at ? &request->given[at]
                                                         : NULL;
}

int model_request_check(const struct gpu_parameter *parameter, double value,
                        const char *where) {
  if (value >= parameter->least && value <= parameter->most) return VAT_OK;
  return fail(VAT_USAGE, "%s%s %g: out of range; it must be from %g to %g",
              where, parameter->name, value, parameter->least, parameter->most);
}

static int find_case(struct model_request *request) {
  const struct gpu_model *model = request->model;
  if (!request->case_name)
    return fail(VAT_USAGE, "%s: no case; name one of %s", model->name,
                NAMES_OF(model->cases));
  request->at = gpu_case_find(model, request->case_name);
  if (request->at) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: unknown case of %s; choose one of %s, or any algorithm with "
              "--algo or --results",
              request->case_name, model->name, NAMES_OF(model->cases));
}

/* An option that the case does not have, or values that it does not take. */
static int check_given(const struct model_request *request) {
  int code = VAT_OK;
  for (size_t i = 0; !code && i < MODEL_OPTIONS_MAX; i++) {
    const struct sizes *given = &request->given[i];
    if (!given->at) continue;
    const char *name = options[i].name;
    const struct gpu_parameter *p = request->at->parameters;
    while (p->name && strcmp(p->name, name)) p++;
    if (!p->name)
      return fail(VAT_USAGE, "--%s: %s does not depend on it; leave it out",
                  name, request->at->name);
    if (request->from)
      return fail(VAT_USAGE, "--%s: --from sets it; leave it out", name);
    for (size_t j = 0; !code && j < given->count; j++)
      code = model_request_check(p, (double)given->at[j], "--");
  }
  return code;
}

static int check_missing(const struct model_request *request) {
  for (const struct gpu_parameter *p = request->at->parameters; p->name; p++)
    if (isnan(p->usual) && !model_request_given(request, p->name))
      return fail(VAT_USAGE, "%s: no size; give --%s, %s", request->at->name,
                  p->name, p->meaning);
  return VAT_OK;
}

/* The case, which takes counts, with a value of each parameter. */
static int check_beside(struct model_request *request) {
  int code = find_case(request);
  if (!code && !request->at->of_counts)
    return fail(VAT_USAGE, "--results: %s cannot use counts; leave it out",
                request->model->name);
  if (!code) code = check_given(request);
  for (size_t i = 0; !code && i < MODEL_OPTIONS_MAX; i++)
    if (request->given[i].count > 1 && strcmp(options[i].name, "n"))
      return fail(VAT_USAGE, "--%s: give only one value with --results",
                  options[i].name);
  return code;
}

/* Counts tell all parameters but the size. */
static int check_size_alone(const struct model_request *request,
                            const char *option) {
  for (size_t i = 0; i < MODEL_OPTIONS_MAX; i++)
    if (request->given[i].at && strcmp(options[i].name, "n"))
      return fail(VAT_USAGE,
                  "--%s: with %s, it comes from the counts; leave it out",
                  options[i].name, option);
  return VAT_OK;
}

/* What is no case, but runs in the emulator, is counted there. */
static void name_algo(struct model_request *request) {
  const char *name = request->case_name;
  if (request->algo || !name || !request->model->of_counts ||
      gpu_case_find(request->model, name) ||
      !device_algo(device_find("emu"), name))
    return;
  request->algo = name;
  request->case_name = NULL;
}

static int check_emulated(const struct model_request *request) {
  if (!request->model->of_counts)
    return fail(VAT_USAGE, "--algo: %s needs --results with it",
                request->model->name);
  if (request->case_name || request->from)
    return fail(VAT_USAGE, "--algo and %s exclude each other; leave one out",
                request->from ? "--from" : request->case_name);
  if (!model_request_given(request, "n"))
    return fail(VAT_USAGE, "--algo %s: no size; give --n", request->algo);
  return check_size_alone(request, "--algo");
}

static int check(struct model_request *request) {
  char names[NAMES_SIZE];
  if (!request->model)
    return fail(VAT_USAGE, "no model; choose one of %s", model_names(names));
  if (request->results && !request->model->of_counts)
    return check_beside(request);
  if (request->results && request->algo)
    return fail(VAT_USAGE,
                "--algo: the case %s already names the algorithm; leave it out",
                request->model->name);
  if (request->results) return check_size_alone(request, "--results");
  if (!request->from) name_algo(request);
  if (request->algo) return check_emulated(request);
  int code = find_case(request);
  if (!code) code = check_given(request);
  if (!code && !request->from) code = check_missing(request);
  return code;
}

int model_request_parse(struct model_request *request, int argc, char **argv) {
  *request = (struct model_request){.arch = gpu_archs};
  int code = options_parse(model_table(), argc, argv, request);
  if (code) return code;
  if (request->words.count > 1) request->case_name = request->words.at[1];
  if (request->words.count) code = choose_model(request, *request->words.at);
  return code ? code : check(request);
}
