/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model tmm: what its words ask for, and the tables of the model as they
 * stand. */
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/tmm_request.h"

/* Lists of numbers where none is looked at. */
static int no_numbers(const struct tmm_request *request, const char *what) {
  for (int i = 0; i < TMM_OPTIONS; i++)
    if (request->given[i].count)
      return fail(VAT_USAGE, "--%s: %s are fixed; leave it out",
                  tmm_option_rows[i].name, what);
  return VAT_OK;
}

static int one_algo(const struct tmm_request *request) {
  const struct tmm_algo *algo = tmm_request_algo(request->words.at[0]);
  int code = algo ? tmm_request_check(request, algo, NULL) : VAT_USAGE;
  return code ? code : tmm_tell(request, algo);
}

/* Of each pair that is asked for. */
static int check_span(const struct numbers *work, const struct numbers *span) {
  for (size_t i = 0; i < work->count; i++)
    for (size_t j = 0; j < span->count; j++)
      if (span->at[j] > work->at[i])
        return fail(VAT_USAGE,
                    "--Tinf %g: the span is larger than the work, --T1 %g; "
                    "choose a smaller one",
                    span->at[j], work->at[i]);
  return VAT_OK;
}

static int program(const struct tmm_request *request) {
  for (int i = 0; i < TMM_OPTIONS; i++) {
    bool given = request->given[i].count;
    if (i <= TMM_K && given)
      return fail(
          VAT_USAGE,
          "--%s: a program is described by --T1, --Tinf and --M; leave it out",
          tmm_option_rows[i].name);
    if (i >= TMM_T1 && !given)
      return fail(VAT_USAGE, "program: no %s; give --%s: %s",
                  tmm_option_rows[i].name, tmm_option_rows[i].name,
                  tmm_option_rows[i].help);
  }
  int code = check_span(&request->given[TMM_T1], &request->given[TMM_TINF]);
  return code ? code : tmm_tell(request, NULL);
}

static int compare(const struct tmm_request *request) {
  const struct tmm_algo *algo[2];
  if (request->words.count != 3)
    return fail(VAT_USAGE, "compare: name two algorithms");
  for (int i = 0; i < 2; i++)
    if (!(algo[i] = tmm_request_algo(request->words.at[i + 1])))
      return VAT_USAGE;
  int code = tmm_request_check(request, algo[0], algo[1]);
  return code ? code : tmm_compare(request, algo);
}

static void machine_json(const struct tmm_machine *m) {
  json_t *object = json_pack("{ss ss ss}", "model", "tmm", "arch", m->name,
                             "title", m->title);
  model_json_add(object, "L", m->L, "P", m->P, "C", m->C, "Z", m->Z, "Q", m->Q,
                 "X", m->X);
  json_object_set_new(object, "source", json_string(m->source));
  model_json_print(object);
}

static int machines(const struct tmm_request *request) {
  int code = no_numbers(request, "machines");
  if (code) return code;
  if (!request->json)
    printf("%-12s %6s %6s %4s %7s %4s %6s  %s\n", "machine", "L", "P", "C", "Z",
           "Q", "X", "title; source");
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    if (request->json)
      machine_json(m);
    else
      printf("%-12s %6g %6g %4g %7g %4g %6.4g  %s; %s\n", m->name, m->L, m->P,
             m->C, m->Z, m->Q, m->X, m->title, m->source);
  return VAT_OK;
}

/* A table of formulas as the source has it: of algorithms, under their heads.
 */
struct table {
  const char *name, *title, *heads[6];
  void (*print_rows)(const struct tmm_request *request,
                     const struct table *table);
};

static void print_cells(const char *algo, const char *const *heads,
                        const char *const *cells) {
  printf("%-20s", algo);
  for (int i = 0; heads[i]; i++)
    printf("  %-*s", heads[i + 1] ? 26 : 0, cells[i]);
  putchar('\n');
}

static void print_row(const struct tmm_request *request,
                      const struct table *table, const char *algo,
                      const char *const *cells) {
  if (!request->json) {
    print_cells(algo, table->heads, cells);
    return;
  }
  json_t *object = json_pack("{ss ss ss}", "model", "tmm", "table", table->name,
                             "algo", algo);
  for (int i = 0; table->heads[i]; i++)
    json_object_set_new(object, table->heads[i], json_string(cells[i]));
  model_json_print(object);
}

