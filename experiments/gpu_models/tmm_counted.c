/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether M and T1 of table 4.4 are what programs do: counts of the emulator
 * over them, which are to stay the same over the sizes. */
#include "experiments/gpu_models/tmm_counted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_algos/graph.h"
#include "experiments/cli/command.h"
#include "experiments/cli/memory.h"
#include "experiments/cli/text_table.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/model_run.h"
#include "experiments/gpu_models/tmm_request.h"
#include "experiments/results/ratio.h"
#include "gpu_algos/blocks.h"
#include "gpu_algos/gpu_algo.h"

#define WORDS_ALL (GPU_SHARED_BYTES / 4.)

/*
 * Z is less than all where the formula needs n to be larger and that would take
 * the emulator too long: sub-blocks of 8 x 8 distances, blocks of 512 keys.
 * With 4 words no distances of johnson_array's lie in shared memory, with all
 * of it they do; there, blocks of few threads take the emulator less.
 */
const struct tmm_counted tmm_counteds[] = {
    {"reduce", "reduce", "2^12..2^20*4", WORDS_ALL, 0},
    {"scan", "scan", "2^12..2^20*4", WORDS_ALL, 0},
    {"merge", "merge_32", "2^12..2^18*4", 512, 0},
    {"blocked_merge", "merge_32", "2^12..2^18*4", 512, 0},
    {"merge_sort", "merge_sort_32", "2^11..2^17*4", 512, 0},
    {"odd_even_sort", "odd_even_sort_32", "2^11..2^17*4", 512, 0},
    {"connected_components", "connected_components", "2^10..2^16*4", WORDS_ALL,
     0},
    {"mst_boruvka", "mst_boruvka", "2^10..2^16*4", WORDS_ALL, 0},
    {"suffix_tree", "suffix_tree", "2^8..2^14*4", WORDS_ALL, 0},
    {"suffix_array", "suffix_array", "2^8..2^14*4", WORDS_ALL, 0},
    {"fft_stockham", "fft_stockham", "2^10..2^16*4", WORDS_ALL, 0},
    {"list_ranking_wyllie", "list_ranking_wyllie", "2^10..2^16*4", WORDS_ALL,
     0},
    {"apsp_matmul", "apsp_matmul", "8..512*2", 128, 0},
    {"johnson_heap", "johnson_heap", "16..1024*4", WORDS_ALL, 0},
    {"johnson_array", "johnson_array", "8..512*2", WORDS_ALL, 0},
    {"johnson_array", "johnson_array", "8..512*2", 4, 32},
    {"bellman_ford", "bellman_ford", "4..256*2", WORDS_ALL, 0},
    {0}};

/* 1 but for matching, where a run of n letters has as many in all queries. */
static double letters_of(const struct algo *algo, const struct tmm_algo *row,
                         const char *generator) {
  if (!strchr(row->sizes, 'k')) return 1;
  if (!generator) generator = algo->generators[0];
  return atof(strchr(generator, '-') + 1); /* "length-16" */
}

void tmm_counted_model(const struct algo *algo, const struct tmm_algo *row,
                       const char *generator, uint64_t n,
                       const struct tmm_machine *machine,
                       struct tmm_count *count) {
  struct algo_run run = {.n = n, .generator = generator};
  double letters = letters_of(algo, row, generator);
  bool matching = strchr(row->sizes, 'k');
  bool graph = algo->data && !strncmp(algo->data, "graph", strlen("graph"));
  *count = (struct tmm_count){.n = (double)n / letters,
                              .m = NAN,
                              .k = matching ? letters : NAN,
                              .accesses = NAN,
                              .work = NAN};
  if (matching || graph)
    count->m = graph ? (double)cpu_graph_of(&run).m : (double)n;
  struct tmm_at at = {count->n, count->m, count->k, NAN, machine};
  count->program = tmm_algo_program(row, &at);
}

/* With n, rounded down to what the algorithm takes, and Z words of a block's
 * shared memory.  An exit code, having printed what is wrong. */
static int count_at(const struct device *emu, const struct tmm_counted *counted,
                    double n, double Z, double C, struct tmm_count *count) {
  const struct algo *algo = device_algo(emu, counted->algo);
  const struct tmm_algo *row = tmm_algo_find(counted->row);
  /* As long as P Z / Q is none, the edges of a graph are never all in it. */
  struct tmm_machine machine = {.P = 1, .C = C, .Z = Z, .Q = INFINITY};
  struct simt_counters counters;
  struct algo_run run = {
      .seed = 1,
      .gpu = {.block_threads = counted->block_threads,
              .dummy_shared = (unsigned)(GPU_SHARED_BYTES - 4 * Z)}};
  const char *why =
      algo->gpu && algo->gpu->refuse_block
          ? algo->gpu->refuse_block(run.gpu.block_threads, run.gpu.dummy_shared)
          : NULL;
  if (why) return fail(VAT_USAGE, "--Z %g: %s", Z, why);
  run.n = (uint64_t)(n * letters_of(algo, row, NULL));
  tmm_counted_model(algo, row, NULL, run.n, &machine, count);
  int code = emulated_count(emu, algo, &run, &counters);
  const struct simt_counters *c = &counters;
  uint64_t moved = C == 8 ? c->sectors_read + c->sectors_written
                          : c->lines_read + c->lines_written;
  count->accesses = (double)(moved + c->atomic_sectors);
  count->work = (double)counters.lanes_issued;
  return code;
}

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
    json_t *object =
        json_pack("{ss ss ss sn}", "model", "tmm", "row", table->counted->row,
                  "counted", table->counted->algo, "generator");
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
  printf("%s: %s in the emulator, C %g, Z %g\n", table->counted->row,
         table->counted->algo, table->C, table->Z);
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
    code = count_at(emu, counted, sizes->at[table.count], table.Z, table.C,
                    &table.at[table.count]);
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

int tmm_show_counts(const struct tmm_request *request) {
  const struct device *emu;
  const char *row = request->words.at[1];
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
