/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/model_request.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/names.h"
#include "experiments/device/device.h"
#include "experiments/gpu_models/calculators.h"
#include "experiments/results/results.h"

enum {
  KEY_ARCH = 256,
  KEY_ALGO,
  KEY_FROM,
  KEY_RESULTS,
  KEY_JSON,
  KEY_PARAMETER
};

static size_t option_of(const struct argp_option *options, const char *name) {
  size_t i = 0;
  while (options[i].name && strcmp(options[i].name, name)) i++;
  return i;
}

static void add_parameters(struct argp_option *options,
                           const struct gpu_case *c) {
  for (const struct gpu_parameter *p = c->parameters; p->name; p++) {
    size_t at = option_of(options, p->name);
    if (options[at].name) {
      if (strcmp(options[at].doc, p->meaning))
        options[at].doc = "what the cases below say";
      continue;
    }
    if (at == MODEL_OPTIONS_MAX) abort(); /* make room */
    options[at] = (struct argp_option){.name = p->name,
                                       .key = KEY_PARAMETER + (int)at,
                                       .arg = "LIST",
                                       .doc = p->meaning,
                                       .group = 2};
  }
}

static const struct argp_option usual[] = {
    {0, 0, NULL, 0, "Parameters, each a list such as 64,128 or 2^6:2^11*2", 1},
    {0, 0, NULL, 0, "What it is told of", 3},
    {"arch", KEY_ARCH, "ARCH", 0,
     "the GPU: one of those below (the first if not given), or a results file "
     "of vat run --device cuda",
     4},
    {"algo", KEY_ALGO, "ALGO", 0,
     "what the emulator is to run and count, at the sizes --n; of --results "
     "the "
     "algorithm, where a case is set beside what was counted",
     4},
    {"from", KEY_FROM, "FILE.json", 0,
     "parameters from an object, or an array of them that run one after the "
     "other",
     4},
    {"results", KEY_RESULTS, "RESULTS", 0,
     "what was counted of the algorithm CASE, or of all, at the sizes --n, or "
     "at all, as vat run --device emu -o writes it",
     4},
    {"json", KEY_JSON, NULL, 0, "print a JSON object a line", 4}};

