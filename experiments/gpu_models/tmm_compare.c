/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of two algorithms the TMM model prefers, where, and what PRAM says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/tmm_request.h"

enum { BOTH = 2, COLUMNS_MOST = 12 };

/* What is asked for, without threads: those are the columns. */
struct table {
  struct tmm_request request;
  const struct tmm_algo *const *algo;
  double threads[COLUMNS_MOST];
  size_t columns;
};

struct row {
  struct tmm_point point;
  struct tmm_program program[2];
  double pram[2]; /* time, in PRAM */
  struct tmm_result result[COLUMNS_MOST][2];
  double crossing; /* threads per core; NAN: there is none */
  double most;     /* that both can have */
};

/* 0 or 1; BOTH: no difference but of rounding. */
static int better(double a, double b) {
  if (fabs(a - b) <= 1e-12 * fmax(a, b)) return BOTH;
  return a < b ? 0 : 1;
}

static const char *name_of(const struct table *table, int which) {
  return which == BOTH ? "either" : table->algo[which]->name;
}

static int pram_of(const struct row *row) {
  return better(row->pram[0], row->pram[1]);
}

static int tmm_of(const struct row *row, size_t column) {
  return better(row->result[column][0].time, row->result[column][1].time);
}

static int tmm_compare_at(const struct table *table,
                          const struct tmm_machine *machine, size_t place,
                          struct row *row) {
  int code = tmm_point_at(&table->request, machine, place, &row->point);
  row->most = INFINITY;
  for (int i = 0; !code && i < 2; i++) {
    code = tmm_point_program(&row->point, table->algo[i], &row->program[i]);
    for (size_t c = 0; c < table->columns; c++)
      tmm_evaluate(&row->point.machine, &row->program[i], table->threads[c],
                   &row->result[c][i]);
    row->pram[i] = tmm_pram(&row->point.machine, &row->program[i]);
    row->most = fmin(row->most, row->result[0][i].most);
  }
  row->crossing =
      tmm_crossing(&row->point.machine, &row->program[0], &row->program[1]);
  return code;
}

static void print_json(const struct table *table, const struct row *row) {
  int pram = pram_of(row);
  for (size_t c = 0; c < table->columns; c++) {
    const struct tmm_result *r = row->result[c];
    json_t *object = json_pack("{ss s[ss] ss}", "model", "tmm", "compare",
                               table->algo[0]->name, table->algo[1]->name,
                               "arch", row->point.machine.name);
    tmm_json_place(&table->request, &row->point, object);
    json_object_update_new(
        object,
        json_pack("{so s[oo] so ss s[oo] ss sb so so}", "threads_per_core",
                  model_json_number(table->threads[c]), "time",
                  model_json_number(r[0].time), model_json_number(r[1].time),
                  "ratio", model_json_number(r[0].time / r[1].time), "prefers",
                  name_of(table, tmm_of(row, c)), "pram_time",
                  model_json_number(row->pram[0]),
                  model_json_number(row->pram[1]), "pram_prefers",
                  name_of(table, pram), "pram_agrees", tmm_of(row, c) == pram,
                  "crossing_threads", model_json_number(row->crossing),
                  "threads_limit", model_json_number(row->most)));
    model_json_print(object);
  }
}

static void print_head(const struct table *table, const struct row *row) {
  char head[NUMBER_SIZE + 4];
  printf("TMM model (%s): %s or %s\n", TMM_SOURCE, table->algo[0]->name,
         table->algo[1]->name);
  tmm_print_machine(&table->request, &row->point);
  printf("Time of %s over that of %s, with T threads per core\n",
         table->algo[0]->name, table->algo[1]->name);
  tmm_print_place(&table->request, NULL);
  for (size_t c = 0; c < table->columns; c++) {
    snprintf(head, sizeof head, "T = %s", NUMBER_TEXT(table->threads[c]));
    printf("%9s ", head);
  }
  printf("%10s %9s\n", "equal at T", "PRAM");
}

static void print_row(const struct table *table, const struct row *row) {
  tmm_print_place(&table->request, &row->point);
  for (size_t c = 0; c < table->columns; c++)
    printf("%9.3g ", row->result[c][0].time / row->result[c][1].time);
  printf("%10s %9.3g\n",
         isnan(row->crossing) ? "-" : NUMBER_TEXT(row->crossing),
         row->pram[0] / row->pram[1]);
}

