/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/report/report_plans.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/record.h"
#include "experiments/cli/text_table.h"
#include "experiments/results/compared.h"
#include "experiments/results/other_file.h"
#include "experiments/results/summary.h"
#include "huge_pages/page_kind.h"
#include "huge_pages/size_text.h"

/* They are few. */
static void sort(struct plans *plans) {
  for (size_t i = 1; i < plans->count; i++)
    for (size_t k = i;
         k && plans->plan[k].used_bytes < plans->plan[k - 1].used_bytes; k--) {
      struct page_plan plan = plans->plan[k];
      char *name = plans->name[k];
      plans->plan[k] = plans->plan[k - 1];
      plans->name[k] = plans->name[k - 1];
      plans->plan[k - 1] = plan;
      plans->name[k - 1] = name;
    }
}

static int same_program(const struct plans *plans,
                        char error[RESULTS_ERROR_SIZE]) {
  const struct page_plan *first = &plans->plan[0];
  for (size_t i = 1; i < plans->count; i++) {
    const struct page_plan *plan = &plans->plan[i];
    bool same = plan->words == first->words;
    for (size_t w = 0; same && w < plan->words; w++)
      same = !strcmp(plan->command[w], first->command[w]);
    if (same) continue;
    snprintf(error, RESULTS_ERROR_SIZE,
             "the plans %.100s and %.100s are of different commands; fix: a "
             "report for each",
             plans->name[0], plans->name[i]);
    errno = EINVAL;
    return -1;
  }
  return 0;
}

static int read_all(struct plans *plans, const char *const *paths, size_t count,
                    char error[RESULTS_ERROR_SIZE]) {
  plans->plan = memory_zeroed(count + 1, sizeof *plans->plan);
  plans->name = memory_zeroed(count + 1, sizeof *plans->name);
  for (size_t i = 0; i < count; i++) {
    if (page_plan_read(&plans->plan[i], paths[i], error, RESULTS_ERROR_SIZE))
      return -1;
    plans->name[plans->count++] = page_plan_name(paths[i], count);
  }
  sort(plans);
  return same_program(plans, error);
}

static struct plan_measured measured_of(const json_t *row) {
  const struct compared_ratio user = compared_user(row);
  return (struct plan_measured){user.value, user.lo, user.hi,
                                json_real_at(row, "peak_bytes"),
                                json_real_at(row, "minor_faults")};
}

/* That all memory was asked for. */
static const json_t *row_of_kind(const json_t *comparison, const char *pages) {
  const struct hp_kind *kind = hp_kind_find(pages);
  return kind ? compared_kind(comparison, kind->name) : NULL;
}

static void make_rows(struct plans *plans, const json_t *comparison) {
  const struct page_plan *last = &plans->plan[plans->count - 1];
  const char *base = *hp_kind_base()->known_as;
  struct plan_measured now = measured_of(compared_kind(comparison, base));
  if (isfinite(now.faults)) now.user_ratio = 1;
  struct plan_row *row = plans->row =
      memory_zeroed(plans->count + 2, sizeof *row);
  *row++ = (struct plan_row){
      "now",      NULL, 0, {1, NAN, NAN}, last->harm.peak_rss_bytes[0],
      now.faults, now};
  for (size_t i = 0; i < plans->count; i++) {
    const struct page_plan *plan = &plans->plan[i];
    *row++ = (struct plan_row){
        plans->name[i],
        plan,
        (double)plan->used_bytes,
        plan->predicted,
        plan->harm.peak_rss_bytes[1],
        now.faults - plan->harm.faults_saved,
        measured_of(compared_kind(comparison, plans->name[i]))};
  }
  *row++ = (struct plan_row){"everything",
                             NULL,
                             (double)last->everything.bytes,
                             last->everything.ratio,
                             NAN,
                             NAN,
                             measured_of(row_of_kind(comparison, last->pages))};
  plans->rows = (size_t)(row - plans->row);
}

/* Its arguments may differ: a smaller input, for example. */
static bool is_of(const json_t *comparison, const struct page_plan *plan) {
  const char *program = json_string_value(
      json_array_get(json_object_get(comparison, "command"), 0));
  return program && plan->words &&
         !strcmp(basename(program), basename(plan->command[0]));
}

