/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat list: the tables that vat is made of, one line a row. */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cpu_algos/algo.h"
#include "cpu_algos/algo_sets.h"
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

/* A row as json_pack() has it, whose first key is "name"; another one is
 * "summary".  Keys are the columns. */
static void add_row(json_t *rows, const char *format, ...) {
  va_list args;
  va_start(args, format);
  json_array_append_new(rows, json_vpack_ex(NULL, 0, format, args));
  va_end(args);
}

static void add_algos(json_t *rows) {
  char names[NAMES_SIZE];
  const struct algo *algo;
  for (size_t i = 0; (algo = device_any_algo(i)); i++) {
    json_t *generators = json_array();
    for (size_t k = 0; algo->generators && algo->generators[k]; k++)
      json_array_append_new(generators, json_string(algo->generators[k]));
    add_row(rows, "{s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s}", "name",
            algo->name, "device", device_names(algo->name, names), "complexity",
            algo->complexity, "default",
            cpu_algo_is_default(algo) ? "yes" : "no", "data",
            algo->data ? algo->data : "-", "generators", generators, "title",
            algo->title, "summary", algo->summary);
  }
}

/* Of the algorithms that the theory bounds. */
static void add_bounds(json_t *rows) {
  for (const struct predict_form *form = predict_forms; form->algo; form++)
    add_row(rows, "{s:s, s:s, s:s}", "name", form->algo, "lower_source",
            form->lower_source, "summary", form->upper_source);
}

/* Those that have several. */
static void add_generators(json_t *rows) {
  const struct algo *algo;
  for (size_t i = 0; (algo = device_any_algo(i)); i++)
    if (algo->generators)
      add_row(rows, "{s:s, s:s}", "name", algo->name, "summary",
              NAMES_OF(algo->generators));
}

static void add_counters_of(json_t *rows, const char *device,
                            const struct counter_source *source) {
  const struct counter_info *info;
  for (size_t i = 0; (info = counters_known(source, i)); i++)
    add_row(rows, "{s:s, s:s, s:s, s:s}", "name", info->name, "device", device,
            "unit", info->unit, "summary", info->meaning);
}

static void add_counters(json_t *rows) {
  add_counters_of(rows, "cpu", NULL);
  add_counters_of(rows, "emu", &counters_emulated);
}

static void add_devices(json_t *rows) {
  for (const struct device *d = devices; d < devices + DEVICES; d++)
    add_row(rows, "{s:s, s:s, s:s}", "name", d->name, "built",
            *device_algos(d) ? "yes" : "no", "summary", d->summary);
}

static void add_formats(json_t *rows) {
  for (const struct vat_trace_format *const *f = vat_trace_formats; *f; f++)
    add_row(rows, "{s:s, s:s, s:s}", "name", (*f)->name, "written",
            (*f)->encoder ? "yes" : "no", "summary", (*f)->summary);
}

/* Also those that have a command line of their own. */
static void add_models(json_t *rows) {
  for (const struct gpu_model *const *m = gpu_models; *m; m++) {
    json_t *cases = json_array();
    for (const struct gpu_case *c = (*m)->cases; c->name; c++)
      json_array_append_new(cases, json_string(c->name));
    add_row(rows, "{s:s, s:o, s:s, s:s}", "name", (*m)->name, "cases", cases,
            "source", (*m)->source, "summary", (*m)->summary);
  }
  for (const struct calculator *c = calculators; c->name; c++)
    add_row(rows, "{s:s, s:s, s:s}", "name", c->name, "source", c->source,
            "summary", c->summary);
}

static void add_pages(json_t *rows) {
  const struct hp_kind *kind;
  for (size_t i = 0; (kind = hp_kind_at(i)); i++)
    add_row(rows, "{s:s, s:I, s:s}", "name", kind->name, "page_bytes",
            (json_int_t)kind->bytes, "summary", kind->summary);
}

static void add_policies(json_t *rows) {
  for (const struct vat_policy *const *p = vat_policies; *p; p++)
    add_row(rows, "{s:s, s:s, s:s, s:s}", "name", (*p)->name, "knows",
            (*p)->offline ? "future" : "past", "all_w",
            (*p)->curve ? "yes" : "no", "summary", (*p)->summary);
}

static void add_sets(json_t *rows) {
  for (const struct algo_set *set = cpu_algo_sets; set->name; set++)
    add_row(rows, "{s:s, s:s, s:s}", "name", set->name, "summary", set->summary,
            "algorithms", NAMES_OF(set->algos));
}

/* Of what vat validate predicts by. */
static void add_terms(json_t *rows) {
  for (const struct term *term = terms; term->name; term++)
    add_row(rows, "{s:s, s:s}", "name", term->name, "summary", term->summary);
}

static void add_trees(json_t *rows) {
  for (const struct vat_tree_preset *p = vat_tree_presets; p->name; p++)
    add_row(rows, "{s:s, s:i, s:i, s:i, s:s}", "name", p->name, "index_bits",
            (int)p->tree.index_bits, "page_bits", (int)p->tree.page_bits,
            "levels", (int)p->tree.levels, "summary", p->summary);
}

static const struct list {
  const char *name, *summary;
  void (*add)(json_t *rows);
} lists[] = {
    {"algos", "algorithms that vat run measures", add_algos},
    {"bounds", "algorithms whose misses vat predict bounds", add_bounds},
    {"counters", "hardware counters", add_counters},
    {"devices", "devices that algorithms run on", add_devices},
    {"formats", "formats of address traces", add_formats},
    {"generators", "generators of inputs", add_generators},
    {"models", "models of GPUs", add_models},
    {"pages", "page kinds", add_pages},
    {"policies", "replacement policies of translation caches", add_policies},
    {"sets", "sets of algorithms for vat run --set", add_sets},
    {"terms", "terms of FULL, the prediction of vat validate", add_terms},
    {"trees", "translation trees", add_trees},
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
  json_t *rows = json_array();
  list->add(rows);
  if (!request.json) print_table(rows);
  if (request.json)
    json_line(stdout, rows, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  return VAT_OK;
}
