/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vat model bloom: false positives of BLASTN's Bloom filter, counted, beside
 * what the calibrated model says of them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>

#include "cpu_algos/blastn.h"
#include "experiments/cli/command.h"
#include "experiments/cli/numbers.h"
#include "experiments/cli/progress.h"
#include "experiments/data/data.h"
#include "experiments/gpu_models/calculator.h"
#include "experiments/gpu_models/model_json.h"
#include "experiments/gpu_models/model_run.h"
#include "gpu_algos/models/bloom_rate.h"
#include "gpu_algos/models/calibrated.h"

/* What is combined. */
enum { K, M, N_SUB, W, LISTS, COMBINATIONS_MOST = 10000 };

struct request {
  struct numbers given[LISTS];
  const char *database, *query;
  bool json;
  const struct algo *algo;
  struct data data;    /* of the files */
  struct algo_run run; /* its input, as of any combination */
};

#define AT(member) OPTION_AT(struct request, member)
#define NUMBER_LIST "LIST", OPTION_WHOLE_NUMBERS, .high = 0x1p53

/* The defaults are those of figures 5.7 and 5.13. */
static const struct option_row option_rows[] = {
    {.help = "The filter, all combinations of lists such as 4,6,8 or 1..90+1"},
    {"k", NUMBER_LIST, AT(given[K]), .usual = "4,6,8,10",
     .help = "hash functions"},
    {"m-bits", NUMBER_LIST, AT(given[M]), .usual = "64K,128K,256K",
     .help = "bits of a Bloom vector"},
    {"n-sub", NUMBER_LIST, AT(given[N_SUB]), .usual = "10000,50000,300000",
     .help = "letters of a sub-query"},
    {"w", NUMBER_LIST, AT(given[W]), .usual = "11",
     .help = "letters of a word"},
    {.help = "The database"},
    {"n", "N", OPTION_SIZE, AT(run.n), .usual = "300000",
     .help = "letters of a generated database"},
    {"seed", "N", OPTION_SIZE, AT(run.seed), .usual = "1",
     .help = "of what is generated, and of the functions"},
    {"generator", "uniform|markov", OPTION_TEXT, AT(run.generator),
     .help = "how letters are generated (default: uniform)"},
    {"database", "FILE", OPTION_TEXT, AT(database), .needs = "query",
     .conflicts = "generator", .because = "name both, or none",
     .help = "FASTA, instead of a generated database"},
    {"query", "FILE", OPTION_TEXT, AT(query), .needs = "database",
     .because = "name both, or none",
     .help = "FASTA, the queries to search for in --database"},
    {.help = "Output"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print JSON Lines"},
    {0}};

const struct option_table bloom_table = {
    .rows = option_rows,
    .doc =
        "Count the w-mers that are in no query and that the Bloom filter in "
        "front of BLASTN lets through (5.19).  vat runs the filter for all "
        "combinations of the lists and compares with the model (5.18).",
};

/* Generated, or of two files. */
static int read_input(struct request *request) {
  struct data *data = &request->data;
  struct algo_run *run = &request->run;
  const struct algo *algo = cpu_algo_find("bloom_blastn_cpu");
  const char *generator = run->generator;
  char error[DATA_ERROR];
  request->algo = algo;
  if (!request->database) {
    if (!generator) return VAT_OK;
    run->generator = cpu_algo_generator(algo, generator);
    return data_check_generator(algo, generator);
  }
  if (data_read(data, data_kind_find(algo->data), request->database,
                request->query, error))
    return fail(errno == ENOMEM ? VAT_ABSENT : VAT_USAGE, "%s", error);
  const char *refused = algo->refuse(data->part);
  if (refused) return fail(VAT_USAGE, "%s: %s", request->database, refused);
  run->given = data->part;
  run->n = cpu_given_n(data->part);
  return VAT_OK;
}

/* Of a filter: means over all sub-queries, as the source has them. */
struct bloom_rates {
  double of[LISTS];
  uint64_t sub_queries;
  double w_mers;   /* of a sub-query, as often as they are there */
  double elements; /* different ones */
  double measured; /* (5.19) */
  double model;    /* (5.18) of n_e elements */
  double of_all;   /* (5.18) of n_e = n_sub - w + 1, as the source has it */
  double lo, hi;   /* of 95 %, around what was measured */
};

static bool is_in(const struct bloom_rates *rates, double rate) {
  return rate >= rates->lo && rate <= rates->hi;
}

/* Of a normal distribution, 95 % lie within so many standard deviations. */
static const double deviations_95 = 1.959964;

/* A sub-query without an element, of letters that are not known, has no false
 * positives, and the model says so; one whose elements are all that there is
 * has none to count. */
static void add_up(const struct cpu_blastn *f, uint64_t mers,
                   struct bloom_rates *rates) {
  struct bloom_rate of = {ldexp(1, (int)f->lg_m), f->k, 0,
                          ldexp(1, 2 * (int)f->w)};
  double variance = 0, counted = 0;
  for (uint32_t s = 0; s < f->subs; s++) {
    const double strangers = (double)mers - f->known[s].true_positives;
    of.elements = f->known[s].elements;
    if (!(strangers > 0)) continue;
    counted++;
    rates->w_mers += f->known[s].w_mers;
    rates->elements += of.elements;
    rates->measured += (f->counts[s] - f->known[s].true_positives) / strangers;
    rates->model += calibrated_fpr(of.bits, of.functions, of.elements);
    rates->of_all += calibrated_fpr(of.bits, of.functions, f->known[s].w_mers);
    variance += bloom_rate_variance(&of, strangers);
  }
  rates->sub_queries = (uint64_t)counted;
  rates->w_mers /= counted;
  rates->elements /= counted;
  rates->measured /= counted;
  rates->model /= counted;
  rates->of_all /= counted;
  const double wide = deviations_95 * sqrt(variance) / counted;
  rates->lo = fmax(0, rates->measured - wide);
  rates->hi = fmin(1, rates->measured + wide);
}

/* Run the filter on the processor, and see that its hits are right. */
static int measure_there(const struct algo *algo, struct algo_run *run,
                         struct bloom_rates *rates) {
  uint64_t counted[ALGO_COUNTS];
  algo->setup(run);
  algo->run(run);
  const char *wrong = algo->check(run);
  if (wrong)
    return fail(VAT_FAILED, "%s gave a wrong answer (%s): %s", algo->name,
                run->parameters, wrong);
  const struct cpu_blastn f = cpu_blastn_of(run);
  cpu_blastn_count(run, counted);
  add_up(&f, counted[0], rates);
  if (rates->sub_queries) return VAT_OK;
  return fail(VAT_USAGE,
              "w = %u: every w-mer of the database is in a sub-query, so there "
              "can be no false positive; choose a larger w",
              f.w);
}

static int measure(const struct request *request, struct bloom_rates *rates) {
  char parameters[96];
  snprintf(parameters, sizeof parameters, "k=%.0f,m=%.0f,n-sub=%.0f,w=%.0f",
           rates->of[K], rates->of[M], rates->of[N_SUB], rates->of[W]);
  const char *why = request->algo->refuse_parameters(parameters);
  if (why) return fail(VAT_USAGE, "%s: %s", parameters, why);
  struct algo_run run = request->run;
  run.parameters = parameters;
  run.bytes = cpu_algo_bytes(request->algo, run.n, run.given);
  int code = model_memory_map("the filter", "less", 1, request->algo, &run);
  if (code) return code;
  code = measure_there(request->algo, &run, rates);
  munmap(run.memory, run.bytes);
  return code;
}

static void print_head(const struct algo_run *input) {
  const char *letters = input->generator ? input->generator : "uniform";
  printf(
      "False positives of the Bloom filter of BLASTN (Ma, PhD thesis 2014, "
      "5.2.3), %llu letters%s%s\n",
      (unsigned long long)input->n, input->given ? "" : ", ",
      input->given ? "" : letters);
  printf("%3s %7s %8s %3s %8s  %10s %23s  %10s %8s    %10s %8s\n", "k", "m",
         "n-sub", "w", "subs", "measured", "95 % interval", "by (5.18)",
         "error", "all w-mers", "error");
}

/* Errors are what is measured over what was said, in percent (figure 5.8). */
static void print_row(const struct bloom_rates *r) {
  printf(
      "%3.0f %7.0f %8.0f %3.0f %8llu  %10.4g [%10.4g,%10.4g]  %10.4g "
      "%+7.2f%% %-2s %10.4g %+7.2f%% %-2s\n",
      r->of[K], r->of[M], r->of[N_SUB], r->of[W],
      (unsigned long long)r->sub_queries, r->measured, r->lo, r->hi, r->model,
      100 * (r->measured / r->model - 1), is_in(r, r->model) ? "in" : "-",
      r->of_all, 100 * (r->measured / r->of_all - 1),
      is_in(r, r->of_all) ? "in" : "-");
}

static void print_json(uint64_t n, const struct bloom_rates *r) {
  json_t *object = json_pack("{ss}", "model", "bloom");
  model_json_add(object, "n", (double)n, "k", r->of[K], "m_bits", r->of[M],
                 "n_sub", r->of[N_SUB], "w", r->of[W], "sub_queries",
                 (double)r->sub_queries, "w_mers", r->w_mers, "elements",
                 r->elements, "measured", r->measured, "fpr", r->model,
                 "fpr_all", r->of_all);
  json_object_update_new(
      object,
      json_pack("{s[oo] sb sb}", "ci", model_json_number(r->lo),
                model_json_number(r->hi), "fpr_in_ci", is_in(r, r->model),
                "fpr_all_in_ci", is_in(r, r->of_all)));
  model_json_print(object);
}

static int measure_all(const struct request *request) {
  struct progress progress;
  size_t by_model = 0, by_all = 0, list;
  size_t rows =
      numbers_combinations(request->given, LISTS, COMBINATIONS_MOST, &list);
  int code = VAT_OK;
  if (!rows) return fail(VAT_USAGE, "over %d combinations", COMBINATIONS_MOST);
  progress_init(&progress);
  for (size_t i = 0; !code && i < rows; i++) {
    struct bloom_rates rates = {0};
    numbers_combine(request->given, LISTS, i, rates.of);
    progress_draw_part(&progress, (double)i / (double)rows, progress.start_s,
                       "filtering");
    code = measure(request, &rates);
    progress_clear(&progress);
    if (code) break;
    if (!i && !request->json) print_head(&request->run);
    by_model += is_in(&rates, rates.model);
    by_all += is_in(&rates, rates.of_all);
    if (request->json)
      print_json(request->run.n, &rates);
    else
      print_row(&rates);
  }
  if (!code && !request->json)
    printf(
        "In their intervals of 95 %%: %zu of %zu by (5.18), %zu with each "
        "w-mer counted as often as it is there; of independent letters %.1f "
        "are to be expected of the former.\n",
        by_model, rows, by_all, .95 * (double)rows);
  return code;
}

int bloom_command(int argc, char **argv) {
  struct request request = {0};
  int code = options_parse(&bloom_table, argc, argv, &request);
  if (!code) code = read_input(&request);
  if (!code) code = measure_all(&request);
  options_fini(&bloom_table, &request);
  data_fini(&request.data);
  return code;
}