/* "  T = 4: johnson_array from m = 32768; apsp_matmul from m = 8388608": what
 * is better there, in the order of rows. */
static void print_column(const struct table *table, const struct row *rows,
                         size_t count, size_t column) {
  int last = -1, option = TMM_OPTIONS - 1; /* of the list that runs fastest */
  while (option >= 0 && table->request.given[option].count <= 1) option--;
  printf("  T = %s:", NUMBER_TEXT(table->threads[column]));
  for (size_t i = 0; i < count; i++) {
    int which = tmm_of(&rows[i], column);
    bool against = which != pram_of(&rows[i]);
    int state = 2 * which + against;
    if (state == last) continue;
    printf("%s %s%s", last < 0 ? "" : ";", name_of(table, which),
           against ? " (PRAM: not)" : "");
    if (option >= 0)
      printf(" from %s = %s", tmm_option_rows[option].name,
             NUMBER_TEXT(rows[i].point.value[option]));
    last = state;
  }
  putchar('\n');
}

/* What crosses, but where no thread is. */
static void print_out_of_reach(const struct row *rows, size_t count) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < count; i++)
    if (rows[i].crossing > rows[i].most) {
      least = fmin(least, rows[i].crossing);
      most = fmax(most, rows[i].most);
    }
  if (most > 0)
    printf(
        "Where they are equal at T of %s or more, that is out of reach: "
        "there are at most %s threads per core.\n",
        NUMBER_TEXT(least), NUMBER_TEXT(most));
}

static void print_words(const struct table *table, const struct row *rows,
                        size_t count) {
  size_t prefers[3] = {0};
  for (size_t i = 0; i < count; i++) prefers[pram_of(&rows[i])]++;
  for (int i = 0; i < 3; i++)
    if (prefers[i] == count)
      printf("PRAM prefers %s everywhere.\n", name_of(table, i));
  printf("TMM prefers\n");
  for (size_t c = 0; c < table->columns; c++)
    print_column(table, rows, count, c);
  print_out_of_reach(rows, count);
}

/* Those that were given, or powers of two up to X, and X. */
static int choose_columns(struct table *table, const struct numbers *given,
                          double X) {
  table->columns = 0;
  if (given->count > COLUMNS_MOST)
    return fail(VAT_USAGE,
                "--threads: too many values; give at most %d to compare",
                COLUMNS_MOST);
  for (size_t i = 0; i < given->count; i++)
    table->threads[table->columns++] = given->at[i];
  if (given->count) return VAT_OK;
  for (double T = 1; T < X && table->columns < COLUMNS_MOST - 1; T *= 2)
    table->threads[table->columns++] = T;
  table->threads[table->columns++] = X;
  return VAT_OK;
}

static int compare_on(struct table *table, const struct numbers *threads,
                      const struct tmm_machine *machine, size_t count) {
  struct row *rows = memory_zeroed(count, sizeof *rows);
  int code = tmm_point_at(&table->request, machine, 0, &rows[0].point);
  if (!code) code = choose_columns(table, threads, rows[0].point.machine.X);
  for (size_t i = 0; !code && i < count; i++)
    code = tmm_compare_at(table, machine, i, &rows[i]);
  if (!code && !table->request.json) print_head(table, &rows[0]);
  for (size_t i = 0; !code && i < count; i++)
    if (table->request.json)
      print_json(table, &rows[i]);
    else
      print_row(table, &rows[i]);
  if (!code && !table->request.json) print_words(table, rows, count);
  free(rows);
  return code;
}

int tmm_compare(const struct tmm_request *request,
                const struct tmm_algo *const algo[2]) {
  struct table table = {.request = *request, .algo = algo};
  table.request.given[TMM_THREADS] = (struct numbers){0};
  size_t count = tmm_points_count(&table.request);
  int code = count ? VAT_OK : VAT_USAGE;
  if (count > 100000)
    return fail(VAT_USAGE, "compare: over 100000 combinations");
  for (size_t i = 0; !code && i < request->machines; i++) {
    if (i && !request->json) putchar('\n');
    code = compare_on(&table, &request->given[TMM_THREADS],
                      &request->machine[i], count);
  }
  return code;
}
