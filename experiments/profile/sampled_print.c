/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is estimated of samples, for people and as JSON. */
#include <jansson.h>

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"
#include "experiments/cli/json_file.h"
#include "experiments/cli/record.h"
#include "experiments/cli/text_table.h"
#include "experiments/profile/sampled.h"

enum { TOP = 15 };

static double per_1000(const struct sampled *sampled, double count) {
  return 1000 * count / sampled->samples.accesses;
}

static const char *interval(const struct sampled *sampled,
                            const struct miss_value *misses,
                            char text[HUMAN_SIZE]) {
  snprintf(text, HUMAN_SIZE, "(%.3g-%.3g)", per_1000(sampled, misses->lo),
           per_1000(sampled, misses->hi));
  return text;
}

/* What of the samples is not in the figures. */
static void print_left_out(const struct perf_samples *samples, FILE *to) {
  if (samples->nowhere)
    fprintf(to, "%zu samples have no address\n", samples->nowhere);
  if (samples->kernel)
    fprintf(to, "%zu samples of the kernel's memory are left out\n",
            samples->kernel);
  if (samples->lost)
    fprintf(to, "perf lost samples: %zu lines report it\n", samples->lost);
  if (samples->large)
    fprintf(to,
            "%zu samples were on pages of 2 MiB or more; 4k is what they would "
            "miss without\n",
            samples->large);
}

static void print_all(const struct sampled *sampled, FILE *to) {
  struct text_table table = {.out = to, .gap = 2, .fits = true};
  text_columns(&table, "-6 pages\t10 misses per 1000\t10 interval\t10 misses");
  for (int s = 0; s < SAMPLED_SIZES; s++) {
    const struct miss_value *all = &sampled->all[s];
    char text[HUMAN_SIZE];
    text_cell(&table, "%s", sampled_sizes[s].name);
    text_cell(&table, "%.3f", per_1000(sampled, all->value));
    text_cell(&table, "%s", interval(sampled, all, text));
    text_row(&table, "%.3g", all->value);
  }
  text_table_end(&table);
}

/* Would anything in its row be printed as more than 0? */
static bool matters(const struct sampled *sampled,
                    const struct sampled_row *row) {
  bool any = row->accesses > 0.0005 * sampled->samples.accesses;
  for (int s = 0; s < SAMPLED_SIZES; s++)
    any |= per_1000(sampled, row->sum[s].misses.value) >= 0.0005;
  return any;
}

static void print_rows(const struct sampled *sampled, FILE *to) {
  struct text_table table = {.out = to, .gap = 2, .fits = true};
  text_columns(&table, "-20 function\taccesses %%");
  for (int s = 0; s < SAMPLED_SIZES; s++)
    text_columns(&table, "6 %s per 1000\tinterval", sampled_sizes[s].name);
  for (size_t r = 0; r < sampled->rows && r < TOP; r++) {
    const struct sampled_row *row = &sampled->row[r];
    if (!matters(sampled, row)) continue;
    text_cell(&table, "%s", row->function);
    text_cell(&table, "%.1f", 100 * row->accesses / sampled->samples.accesses);
    for (int s = 0; s < SAMPLED_SIZES; s++) {
      struct miss_value misses = miss_value_of(&row->sum[s]);
      char text[HUMAN_SIZE];
      text_cell(&table, "%.3f", per_1000(sampled, misses.value));
      text_cell(&table, "%s", interval(sampled, &misses, text));
    }
    text_row_end(&table);
  }
  text_table_end(&table);
}

int sampled_print(const struct sampled *sampled, FILE *to) {
  const struct perf_samples *samples = &sampled->samples;
  fprintf(to, "%zu samples of %.0f accesses, one in %.0f", samples->count,
          samples->accesses, samples->accesses / (double)samples->count);
  if (samples->threads > 1) fprintf(to, ", of %zu threads", samples->threads);
  fprintf(to,
          "\nestimated: misses of a TLB of %.0f entries%s, per 1000 of all "
          "accesses\n",
          sampled->entries, samples->threads > 1 ? " for each thread" : "");
  print_left_out(samples, to);
  fputc('\n', to);
  print_all(sampled, to);
  fputc('\n', to);
  print_rows(sampled, to);
  return VAT_OK;
}

static json_t *misses_json(const struct sampled *sampled,
                           const struct miss_value *misses) {
  return json_of_reals("value", per_1000(sampled, misses->value), "lo",
                       per_1000(sampled, misses->lo), "hi",
                       per_1000(sampled, misses->hi));
}

static json_t *row_json(const struct sampled *sampled,
                        const struct sampled_row *row) {
  json_t *by_size = json_object();
  for (int s = 0; s < SAMPLED_SIZES; s++) {
    struct miss_value misses = miss_value_of(&row->sum[s]);
    json_object_set_new(by_size, sampled_sizes[s].name,
                        misses_json(sampled, &misses));
  }
  return json_pack("{so so so}", "name", json_of_text(row->function),
                   "accesses", json_of_real(row->accesses), "misses_per_1000",
                   by_size);
}

int sampled_json(const struct sampled *sampled, FILE *to) {
  const struct perf_samples *samples = &sampled->samples;
  json_t *by_size = json_object(), *functions = json_array();
  for (int s = 0; s < SAMPLED_SIZES; s++)
    json_object_set_new(by_size, sampled_sizes[s].name,
                        misses_json(sampled, &sampled->all[s]));
  for (size_t r = 0; r < sampled->rows; r++)
    json_array_append_new(functions, row_json(sampled, &sampled->row[r]));
  json_line(to,
            json_pack("{sI so sI so s{sI sI sI sI} so so}", "samples",
                      (json_int_t)samples->count, "accesses",
                      json_of_real(samples->accesses), "threads",
                      (json_int_t)samples->threads, "entries",
                      json_of_real(sampled->entries), "apart", "no_address",
                      (json_int_t)samples->nowhere, "kernel",
                      (json_int_t)samples->kernel, "lost_lines",
                      (json_int_t)samples->lost, "large_pages",
                      (json_int_t)samples->large, "misses_per_1000", by_size,
                      "functions", functions),
            JSON_COMPACT);
  return VAT_OK;
}
