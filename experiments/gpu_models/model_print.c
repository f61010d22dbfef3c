/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model says, as a table or JSON. */
#include <math.h>
#include <stdio.h>

#include "experiments/cli/human.h"
#include "experiments/cli/text_table.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/model_request.h"

static void print_json(const struct model_request *request,
                       const struct model_line *line) {
  bool variant = line->generator && *line->generator;
  json_t *object = json_pack(
      "{ss ss so ss ss* ss* ss* so*}", "model", request->model->name, "case",
      line->name, "n", model_json_number(line->n), "arch", request->arch->name,
      "algo", line->algo, "counted", line->counted, "generator",
      variant ? line->generator : NULL, "kernels",
      line->kernels ? json_integer((json_int_t)line->kernels) : NULL);
  for (size_t i = 0; line->at && !line->kernels && line->at->parameters[i].name;
       i++)
    model_json_add(object, line->at->parameters[i].name, line->parameters[i]);
  for (size_t i = 0; request->model->outputs[i].key; i++)
    model_json_add(object, request->model->outputs[i].key, line->outputs[i]);
  model_json_print(object);
}

/* Of the command's one request. */
static struct text_table table;

void model_print_head(const struct model_request *request) {
  const struct gpu_case *at = request->at;
  if (request->json) return;
  printf("%s (%s%s%s): %s on a %s\n", request->model->title,
         request->model->source, at ? ", " : "", at ? at->source : "",
         at ? at->name : "what was counted", request->arch->title);
  table = (struct text_table){.out = stdout};
  if (request->results || request->algo) text_columns(&table, "-26 counted");
  if (!at) text_columns(&table, "10 n");
  for (size_t i = 0; at && at->parameters[i].name; i++, table.gap = 2)
    text_columns(&table, "10 %s", at->parameters[i].name);
  table.gap = 2;
  for (const struct gpu_output *o = request->model->outputs; o->key; o++)
    text_columns(&table, "10 %s\n%s", o->head, o->unit);
  text_table_heads(&table);
}

void model_print_end(void) {
  text_table_end(&table);
  table = (struct text_table){.columns = NULL};
}

void model_note_bound(void) {
  fprintf(stderr,
          "vat: note: arithmetic was not counted, so the time for computing is "
          "a lower bound; vat list counters shows whether it can be counted\n");
}

/* Whole where they are: the sizes that were asked for. */
static const char *size_text(double value, char text[HUMAN_SIZE]) {
  if (isnan(value)) return "-";
  bool whole = value == floor(value) && value < 0x1p53;
  snprintf(text, HUMAN_SIZE, whole ? "%.0f" : "%g", value);
  return text;
}

void model_print_line(const struct model_request *request,
                      const struct model_line *line) {
  char text[HUMAN_SIZE];
  bool variant = line->generator && *line->generator;
  if (request->json) {
    print_json(request, line);
    return;
  }
  if (line->counted)
    text_cell(&table, "%s%s%s", line->algo ? line->algo : line->name,
              variant ? ", " : "", variant ? line->generator : "");
  if (!line->at) text_cell(&table, "%s", size_text(line->n, text));
  for (size_t i = 0; line->at && line->at->parameters[i].name; i++)
    text_cell(&table, "%s",
              line->kernels ? (i ? "" : "all")
                            : size_text(line->parameters[i], text));
  for (size_t i = 0; request->model->outputs[i].key; i++)
    text_cell(&table, "%s", HUMAN_NUMBER(line->outputs[i]));
  text_row_end(&table);
}
