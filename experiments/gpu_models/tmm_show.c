/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the TMM model as they stand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/tmm_actions.h"
#include "experiments/gpu_models/tmm_print.h"

static void machine_json(const struct tmm_machine *m) {
  model_json_print(
      json_pack("{ss ss ss so so so so so so ss}", "model", "tmm", "arch",
                m->name, "title", m->title, "L", model_json_number(m->L), "P",
                model_json_number(m->P), "C", model_json_number(m->C), "Z",
                model_json_number(m->Z), "Q", model_json_number(m->Q), "X",
                model_json_number(m->X), "source", m->source));
}

void tmm_show_machines(const struct tmm_request *request) {
  if (!request->json)
    printf("%-12s %6s %6s %4s %7s %4s %6s  %s\n", "machine", "L", "P", "C", "Z",
           "Q", "X", "title; source");
  for (const struct tmm_machine *m = tmm_machines; m->name; m++)
    if (request->json)
      machine_json(m);
    else
      printf("%-12s %6g %6g %4g %7g %4g %6.4g  %s; %s\n", m->name, m->L, m->P,
             m->C, m->Z, m->Q, m->X, m->title, m->source);
}

/* A row of any of the tables: its algorithm, and formulas under their heads. */
enum { CELLS_MOST = 5 };

static void print_row(const struct tmm_request *request, const char *table,
                      const char *algo, const char *const *heads,
                      const char *const *cells) {
  if (!request->json) {
    printf("%-20s", algo);
    for (int i = 0; heads[i]; i++)
      printf("  %-*s", heads[i + 1] ? 26 : 0, cells[i]);
    putchar('\n');
    return;
  }
  json_t *object =
      json_pack("{ss ss ss}", "model", "tmm", "table", table, "algo", algo);
  for (int i = 0; heads[i]; i++)
    json_object_set_new(object, heads[i], json_string(cells[i]));
  model_json_print(object);
}

static void print_heads(const struct tmm_request *request, const char *title,
                        const char *const *heads) {
  if (request->json) return;
  printf("%s\n%-20s", title, "");
  for (int i = 0; heads[i]; i++)
    printf("  %-*s", heads[i + 1] ? 26 : 0, heads[i]);
  putchar('\n');
}

static const char *condition(const struct tmm_formula *when) {
  return strcmp(when->text, "1") ? when->text : "-";
}

static void table_4_1(const struct tmm_request *request) {
  static const char *const heads[] = {"PRAM",    "where", "L_hardware",
                                      "L_local", "TMM",   NULL};
  print_heads(request,
              "Table 4.1: time; linear speed-up if L is at most both of these",
              heads);
  for (const struct tmm_limits *t = tmm_table_4_1; t->algo; t++) {
    const char *cells[] = {t->pram.text, condition(&t->when), t->hardware.text,
                           t->local.text, t->tmm.text};
    print_row(request, "4.1", t->algo, heads, cells);
  }
}

static void table_4_2(const struct tmm_request *request) {
  static const char *const heads[] = {"where", "n", NULL};
  print_heads(request, "Table 4.2: n from which the time depends on it", heads);
  for (const struct tmm_transition *t = tmm_table_4_2; t->algo; t++) {
    const char *cells[] = {t->when.text, t->n.text};
    print_row(request, "4.2", t->algo, heads, cells);
  }
}

static void table_4_3(const struct tmm_request *request) {
  static const char *const heads[] = {"where", "by", "bound", NULL};
  print_heads(request, "Table 4.3: what bounds the time from there on", heads);
  for (const struct tmm_transition *t = tmm_table_4_2; t->algo; t++) {
    const char *cells[] = {t->when.text,
                           t->term == TMM_WORK ? "Compute" : "Memory",
                           t->bound.text};
    print_row(request, "4.3", t->algo, heads, cells);
  }
}

static void table_4_4(const struct tmm_request *request) {
  static const char *const heads[] = {"T1", "Tinf", "M", "source", NULL};
  print_heads(request,
              "Table 4.4: work, span, accesses to global memory; and what "
              "section 4.1 adds",
              heads);
  for (const struct tmm_algo *a = tmm_algos; a->name; a++) {
    const char *cells[] = {a->T1.text, a->Tinf.text, a->M.text, a->source};
    print_row(request, "4.4", a->name, heads, cells);
  }
  for (const struct tmm_small *s = tmm_smalls; s->algo; s++) {
    char source[64];
    snprintf(source, sizeof source, "where %s", s->when.text);
    const char *cells[] = {s->T1.text, s->Tinf.text, s->M.text, source};
    print_row(request, "4.4", s->algo, heads, cells);
  }
}

static const struct {
  const char *name;
  void (*show)(const struct tmm_request *request);
} tables[] = {{"4.1", table_4_1},
              {"4.2", table_4_2},
              {"4.3", table_4_3},
              {"4.4", table_4_4}};

int tmm_show_tables(const struct tmm_request *request, const char *which) {
  bool shown = false;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    if (which && strcmp(which, tables[i].name)) continue;
    if (shown && !request->json) putchar('\n');
    shown = true;
    tables[i].show(request);
  }
  if (shown) return VAT_OK;
  return fail(VAT_USAGE, "%.80s: no such table; there are 4.1, 4.2, 4.3, 4.4",
              which);
}