static int check_comparison(const struct plans *plans, const json_t *comparison,
                            const char *path, char error[RESULTS_ERROR_SIZE]) {
  bool measured = false;
  for (size_t i = 0; i < plans->count; i++)
    measured |= compared_kind(comparison, plans->name[i]) != NULL;
  if (measured && is_of(comparison, &plans->plan[0])) return 0;
  if (measured)
    snprintf(error, RESULTS_ERROR_SIZE,
             "%.200s: measures another program than that of the plans; fix: "
             "vat compare --plan PLAN.json ... --json -- PROG >FILE",
             path);
  else
    snprintf(error, RESULTS_ERROR_SIZE,
             "%.200s: none of the plans was measured there; fix: vat compare "
             "--plan PLAN.json ... --json -- PROG >FILE",
             path);
  if (!measured) other_file(path, FILE_COMPARED, error, RESULTS_ERROR_SIZE);
  errno = EINVAL;
  return -1;
}

int plans_read(struct plans *plans, const char *const *paths, size_t count,
               const char *compared, char error[RESULTS_ERROR_SIZE]) {
  *plans = (struct plans){.compared = compared};
  if (read_all(plans, paths, count, error)) return -1;
  json_t *comparison =
      compared ? json_file_read(compared, error, RESULTS_ERROR_SIZE) : NULL;
  if (compared && !comparison) return -1;
  json_t *command = json_array();
  int failed =
      comparison ? check_comparison(plans, comparison, compared, error) : 0;
  for (size_t w = 0; w < plans->plan[0].words; w++)
    json_array_append_new(command, json_string(plans->plan[0].command[w]));
  compared_program(plans->program, sizeof plans->program, command);
  if (!failed) make_rows(plans, comparison);
  json_decref(command);
  json_decref(comparison);
  return failed;
}

void plans_fini(struct plans *plans) {
  for (size_t i = 0; plans->plan && i < plans->count; i++) {
    page_plan_fini(&plans->plan[i]);
    free(plans->name[i]);
  }
  free(plans->plan);
  free(plans->name);
  free(plans->row);
  *plans = (struct plans){0};
}

static void add_ratio(struct text_table *table, double value, double lo,
                      double hi) {
  text_cell_if(table, isfinite(value), "%.3f", value);
  text_cell_if(table, isfinite(lo + hi), "%.3f-%.3f", lo, hi);
}

static void add_size(struct text_table *table, double bytes) {
  text_cell_if(table, isfinite(bytes), "%s", HP_SIZE_SHOWN((size_t)bytes));
}

void report_plans_text(FILE *to, const struct plans *plans) {
  struct text_table table = {.out = to, .gap = 2, .fits = true};
  text_columns(&table,
               "-3 plan\t5 memory on\nlarger pages\t5 predicted\nuser / 4k\t"
               "5 interval\t5 peak\nmemory\t5 page\nfaults");
  if (plans->compared)
    text_columns(&table,
                 "5 measured\nuser / 4k\t5 95 %%\ninterval\t5 peak\nmemory\t"
                 "5 page\nfaults");
  for (size_t i = 0; i < plans->rows; i++) {
    const struct plan_row *row = &plans->row[i];
    const struct plan_measured *seen = &row->measured;
    text_cell(&table, "%s", row->name);
    add_size(&table, row->bytes);
    add_ratio(&table, row->predicted.user_ratio, row->predicted.lo,
              row->predicted.hi);
    add_size(&table, row->peak_bytes);
    text_cell_if(&table, isfinite(row->faults), "%.0f", row->faults);
    if (plans->compared) {
      add_ratio(&table, seen->user_ratio, seen->lo, seen->hi);
      add_size(&table, seen->peak_bytes);
      text_cell_if(&table, isfinite(seen->faults), "%.0f", seen->faults);
    }
    text_row_end(&table);
  }
  text_table_end(&table);
}

void report_plans_json(FILE *to, const struct plans *plans) {
  for (size_t i = 0; i < plans->rows; i++) {
    const struct plan_row *row = &plans->row[i];
    const struct plan_measured *seen = &row->measured;
    json_line(
        to,
        json_pack(
            "{ss ss so so so}", "program", plans->program, "plan", row->name,
            "bytes", json_of_real(row->bytes), "predicted",
            json_of_reals("user_ratio", row->predicted.user_ratio, "lo",
                          row->predicted.lo, "hi", row->predicted.hi,
                          "peak_bytes", row->peak_bytes, "minor_faults",
                          row->faults),
            "measured",
            plans->compared
                ? json_of_reals("user_ratio", seen->user_ratio, "lo", seen->lo,
                                "hi", seen->hi, "peak_bytes", seen->peak_bytes,
                                "minor_faults", seen->faults)
                : json_null()),
        SUMMARY_JSON_FLAGS);
  }
}
