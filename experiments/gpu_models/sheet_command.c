/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/sheet_command.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/names.h"
#include "experiments/gpu_models/sheet_request.h"

#define USUAL_MACHINE "gtx480" /* the source's */

enum { OPTIONS_MOST = 40, KEY_PARAMETER = 0x200 };
enum { KEY_ARCH = 0x100, KEY_FIT, KEY_JSON };

struct parsing {
  struct sheet_request *request;
  const char *word;
  struct argp_option options[OPTIONS_MOST + 4];
  struct numbers given[OPTIONS_MOST]; /* by option */
};

static int option_of(const struct parsing *parsing, const char *name) {
  int i = 0;
  while (parsing->options[i].name && strcmp(parsing->options[i].name, name))
    i++;
  return i;
}

/* The parameters of all sheets, by name; then what all have. */
static void make_options(struct parsing *parsing) {
  struct argp_option *options = parsing->options;
  int count = 0;
  for (const struct sheet *s = parsing->request->model->sheets; s->name; s++)
    for (const struct sheet_parameter *p = s->parameters; p->name; p++) {
      int at = option_of(parsing, p->name);
      if (options[at].name) continue;
      if (at == OPTIONS_MOST) abort(); /* make room */
      options[at] = (struct argp_option){.name = p->name,
                                         .key = KEY_PARAMETER + at,
                                         .arg = "LIST",
                                         .doc = p->meaning,
                                         .group = 1};
      count = at + 1;
    }
  options[count++] = (struct argp_option){
      "arch", KEY_ARCH, "ARCH", 0, "the machine: one of those below", 2};
  options[count++] = (struct argp_option){
      "fit",
      KEY_FIT,
      "RUNS.json",
      0,
      "a1 and a0 from an array of objects that have the parameters of a run, "
      "and its \"seconds\"",
      2};
  options[count] = (struct argp_option){
      "json", KEY_JSON, NULL, 0, "print a JSON object a line", 2};
}

static void take_arch(struct sheet_request *request, const char *name) {
  const struct sheet_model *model = request->model;
  struct sheet_machine machine;
  char names[NAMES_SIZE] = "";
  if (sheet_machine_find(model, name, &request->machine)) return;
  for (size_t i = 0; model->machine(i, &machine); i++)
    names_add(names, machine.name);
  exit(fail(VAT_USAGE, "--arch %.80s: no such machine; there are %s", name,
            names));
}

/* Options with the same name are of the same kind in all sheets. */
static bool takes_whole(const struct parsing *parsing, const char *name) {
  const struct sheet *s = parsing->request->model->sheets;
  while (sheet_parameter_find(s, name) < 0) s++;
  return s->parameters[sheet_parameter_find(s, name)].whole;
}

static void take_numbers(struct parsing *parsing, int option,
                         const char *text) {
  const char *name = parsing->options[option].name;
  char error[256];
  free(parsing->given[option].at);
  if (numbers_parse(text, -1e100, takes_whole(parsing, name),
                    &parsing->given[option], error, sizeof error))
    exit(fail(fail_code(errno), "--%s %s", name, error));
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct parsing *parsing = state->input;
  switch (key) {
    case KEY_ARCH:
      take_arch(parsing->request, value);
      return 0;
    case KEY_FIT:
      parsing->request->fit = value;
      return 0;
    case KEY_JSON:
      parsing->request->json = true;
      return 0;
    case ARGP_KEY_ARG:
      if (parsing->word)
        exit(fail(VAT_USAGE, "%.80s: one word too many", value));
      parsing->word = value;
      return 0;
    default:
      if (key < KEY_PARAMETER || key >= KEY_PARAMETER + OPTIONS_MOST)
        return ARGP_ERR_UNKNOWN;
      take_numbers(parsing, key - KEY_PARAMETER, value);
      return 0;
  }
}

static void print_sheets(FILE *out, const struct sheet_model *model) {
  struct sheet_machine machine;
  fprintf(out, "What it tells (%s), and of what:\n", model->source);
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

static char *help(int key, const char *text, void *input) {
  const struct parsing *parsing = input;
  char *doc = NULL;
  size_t size;
  if (key != ARGP_KEY_HELP_POST_DOC || !parsing) return (char *)text;
  FILE *out = open_memstream(&doc, &size);
  if (!out) return (char *)text;
  print_sheets(out, parsing->request->model);
  fclose(out);
  return doc;
}

static int choose_sheet(struct parsing *parsing) {
  struct sheet_request *request = parsing->request;
  const struct sheet_model *model = request->model;
  char names[NAMES_SIZE] = "";
  for (const struct sheet *s = model->sheets; s->name; s++)
    names_add(names, s->name);
  if (!parsing->word)
    return fail(VAT_USAGE, "%s what? there are %s", model->name, names);
  request->sheet = sheet_find(model, parsing->word);
  if (request->sheet) return VAT_OK;
  return fail(VAT_USAGE, "%.80s: %s does not tell it; there are %s",
              parsing->word, model->name, names);
}

/* From options to the parameters of the sheet. */
static int give(struct parsing *parsing) {
  struct sheet_request *request = parsing->request;
  for (int i = 0; i < OPTIONS_MOST; i++) {
    if (!parsing->given[i].count) continue;
    const char *name = parsing->options[i].name;
    int at = sheet_parameter_find(request->sheet, name);
    if (at < 0)
      return fail(VAT_USAGE, "--%s: %s does not depend on it; leave it out",
                  name, request->sheet->name);
    if (request->fit)
      return fail(VAT_USAGE, "--%s: with --fit, it comes from there", name);
    request->given[at] = parsing->given[i];
    parsing->given[i] = (struct numbers){0};
  }
  for (int i = 0; !request->fit && request->sheet->parameters[i].name; i++)
    if (!request->given[i].count && isnan(sheet_usual(request, i)))
      return fail(VAT_USAGE, "%s of which %s? give --%s: %s",
                  request->sheet->name, request->sheet->parameters[i].name,
                  request->sheet->parameters[i].name,
                  request->sheet->parameters[i].meaning);
  return VAT_OK;
}

static int command(const struct sheet_model *model, int argc, char **argv) {
  struct sheet_request request = {.model = model};
  struct parsing parsing = {.request = &request};
  make_options(&parsing);
  take_arch(&request, USUAL_MACHINE);
  const struct argp argp = {.options = parsing.options,
                            .parser = parse,
                            .args_doc = "WHAT",
                            .doc = "The numbers of a model.\v",
                            .help_filter = help};
  int code = command_parse(&argp, argc, argv, &parsing);
  if (!code) code = choose_sheet(&parsing);
  if (!code) code = give(&parsing);
  if (!code) code = request.fit ? sheet_fit(&request) : sheet_tell(&request);
  for (int i = 0; i < OPTIONS_MOST; i++) free(parsing.given[i].at);
  for (int i = 0; i < SHEET_PARAMETERS_MAX; i++) free(request.given[i].at);
  return code;
}

int calibrated_command(int argc, char **argv) {
  return command(&sheet_model_calibrated, argc, argv);
}

int integrated_command(int argc, char **argv) {
  return command(&sheet_model_integrated, argc, argv);
}
