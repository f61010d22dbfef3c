/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat list: the tables that vat is made of, one line a row. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "experiments/cli/human.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/text_table.h"
#include "experiments/commands/commands.h"
#include "experiments/device/device.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/machine/counters.h"
#include "experiments/predict/forms.h"
#include "experiments/validate/models.h"
#include "gpu_algos/models/gpu_model.h"
#include "huge_pages/page_kind.h"
#include "vat/policy.h"
#include "vat/trace.h"
#include "vat/tree.h"

/* Row `index` as an object whose first key is "name", last "summary"; NULL past
 * the end.  Keys are the columns. */
static json_t *algo_row(size_t index) {
  const struct algo *algo = device_any_algo(index);
  char names[NAMES_SIZE];
  if (!algo) return NULL;
  json_t *generators = json_array();
  for (size_t i = 0; algo->generators && algo->generators[i]; i++)
    json_array_append_new(generators, json_string(algo->generators[i]));
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s}", "name",
                   algo->name, "device", device_names(algo->name, names),
                   "complexity", algo->complexity, "default",
                   algo->classic ? "yes" : "no", "data",
                   algo->data ? algo->data : "-", "generators", generators,
                   "title", algo->title, "summary", algo->summary);
}

/* Of the algorithms that the theory bounds. */
static json_t *bound_row(size_t index) {
  const struct predict_form *form = &predict_forms[index];
  if (!form->algo) return NULL;
  return json_pack("{s:s, s:s, s:s}", "name", form->algo, "lower_source",
                   form->lower_source, "summary", form->upper_source);
}

/* Those that have several. */
static json_t *generator_row(size_t index) {
  const struct algo *algo;
  for (size_t i = 0; (algo = device_any_algo(i)); i++)
    if (algo->generators && !index--) break;
  if (!algo) return NULL;
  return json_pack("{s:s, s:s}", "name", algo->name, "summary",
                   NAMES_OF(algo->generators));
}

/* The processor's, then those of the emulator. */
static json_t *counter_row(size_t index) {
  const struct counter_info *info = counters_known(NULL, index);
  const char *device = info ? "cpu" : "emu";
  if (!info) {
    for (size_t i = 0; counters_known(NULL, i); i++) index--;
    info = counters_known(&counters_emulated, index);
  }
  if (!info) return NULL;
  return json_pack("{s:s, s:s, s:s, s:s}", "name", info->name, "device", device,
                   "unit", info->unit, "summary", info->meaning);
}

static json_t *device_row(size_t index) {
  if (index >= DEVICES) return NULL;
  const struct device *device = &devices[index];
  return json_pack("{s:s, s:s, s:s}", "name", device->name, "built",
                   *device_algos(device) ? "yes" : "no", "summary",
                   device->summary);
}

static json_t *format_row(size_t index) {
  const struct vat_trace_format *format = vat_trace_formats[index];
  if (!format) return NULL;
  return json_pack("{s:s, s:s, s:s}", "name", format->name, "written",
                   format->encoder ? "yes" : "no", "summary", format->summary);
}

static json_t *model_row(size_t index) {
  size_t count = 0;
  while (gpu_models[count]) count++;
  if (index >= count) { /* that have a command line of their own */
    const struct calculator *c = &calculators[index - count];
    if (!c->name) return NULL;
    return json_pack("{s:s, s:s, s:s}", "name", c->name, "source", c->source,
                     "summary", c->summary);
  }
  const struct gpu_model *model = gpu_models[index];
  json_t *cases = json_array();
  for (const struct gpu_case *c = model->cases; c->name; c++)
    json_array_append_new(cases, json_string(c->name));
  return json_pack("{s:s, s:o, s:s, s:s}", "name", model->name, "cases", cases,
                   "source", model->source, "summary", model->summary);
}

static json_t *page_row(size_t index) {
  const struct hp_kind *kind = hp_kind_at(index);
  if (!kind) return NULL;
  return json_pack("{s:s, s:I, s:s}", "name", kind->name, "page_bytes",
                   (json_int_t)kind->bytes, "summary", kind->summary);
}

