/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/sheet_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/names.h"
#include "experiments/gpu_models/sheet_request.h"

#define USUAL_MACHINE "gtx480" /* the source's */

enum { HEADING = 1, OPTIONS_MOST = 40, USUAL = 5 };

struct parsing {
  struct sheet_request request;
  struct option_words words;
  struct numbers given[OPTIONS_MOST]; /* by option */
};

/* A heading, the parameters of all sheets, by name; then what all have. */
static struct option_row rows[HEADING + OPTIONS_MOST + USUAL];

static int set_arch(void *at, const char *option, const char *name) {
  struct sheet_request *request = at;
  const struct sheet_model *model = request->model;
  struct sheet_machine machine;
  char names[NAMES_SIZE] = "";
  if (sheet_machine_find(model, name, &request->machine)) return VAT_OK;
  for (size_t i = 0; model->machine(i, &machine); i++)
    names_add(names, machine.name);
  return fail(VAT_USAGE, "--%s %.80s: no such machine; there are %s", option,
              name, names);
}

static const struct option_row usual[USUAL] = {
    {.help = "What it is told of"},
    {"arch", "ARCH", OPTION_OWN, OPTION_AT(struct parsing, request),
     .set = set_arch, .usual = USUAL_MACHINE,
     .help = "the machine: one of those below"},
    {"fit", "RUNS.json", OPTION_TEXT, OPTION_AT(struct parsing, request.fit),
     .help = "a1 and a0 from an array of objects that have the parameters of a "
             "run, and its \"seconds\""},
    {"json", NULL, OPTION_FLAG, OPTION_AT(struct parsing, request.json),
     .help = "print a JSON object a line"},
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
        .at = offsetof(struct parsing, given) + count * sizeof(struct numbers)};
    count++;
  }
  return count;
}

static void print_sheets(FILE *out, const void *of) {
  const struct parsing *parsing = of;
  const struct sheet_model *model = parsing->request.model;
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

const struct option_table *sheet_table(const struct sheet_model *model) {
  static const struct option_table table = {
      .rows = rows,
      .usage = "WHAT",
      .words = offsetof(struct parsing, words),
      .words_most = 1,
      .too_many = "one word too many",
      .doc = "The numbers of a model.",
      .more = print_sheets,
  };
  size_t count = 0;
  rows->help = "Parameters, each a list such as 4,8,16, 1..48*2 or 1..90+1";
  for (const struct sheet *s = model->sheets; s->name; s++)
    count = add_parameters(count, s);
  memcpy(rows + HEADING + count, usual, sizeof usual);
  return &table;
}

static int choose_sheet(struct parsing *parsing) {
  struct sheet_request *request = &parsing->request;
  const struct sheet_model *model = request->model;
  char names[NAMES_SIZE] = "";
  for (const struct sheet *s = model->sheets; s->name; s++)
    names_add(names, s->name);
  const char *word = *parsing->words.at;
  if (!word)
    return fail(VAT_USAGE, "%s what? there are %s", model->name, names);
  request->sheet = sheet_find(model, word);
  if (request->sheet) return VAT_OK;
  return fail(VAT_USAGE, "%.80s: %s does not tell it; there are %s", word,
              model->name, names);
}

/* From options to the parameters of the sheet. */
static int give(struct parsing *parsing) {
  struct sheet_request *request = &parsing->request;
  for (int i = 0; i < OPTIONS_MOST; i++) {
    if (!parsing->given[i].count) continue;
    const char *name = rows[HEADING + i].name;
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
  struct parsing parsing = {.request.model = model};
  struct sheet_request *request = &parsing.request;
  const struct option_table *table = sheet_table(model);
  int code = options_parse(table, argc, argv, &parsing);
  if (!code) code = choose_sheet(&parsing);
  if (!code) code = give(&parsing);
  if (!code) code = request->fit ? sheet_fit(request) : sheet_tell(request);
  options_fini(table, &parsing);
  for (int i = 0; i < SHEET_PARAMETERS_MAX; i++) free(request->given[i].at);
  return code;
}

int calibrated_command(int argc, char **argv) {
  return command(&sheet_model_calibrated, argc, argv);
}

int integrated_command(int argc, char **argv) {
  return command(&sheet_model_integrated, argc, argv);
}
