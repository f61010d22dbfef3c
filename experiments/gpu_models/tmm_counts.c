/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether M and T1 of table 4.4 are what programs do: counts of the emulator
 * over them, which are to stay the same over the sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/text_table.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/model_run.h"
#include "experiments/gpu_models/tmm_counted.h"
#include "experiments/gpu_models/tmm_request.h"
#include "experiments/results/ratio.h"
#include "gpu_algos/blocks.h"

/* Of the median: then a ratio does not depend on the size. */
#define WITHIN 1.5
enum { SPAN_LEAST = 64 }; /* n grows by, where that says something */

enum quantity { ACCESSES, WORK, QUANTITIES }; /* over M, over T1 */

struct table {
  const struct tmm_counted *counted;
  double Z, C;
  struct tmm_count *at;
  size_t count;
  double median[QUANTITIES], within[QUANTITIES];
};

/* What was counted over what the model says, of accesses and of work. */
static double ratio_of(const struct tmm_count *count, enum quantity quantity) {
  return quantity == WORK ? count->work / count->program.T1
                          : count->accesses / count->program.M;
}

/* Their median, and the largest factor between one and that. */
static void compare_sizes(struct table *table, enum quantity quantity) {
  double *ratios = memory_get(table->count * sizeof *ratios), most = 1;
  for (size_t i = 0; i < table->count; i++)
    ratios[i] = ratio_of(&table->at[i], quantity);
  double median = ratio_median(ratios, table->count);
  for (size_t i = 0; i < table->count; i++) {
    double factor = ratio_of(&table->at[i], quantity) / median;
    most = fmax(most, fmax(factor, 1 / factor));
  }
  table->median[quantity] = median;
  table->within[quantity] = most;
  free(ratios);
}

/* By what factor n grows.  Over a short span much stays within its median. */
static double span_of(const struct table *table) {
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < table->count; i++) {
    least = fmin(least, table->at[i].n);
    most = fmax(most, table->at[i].n);
  }
  return most / least;
}

/* What stays within its median over a short span may leave it yet; what does
 * not, has. */
static bool can_tell(const struct table *table) {
  return table->within[ACCESSES] > WITHIN || span_of(table) >= SPAN_LEAST;
}

/* Does M hold? */
static bool holds(const struct table *table) {
  return table->within[ACCESSES] <= WITHIN;
}

static void print_json(const struct table *table) {
  const double *median = table->median;
  for (size_t i = 0; i < table->count; i++) {
    const struct tmm_count *c = &table->at[i];
    double ratio = ratio_of(c, ACCESSES);
    json_t *object = json_pack(
        "{ss ss ss ss?}", "model", "tmm", "row", table->counted->row, "counted",
        table->counted->algo, "generator", table->counted->generator);
    model_json_add(object, "n", c->n, "m", c->m, "k", c->k, "Z", table->Z, "C",
                   table->C, "accesses", c->accesses, "M", c->program.M,
                   "ratio", ratio, "of_median", ratio / median[ACCESSES],
                   "within", table->within[ACCESSES], "work", c->work, "T1",
                   c->program.T1, "work_of_median",
                   ratio_of(c, WORK) / median[WORK]);
    json_object_set_new(
        object, "holds",
        can_tell(table) ? json_boolean(holds(table)) : json_null());
    model_json_add(object, "work_within", table->within[WORK]);
    model_json_print(object);
  }
}