static json_t *policy_row(size_t index) {
  const struct vat_policy *policy = vat_policies[index];
  if (!policy) return NULL;
  return json_pack("{s:s, s:s, s:s, s:s}", "name", policy->name, "knows",
                   policy->offline ? "future" : "past", "all_w",
                   policy->curve ? "yes" : "no", "summary", policy->summary);
}

/* Of what vat validate predicts by. */
static json_t *term_row(size_t index) {
  const struct term *term = &terms[index];
  if (!term->name) return NULL;
  return json_pack("{s:s, s:s}", "name", term->name, "summary", term->summary);
}

static json_t *tree_row(size_t index) {
  const struct vat_tree_preset *preset = &vat_tree_presets[index];
  if (!preset->name) return NULL;
  return json_pack("{s:s, s:i, s:i, s:i, s:s}", "name", preset->name,
                   "index_bits", (int)preset->tree.index_bits, "page_bits",
                   (int)preset->tree.page_bits, "levels",
                   (int)preset->tree.levels, "summary", preset->summary);
}

static const struct list {
  const char *name, *summary;
  json_t *(*row)(size_t index);
} lists[] = {
    {"algos", "algorithms that vat run measures", algo_row},
    {"bounds", "algorithms whose misses vat predict bounds", bound_row},
    {"counters", "hardware counters", counter_row},
    {"devices", "devices that algorithms run on", device_row},
    {"formats", "formats of address traces", format_row},
    {"generators", "generators of inputs", generator_row},
    {"models", "models of GPUs", model_row},
    {"pages", "page kinds", page_row},
    {"policies", "replacement policies of translation caches", policy_row},
    {"terms", "terms of FULL, the prediction of vat validate", term_row},
    {"trees", "translation trees", tree_row},
    {0}};

/* Keys over columns; arrays are in JSON only.  Releases the rows. */
static void print_table(json_t *rows) {
  struct text_table table = {.out = stdout, .gap = 2, .fits = true};
  const char *key;
  json_t *row, *value;
  size_t i;
  json_object_foreach(json_array_get(rows, 0), key,
                      value) if (!json_is_array(value))
      text_columns(&table, "-1 %s", key);
  json_array_foreach(rows, i, row) {
    json_object_foreach(row, key, value) if (json_is_string(value))
        text_cell(&table, "%s", json_string_value(value));
    else if (json_is_integer(value))
        text_cell(&table, "%lld", (long long)json_integer_value(value));
    text_row_end(&table);
  }
  text_table_end(&table);
  json_decref(rows);
}

struct request {
  struct option_words names; /* one, if any */
  bool json;
};

static const struct option_row options[] = {
    {"json", NULL, OPTION_FLAG, OPTION_AT(struct request, json),
     .help = "print one JSON array"},
    {0}};

/* --help names the lists there are. */
static void print_tables(FILE *out, const void *request) {
  (void)request;
  fputs("Tables:\n", out);
  for (const struct list *list = lists; list->name; list++)
    fprintf(out, "  %s: %s\n", list->name, list->summary);
}

const struct option_table list_table = {
    .rows = options,
    .usage = "TABLE",
    .examples =
        "  vat list algos\n"
        "  vat list pages\n",
    .words = offsetof(struct request, names),
    .words_most = 1,
    .too_many = "only one list is allowed",
    .doc = "List what vat knows, one row a line.",
    .more = print_tables,
};

int cmd_list(int argc, char **argv) {
  struct request request = {0};
  const struct list *list = lists;
  int code = options_parse(&list_table, argc, argv, &request);
  if (code) return code;
  const char *name = *request.names.at;
  if (!name)
    return fail(VAT_USAGE, "no list; choose one of %s", NAMES_OF(lists));
  while (list->name && strcmp(name, list->name)) list++;
  if (!list->name)
    return fail(VAT_USAGE, "%s: unknown list; choose one of %s", name,
                NAMES_OF(lists));
  json_t *rows = json_array(), *row;
  for (size_t i = 0; (row = list->row(i)); i++)
    json_array_append_new(rows, row);
  if (!request.json) print_table(rows);
  if (request.json)
    json_line(stdout, rows, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  return VAT_OK;
}
