/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model says, as a table or JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/human.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/model_request.h"

/* What stands in a results file and in one column. */
enum { NAME_WIDTH = 26, CELL_WIDTH = 10 };

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

static int width_of(const char *name) {
  int width = (int)strlen(name);
  return width > CELL_WIDTH ? width : CELL_WIDTH;
}

static void print_heads(const struct model_request *request, bool units) {
  const struct gpu_case *at = request->at;
  if (request->results || request->algo) /* of counts */
    printf("%-*s", NAME_WIDTH, units ? "" : "counted");
  if (!at) printf("%*s", CELL_WIDTH, units ? "" : "n");
  for (size_t i = 0; at && at->parameters[i].name; i++)
    printf("%s%*s", i ? "  " : "", width_of(at->parameters[i].name),
           units ? "" : at->parameters[i].name);
  for (const struct gpu_output *o = request->model->outputs; o->key; o++)
    printf("  %*s", CELL_WIDTH, units ? o->unit : o->head);
  putchar('\n');
}

void model_print_head(const struct model_request *request) {
  if (request->json) return;
  printf("%s (%s%s%s): %s on a %s\n", request->model->title,
         request->model->source, request->at ? ", " : "",
         request->at ? request->at->source : "",
         request->at ? request->at->name : "what was counted",
         request->arch->title);
  print_heads(request, false);
  print_heads(request, true);
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

static void print_place(const struct model_line *line) {
  char text[HUMAN_SIZE], name[128];
  if (line->counted) {
    bool variant = line->generator && *line->generator;
    snprintf(name, sizeof name, "%s%s%s", line->algo ? line->algo : line->name,
             variant ? ", " : "", variant ? line->generator : "");
    printf("%-*s", NAME_WIDTH, name);
  }
  if (!line->at) {
    printf("%*s", CELL_WIDTH, size_text(line->n, text));
    return;
  }
  for (size_t i = 0; line->at->parameters[i].name; i++)
    printf("%s%*s", i ? "  " : "", width_of(line->at->parameters[i].name),
           line->kernels ? (i ? "" : "all")
                         : size_text(line->parameters[i], text));
}

void model_print_line(const struct model_request *request,
                      const struct model_line *line) {
  if (request->json) {
    print_json(request, line);
    return;
  }
  print_place(line);
  for (size_t i = 0; request->model->outputs[i].key; i++)
    printf("  %*s", CELL_WIDTH, HUMAN_NUMBER(line->outputs[i]));
  putchar('\n');
}
