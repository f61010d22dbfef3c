/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/bloom_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/numbers.h"
#include "experiments/cli/progress.h"
#include "experiments/data/data.h"
#include "experiments/data/data_options.h"
#include "experiments/gpu_models/bloom_print.h"

/* What is combined. */
enum { K, M, N_SUB, W, LISTS, COMBINATIONS_MOST = 10000 };

struct request {
  struct numbers given[LISTS];
  uint64_t n, seed;
  const char *database, *query, *generator;
  bool json;
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
    {"n", "N", OPTION_SIZE, AT(n), .usual = "300000",
     .help = "letters of a generated database"},
    {"seed", "N", OPTION_SIZE, AT(seed), .usual = "1",
     .help = "of what is generated, and of the functions"},
    {"generator", "uniform|markov", OPTION_TEXT, AT(generator),
     .help = "how letters are generated (default: uniform)"},
    {"database", "FILE", OPTION_TEXT, AT(database), .needs = "query",
     .conflicts = "generator", .because = "name both, or none",
     .help = "FASTA, in place of a generated database"},
    {"query", "FILE", OPTION_TEXT, AT(query), .needs = "database",
     .because = "name both, or none",
     .help = "FASTA, what is sought in --database"},
    {.help = "Output"},
    {"json", NULL, OPTION_FLAG, AT(json), .help = "print a JSON object a line"},
    {0}};

const struct option_table bloom_table = {
    .rows = option_rows,
    .doc =
        "How many w-mers that are in no query does the Bloom filter in "
        "front of BLASTN let through (5.19)?  It is run, for all "
        "combinations of the lists, beside what the model says (5.18).",
};

/* Generated, or of two files, which are read into `data`. */
static int take_input(const struct request *request, struct data *data,
                      struct bloom_input *input) {
  const struct algo *algo = cpu_algo_find("bloom_blastn_cpu");
  const struct data_kind *kind = data_kind_find(algo->data);
  char error[DATA_ERROR];
  *input = (struct bloom_input){.n = request->n, .seed = request->seed};
  if (!request->database) {
    if (!request->generator) return VAT_OK;
    input->generator = cpu_algo_generator(algo, request->generator);
    return data_check_generator(algo, request->generator);
  }
  if (data_read(data, kind, request->database, error) ||
      data_read_queries(data, kind, request->query, error))
    return fail(errno == ENOMEM ? VAT_ABSENT : VAT_USAGE, "%s", error);
  const char *refused = algo->refuse(data->part);
  if (refused) return fail(VAT_USAGE, "%s: %s", request->database, refused);
  input->given = data->part;
  input->n = cpu_given_n(data->part);
  return VAT_OK;
}

/* The combination at `place`, the last list fastest. */
static struct bloom_filter combination(const struct request *request,
                                       size_t place) {
  double value[LISTS];
  for (int i = LISTS; i-- > 0;) {
    const struct numbers *given = &request->given[i];
    value[i] = given->at[place % given->count];
    place /= given->count;
  }
  return (struct bloom_filter){value[K], value[M], value[N_SUB], value[W]};
}

static int tell(const struct request *request,
                const struct bloom_input *input) {
  struct progress progress;
  size_t rows = 1, by_model = 0, by_all = 0;
  int code = VAT_OK;
  for (int i = 0; i < LISTS; i++) rows *= request->given[i].count;
  if (rows > COMBINATIONS_MOST)
    return fail(VAT_USAGE, "over %d combinations", COMBINATIONS_MOST);
  progress_init(&progress);
  for (size_t i = 0; !code && i < rows; i++) {
    const struct bloom_filter filter = combination(request, i);
    struct bloom_rates rates;
    progress_draw_part(&progress, (double)i / (double)rows, progress.start_s,
                       "filtering");
    code = bloom_rates_measure(input, &filter, &rates);
    progress_clear(&progress);
    if (code) break;
    if (!i && !request->json) bloom_print_head(input);
    by_model += bloom_rates_has(&rates, rates.model);
    by_all += bloom_rates_has(&rates, rates.of_all);
    if (request->json)
      bloom_print_json(input, &filter, &rates);
    else
      bloom_print_row(&filter, &rates);
  }
  if (!code && !request->json) bloom_print_sums(rows, by_model, by_all);
  return code;
}

int bloom_command(int argc, char **argv) {
  struct request request = {0};
  struct bloom_input input;
  struct data data = {0};
  int code = options_parse(&bloom_table, argc, argv, &request);
  if (!code) code = take_input(&request, &data, &input);
  if (!code) code = tell(&request, &input);
  options_fini(&bloom_table, &request);
  data_fini(&data);
  return code;
}