static void rows_4_1(const struct tmm_request *request,
                     const struct table *table) {
  for (const struct tmm_limits *t = tmm_table_4_1; t->algo; t++) {
    const char *where = strcmp(t->when.text, "1") ? t->when.text : "-";
    const char *cells[] = {t->pram.text, where, t->hardware.text, t->local.text,
                           t->tmm.text};
    print_row(request, table, t->algo, cells);
  }
}

static void rows_4_2(const struct tmm_request *request,
                     const struct table *table) {
  for (const struct tmm_transition *t = tmm_table_4_2; t->algo; t++) {
    const char *cells[] = {t->when.text, t->n.text};
    print_row(request, table, t->algo, cells);
  }
}

static void rows_4_3(const struct tmm_request *request,
                     const struct table *table) {
  for (const struct tmm_transition *t = tmm_table_4_2; t->algo; t++) {
    const char *by = t->term == TMM_WORK ? "Compute" : "Memory";
    const char *cells[] = {t->when.text, by, t->bound.text};
    print_row(request, table, t->algo, cells);
  }
}

static void rows_4_4(const struct tmm_request *request,
                     const struct table *table) {
  for (const struct tmm_algo *a = tmm_algos; a->name; a++) {
    const char *cells[] = {a->T1.text, a->Tinf.text, a->M.text, a->source};
    print_row(request, table, a->name, cells);
  }
  for (const struct tmm_small *s = tmm_smalls; s->algo; s++) {
    char source[64];
    snprintf(source, sizeof source, "where %s", s->when.text);
    const char *cells[] = {s->T1.text, s->Tinf.text, s->M.text, source};
    print_row(request, table, s->algo, cells);
  }
}

static const struct table all_tables[] = {
    {"4.1",
     "time; linear speed-up if L is at most both of these",
     {"PRAM", "where", "L_hardware", "L_local", "TMM"},
     rows_4_1},
    {"4.2", "n from which the time depends on it", {"where", "n"}, rows_4_2},
    {"4.3",
     "what bounds the time from there on",
     {"where", "by", "bound"},
     rows_4_3},
    {"4.4",
     "work, span, accesses to global memory; and what section 4.1 adds",
     {"T1", "Tinf", "M", "source"},
     rows_4_4},
    {0}};

/* All, or the one that is named. */
static int tables(const struct tmm_request *request) {
  const char *which = request->words.at[1];
  bool shown = false;
  int code = no_numbers(request, "tables");
  for (const struct table *t = all_tables; !code && t->name; t++) {
    if (which && strcmp(which, t->name)) continue;
    if (!request->json) {
      printf("%sTable %s: %s\n", shown ? "\n" : "", t->name, t->title);
      print_cells("", t->heads, t->heads);
    }
    shown = true;
    t->print_rows(request, t);
  }
  if (code || shown) return code;
  return fail(VAT_USAGE, "%.80s: unknown table; choose 4.1, 4.2, 4.3 or 4.4",
              which);
}

/* Words that are no algorithm, and how many may follow. */
static const struct action {
  const char *name;
  size_t more;
  int (*run)(const struct tmm_request *request);
} actions[] = {{"compare", 2, compare},        {"program", 0, program},
               {"machines", 0, machines},      {"tables", 1, tables},
               {"counts", 1, tmm_show_counts}, {"", 0, one_algo}};

static int run(const struct tmm_request *request) {
  const struct action *a = actions;
  if (!request->words.count)
    return fail(VAT_USAGE,
                "tmm: nothing to show; name an algorithm, or compare, program, "
                "machines, tables or counts; see vat model tmm --help");
  while (*a->name && strcmp(a->name, request->words.at[0])) a++;
  if (request->words.count > 1 + a->more)
    return fail(VAT_USAGE, "%.80s: unexpected argument",
                request->words.at[1 + a->more]);
  return a->run(request);
}

int tmm_command(int argc, char **argv) {
  struct tmm_request request = {0};
  int code = options_parse(&tmm_table, argc, argv, &request);
  if (!code) code = run(&request);
  options_fini(&tmm_table, &request);
  return code;
}