static void print_table(const struct table *table) {
  struct text_table text = {.out = stdout, .gap = 1};
  const struct tmm_count *first = table->at;
  printf("%s: %s%s%s in the emulator, C %g, Z %g\n", table->counted->row,
         table->counted->algo, table->counted->generator ? ", " : "",
         table->counted->generator ? table->counted->generator : "", table->C,
         table->Z);
  text_columns(&text,
               "9 n%s%s\t10 accesses\t10 M\t9 ratio\t9 of median\t10 work\t"
               "10 T1\t9 of median",
               isnan(first->m) ? "" : "\t9 m", isnan(first->k) ? "" : "\t9 k");
  for (size_t i = 0; i < table->count; i++) {
    const struct tmm_count *c = &table->at[i];
    const double sizes[] = {c->n, c->m, c->k};
    for (int k = 0; k < 3; k++)
      if (!isnan(sizes[k])) text_cell(&text, "%s", NUMBER_TEXT(sizes[k]));
    text_row(&text, "%.0f\t%.4g\t%.3g\t%.2f\t%.0f\t%.4g\t%.2f", c->accesses,
             c->program.M, ratio_of(c, ACCESSES),
             ratio_of(c, ACCESSES) / table->median[ACCESSES], c->work,
             c->program.T1, ratio_of(c, WORK) / table->median[WORK]);
  }
  text_table_end(&text);
  printf("  accesses stay within %.2f of the median, work within %.2f: ",
         table->within[ACCESSES], table->within[WORK]);
  if (can_tell(table))
    printf("M %s\n", holds(table) ? "holds" : "does not hold");
  else
    printf("whether M holds takes an n that grows by %d, not %.3g\n",
           SPAN_LEAST, span_of(table));
}

static int show(const struct tmm_request *request, const struct device *emu,
                const struct tmm_counted *counted) {
  struct numbers n = {0};
  char error[256];
  const struct numbers *given = request->given;
  struct table table = {.counted = counted, .C = 32, .Z = counted->Z};
  if (given[TMM_C].count) table.C = given[TMM_C].at[0];
  if (given[TMM_Z].count) table.Z = given[TMM_Z].at[0];
  if (!given[TMM_N].count)
    numbers_parse(counted->n, 1, true, &n, error, sizeof error);
  const struct numbers *sizes = n.at ? &n : &given[TMM_N];
  int code = VAT_OK;
  table.at = memory_zeroed(sizes->count, sizeof *table.at);
  for (; !code && table.count < sizes->count; table.count++)
    code = tmm_counted_at(emu, counted, sizes->at[table.count], table.Z,
                          table.C, &table.at[table.count]);
  if (!code) {
    compare_sizes(&table, ACCESSES);
    compare_sizes(&table, WORK);
    (request->json ? print_json : print_table)(&table);
  }
  free(table.at);
  free(n.at);
  return code;
}

static int check_options(const struct tmm_request *request) {
  const struct numbers *given = request->given;
  for (int i = 0; i < TMM_OPTIONS; i++)
    if (given[i].count && i != TMM_N && i != TMM_C && i != TMM_Z)
      return fail(VAT_USAGE, "--%s: counts do not depend on it; leave it out",
                  tmm_option_rows[i].name);
  for (int i = TMM_C; i <= TMM_Z; i++)
    if (given[i].count > 1)
      return fail(VAT_USAGE, "--%s: give only one value with counts",
                  tmm_option_rows[i].name);
  if (given[TMM_C].count && given[TMM_C].at[0] != 8 && given[TMM_C].at[0] != 32)
    return fail(VAT_USAGE, "--C %g: the emulator counts only for 8 or 32 words",
                given[TMM_C].at[0]);
  if (given[TMM_Z].count && (given[TMM_Z].at[0] != floor(given[TMM_Z].at[0]) ||
                             given[TMM_Z].at[0] > GPU_SHARED_BYTES / 4))
    return fail(VAT_USAGE, "--Z %g: not a whole number up to %d",
                given[TMM_Z].at[0], GPU_SHARED_BYTES / 4);
  for (size_t i = 0; i < given[TMM_N].count; i++)
    if (given[TMM_N].at[i] < 2 || given[TMM_N].at[i] > 0x1p40)
      return fail(VAT_USAGE, "--n %g: not a whole number from 2 to 2^40",
                  given[TMM_N].at[i]);
  return VAT_OK;
}

int tmm_show_counts(const struct tmm_request *request, const char *row) {
  const struct device *emu;
  bool shown = false;
  int code = check_options(request);
  if (!code && row && !tmm_request_algo(row)) return VAT_USAGE;
  if (!code && !row && request->given[TMM_N].count)
    return fail(VAT_USAGE, "--n: no algorithm; write counts ALGO");
  if (!code) code = emulated_open(&emu, "counts");
  for (const struct tmm_counted *c = tmm_counteds; !code && c->row; c++) {
    if (row && strcmp(row, c->row)) continue;
    if (shown && !request->json) putchar('\n');
    shown = true;
    code = show(request, emu, c);
    fflush(stdout);
  }
  return code;
}