static void make_options(struct argp_option *options) {
  size_t count;
  for (size_t i = 0; gpu_models[i]; i++)
    for (const struct gpu_case *c = gpu_models[i]->cases; c->name; c++)
      add_parameters(options, c);
  count = option_of(options, "");
  memcpy(options + count, usual, sizeof usual);
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

/* --help has what the tables have; argp frees what it is given. */
static char *help(int key, const char *text, void *input) {
  char *doc = NULL;
  size_t size;
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC) return (char *)text;
  FILE *out = open_memstream(&doc, &size);
  if (!out) return (char *)text;
  for (size_t i = 0; gpu_models[i]; i++) {
    fprintf(out,
            "Cases of %s (%s), their parameters and what those usually "
            "are:\n",
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
  fclose(out);
  return doc;
}

static const char *model_names(char names[NAMES_SIZE]) {
  *names = '\0';
  for (size_t i = 0; gpu_models[i]; i++) names_add(names, gpu_models[i]->name);
  for (const struct calculator *c = calculators; c->name; c++)
    names_add(names, c->name);
  return names;
}

static void choose_model(struct model_request *request, const char *name) {
  char names[NAMES_SIZE];
  request->model = gpu_model_find(name);
  if (request->model) return;
  if (calculator_find(name))
    exit(fail(VAT_USAGE, "%s: write it first, vat model %s", name, name));
  model_names(names);
  exit(fail(VAT_USAGE, "%s: no such model; there are %s", name, names));
}

/* The GPU that a results file was measured on. */
static void read_arch(struct model_request *request, const char *path) {
  char error[RESULTS_ERROR_SIZE];
  struct results results;
  if (results_read(&results, path, error))
    exit(fail(fail_code(errno), "--arch %s", error));
  if (!gpu_record_read(&request->record, results.machine))
    exit(
        fail(VAT_USAGE,
             "--arch %s: its machine record has no GPU that is known, by name, "
             "compute_capability, sms (1 to %d) and clock_khz; vat run "
             "--device cuda -o FILE makes one that has",
             path, GPU_RECORD_SMS_MOST));
  request->arch = &request->record.arch;
  results_fini(&results);
}

static void choose_arch(struct model_request *request, const char *name) {
  char names[NAMES_SIZE] = "";
  request->arch = gpu_arch_find(name);
  if (request->arch) return;
  if (strpbrk(name, "./")) {
    read_arch(request, name);
    return;
  }
  for (const struct gpu_arch *arch = gpu_archs; arch->name; arch++)
    names_add(names, arch->name);
  exit(fail(VAT_USAGE,
            "--arch %s: no such GPU; there are %s, and that of a results file",
            name, names));
}

static void take_parameter(struct model_request *request, size_t at,
                           const char *text) {
  char error[128];
  free(request->given[at].at);
  request->given[at].at = NULL;
  request->typed[at] = text;
  if (sizes_parse(text, &request->given[at], error, sizeof error))
    exit(fail(fail_code(errno), "--%s %s", request->options[at].name, error));
}

static void take_word(struct model_request *request, const char *word) {
  if (!request->model)
    choose_model(request, word);
  else if (!request->case_name)
    request->case_name = word;
  else
    exit(fail(VAT_USAGE, "%s: only one case at a time", word));
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct model_request *request = state->input;
  switch (key) {
    case KEY_ARCH:
      choose_arch(request, value);
      return 0;
    case KEY_ALGO:
      request->algo = value;
      return 0;
    case KEY_FROM:
      request->from = value;
      return 0;
    case KEY_RESULTS:
      request->results = value;
      return 0;
    case KEY_JSON:
      request->json = true;
      return 0;
    case ARGP_KEY_ARG:
      take_word(request, value);
      return 0;
    default:
      if (key < KEY_PARAMETER || key >= KEY_PARAMETER + MODEL_OPTIONS_MAX)
        return ARGP_ERR_UNKNOWN;
      take_parameter(request, (size_t)(key - KEY_PARAMETER), value);
      return 0;
  }
}

const struct sizes *model_request_given(const struct model_request *request,
                                        const char *name) {
  size_t at = option_of(request->options, name);
  return at < MODEL_OPTIONS_MAX && request->given[at].at ? &request->given[at]
                                                         : NULL;
}

int model_request_check(const struct gpu_parameter *parameter, double value,
                        const char *where) {
  if (value >= parameter->least && value <= parameter->most) return VAT_OK;
  return fail(VAT_USAGE, "%s%s %g: it is from %g to %g", where, parameter->name,
              value, parameter->least, parameter->most);
}

static int find_case(struct model_request *request) {
  char names[NAMES_SIZE] = "";
  const struct gpu_model *model = request->model;
  for (const struct gpu_case *c = model->cases; c->name; c++)
    names_add(names, c->name);
  if (!request->case_name)
    return fail(VAT_USAGE, "%s of what? name a case: %s", model->name, names);
  request->at = gpu_case_find(model, request->case_name);
  if (request->at) return VAT_OK;
  return fail(VAT_USAGE,
              "%s: no such case of %s; there are %s, and what is counted of "
              "any algorithm by --algo or --results",
              request->case_name, model->name, names);
}

static const struct gpu_parameter *parameter_of(const struct gpu_case *c,
                                                const char *name) {
  const struct gpu_parameter *p = c->parameters;
  while (p->name && strcmp(p->name, name)) p++;
  return p->name ? p : NULL;
}

/* An option that the case does not have, or values that it does not take. */
static int check_given(const struct model_request *request) {
  int code = VAT_OK;
  for (size_t i = 0; !code && i < MODEL_OPTIONS_MAX; i++) {
    const struct sizes *given = &request->given[i];
    if (!given->at) continue;
    const char *name = request->options[i].name;
    const struct gpu_parameter *p = parameter_of(request->at, name);
    if (!p)
      return fail(VAT_USAGE, "--%s: %s does not depend on it; leave it out",
                  name, request->at->name);
    if (request->from)
      return fail(VAT_USAGE, "--%s: with --from, it comes from there", name);
    for (size_t j = 0; !code && j < given->count; j++)
      code = model_request_check(p, (double)given->at[j], "--");
  }
  return code;
}

static int check_missing(const struct model_request *request) {
  for (const struct gpu_parameter *p = request->at->parameters; p->name; p++)
    if (isnan(p->usual) && !model_request_given(request, p->name))
      return fail(VAT_USAGE, "%s of which size? give --%s, %s",
                  request->at->name, p->name, p->meaning);
  return VAT_OK;
}

/* The case, which takes counts, with a value of each parameter. */
static int check_beside(struct model_request *request) {
  int code = find_case(request);
  if (!code && !request->at->of_counts)
    return fail(VAT_USAGE, "--results: %s takes no counts",
                request->model->name);
  if (!code) code = check_given(request);
  for (size_t i = 0; !code && i < MODEL_OPTIONS_MAX; i++)
    if (request->given[i].count > 1 && strcmp(request->options[i].name, "n"))
      return fail(VAT_USAGE, "--%s: with --results, one value of it",
                  request->options[i].name);
  return code;
}

/* Counts tell all parameters but the size. */
static int check_size_alone(const struct model_request *request,
                            const char *option) {
  for (size_t i = 0; i < MODEL_OPTIONS_MAX; i++)
    if (request->given[i].at && strcmp(request->options[i].name, "n"))
      return fail(VAT_USAGE, "--%s: with %s, counts tell it",
                  request->options[i].name, option);
  return VAT_OK;
}

static int check_counted(const struct model_request *request) {
  if (request->algo)
    return fail(VAT_USAGE, "--algo: %s has the algorithm for its case",
                request->model->name);
  return check_size_alone(request, "--results");
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
    return fail(VAT_USAGE, "--algo: %s takes it only with --results",
                request->model->name);
  if (request->case_name || request->from)
    return fail(VAT_USAGE, "--algo and %s: one of them at a time",
                request->from ? "--from" : request->case_name);
  if (!model_request_given(request, "n"))
    return fail(VAT_USAGE, "--algo %s: of which size? give --n", request->algo);
  return check_size_alone(request, "--algo");
}

bool model_request_counts(const struct model_request *request) {
  return request->results || request->algo;
}

static int no_model(void) {
  char names[NAMES_SIZE];
  return fail(VAT_USAGE, "which model? there are %s", model_names(names));
}

static int check(struct model_request *request) {
  if (!request->model) return no_model();
  if (request->results && request->from)
    return fail(VAT_USAGE, "--from and --results: one of them at a time");
  if (request->results)
    return request->model->of_counts ? check_counted(request)
                                     : check_beside(request);
  if (!request->from) name_algo(request);
  if (request->algo) return check_emulated(request);
  int code = find_case(request);
  if (!code) code = check_given(request);
  if (!code && !request->from) code = check_missing(request);
  return code;
}

int model_request_parse(struct model_request *request, int argc, char **argv) {
  *request = (struct model_request){.arch = gpu_archs};
  make_options(request->options);
  const struct argp argp = {
      .options = request->options,
      .parser = parse,
      .args_doc = "MODEL [CASE]",
      .doc = "What a model of GPUs says that a program takes.\v",
      .help_filter = help,
  };
  int code = command_parse(&argp, argc, argv, request);
  return code ? code : check(request);
}

void model_request_fini(struct model_request *request) {
  for (size_t i = 0; i < MODEL_OPTIONS_MAX; i++) free(request->given[i].at);
}
