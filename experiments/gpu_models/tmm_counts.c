/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether M and T1 of table 4.4 are what programs do: counts of the emulator
 * over them, which are to stay the same over the sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/gpu_models/emulated_run.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/tmm_actions.h"
#include "experiments/gpu_models/tmm_counted.h"
#include "experiments/results/ratio.h"
#include "gpu_algos/blocks.h"

/* Of the median: then a ratio does not depend on the size. */
#define WITHIN 1.5
enum { SPAN_LEAST = 64 }; /* n grows by, where that says something */

struct table {
  const struct tmm_counted *counted;
  double Z, C;
  struct tmm_count *at;
  size_t count;
  double accesses_median, work_median; /* over M, over T1 */
};

static double accesses_ratio(const struct tmm_count *count) {
  return count->accesses / count->program.M;
}

static double work_ratio(const struct tmm_count *count) {
  return count->work / count->program.T1;
}

static double median_of(const struct table *table,
                        double (*ratio)(const struct tmm_count *)) {
  double *ratios = memory_get(table->count * sizeof *ratios), median;
  for (size_t i = 0; i < table->count; i++) ratios[i] = ratio(&table->at[i]);
  median = ratio_median(ratios, table->count);
  free(ratios);
  return median;
}

/* The largest factor between a ratio and the median. */
static double spread_of(const struct table *table, double median,
                        double (*ratio)(const struct tmm_count *)) {
  double most = 1;
  for (size_t i = 0; i < table->count; i++) {
    double factor = ratio(&table->at[i]) / median;
    most = fmax(most, fmax(factor, 1 / factor));
  }
  return most;
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
static bool can_tell(const struct table *table, double within) {
  return within > WITHIN || span_of(table) >= SPAN_LEAST;
}

static json_t *holds(const struct table *table, double within) {
  return can_tell(table, within) ? json_boolean(within <= WITHIN) : json_null();
}

static void print_json(const struct table *table, double within,
                       double work_within) {
  for (size_t i = 0; i < table->count; i++) {
    const struct tmm_count *c = &table->at[i];
    model_json_print(json_pack(
        "{ss ss ss ss? so so so so so so so so so so so so so so so}", "model",
        "tmm", "row", table->counted->row, "counted", table->counted->algo,
        "generator", table->counted->generator, "n", model_json_number(c->n),
        "m", model_json_number(c->m), "k", model_json_number(c->k), "Z",
        model_json_number(table->Z), "C", model_json_number(table->C),
        "accesses", model_json_number(c->accesses), "M",
        model_json_number(c->program.M), "ratio",
        model_json_number(accesses_ratio(c)), "of_median",
        model_json_number(accesses_ratio(c) / table->accesses_median), "within",
        model_json_number(within), "work", model_json_number(c->work), "T1",
        model_json_number(c->program.T1), "work_of_median",
        model_json_number(work_ratio(c) / table->work_median), "holds",
        holds(table, within), "work_within", model_json_number(work_within)));
  }
}

static void print_number(double value) {
  char text[NUMBER_SIZE];
  if (!isnan(value)) printf("%9s ", number_text(value, text));
}

static void print_table(const struct table *table, double within,
                        double work_within) {
  const struct tmm_count *first = table->at;
  printf("%s: %s%s%s in the emulator, C %g, Z %g\n", table->counted->row,
         table->counted->algo, table->counted->generator ? ", " : "",
         table->counted->generator ? table->counted->generator : "", table->C,
         table->Z);
  printf("%9s %s%s%10s %10s %9s %9s %10s %10s %9s\n", "n",
         isnan(first->m) ? "" : "        m ",
         isnan(first->k) ? "" : "        k ", "accesses", "M", "ratio",
         "of median", "work", "T1", "of median");
  for (size_t i = 0; i < table->count; i++) {
    const struct tmm_count *c = &table->at[i];
    print_number(c->n);
    print_number(c->m);
    print_number(c->k);
    printf("%10.0f %10.4g %9.3g %9.2f %10.0f %10.4g %9.2f\n", c->accesses,
           c->program.M, accesses_ratio(c),
           accesses_ratio(c) / table->accesses_median, c->work, c->program.T1,
           work_ratio(c) / table->work_median);
  }
  printf("  accesses stay within %.2f of the median, work within %.2f: ",
         within, work_within);
  if (can_tell(table, within))
    printf("M %s\n", within <= WITHIN ? "holds" : "does not hold");
  else
    printf("whether M holds takes an n that grows by %d, not %.3g\n",
           SPAN_LEAST, span_of(table));
}

static int count_all(const struct device *emu, struct table *table,
                     const struct numbers *n) {
  int code = VAT_OK;
  table->at = memory_zeroed(n->count, sizeof *table->at);
  for (; !code && table->count < n->count; table->count++)
    code = tmm_counted_at(emu, table->counted, n->at[table->count], table->Z,
                          table->C, &table->at[table->count]);
  return code;
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
  int code = count_all(emu, &table, n.at ? &n : &given[TMM_N]);
  if (!code) {
    table.accesses_median = median_of(&table, accesses_ratio);
    table.work_median = median_of(&table, work_ratio);
    double within = spread_of(&table, table.accesses_median, accesses_ratio);
    double work = spread_of(&table, table.work_median, work_ratio);
    if (request->json)
      print_json(&table, within, work);
    else
      print_table(&table, within, work);
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
      return fail(VAT_USAGE, "--%s: counts take one at a time",
                  tmm_option_rows[i].name);
  if (given[TMM_C].count && given[TMM_C].at[0] != 8 && given[TMM_C].at[0] != 32)
    return fail(VAT_USAGE, "--C %g: the emulator counts 8 and 32 words",
                given[TMM_C].at[0]);
  if (given[TMM_Z].count && (given[TMM_Z].at[0] != floor(given[TMM_Z].at[0]) ||
                             given[TMM_Z].at[0] > GPU_SHARED_BYTES / 4))
    return fail(VAT_USAGE, "--Z %g: a whole number up to %d",
                given[TMM_Z].at[0], GPU_SHARED_BYTES / 4);
  for (size_t i = 0; i < given[TMM_N].count; i++)
    if (given[TMM_N].at[i] < 2 || given[TMM_N].at[i] > 0x1p40)
      return fail(VAT_USAGE, "--n %g: a whole number from 2 to 2^40",
                  given[TMM_N].at[i]);
  return VAT_OK;
}

int tmm_show_counts(const struct tmm_request *request, const char *row) {
  const struct device *emu;
  bool shown = false;
  int code = check_options(request);
  if (!code && row && !tmm_request_algo(row)) return VAT_USAGE;
  if (!code && !row && request->given[TMM_N].count)
    return fail(VAT_USAGE, "--n: sizes of which algorithm? counts ALGO");
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
