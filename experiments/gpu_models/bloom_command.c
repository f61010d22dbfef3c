/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gpu_models/bloom_command.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiments/cli/command.h"
#include "experiments/cli/progress.h"
#include "experiments/data/data.h"
#include "experiments/data/data_options.h"
#include "experiments/gpu_models/bloom_print.h"
#include "experiments/gpu_models/numbers.h"

/* What is combined, and then what there is one of. */
enum number { K, M, N_SUB, W, LISTS, N = LISTS, SEED, NUMBERS };
enum { KEY_NUMBER = 0x100, KEY_DATABASE = 0x200, KEY_QUERY, KEY_GENERATOR };
enum { KEY_JSON = 0x300, COMBINATIONS_MOST = 10000 };

struct request {
  struct numbers given[NUMBERS];
  const char *database, *query, *generator;
  bool json;
};

/* Those of figures 5.7 and 5.13. */
static const char *const usual[NUMBERS] = {
    [K] = "4,6,8,10", [M] = "64K,128K,256K", [N_SUB] = "10000,50000,300000",
    [W] = "11",       [N] = "300000",        [SEED] = "1"};

static const struct argp_option option_table[] = {
    [K] = {"k", KEY_NUMBER + K, "LIST", 0, "hash functions (4,6,8,10)", 1},
    [M] = {"m-bits", KEY_NUMBER + M, "LIST", 0,
           "bits of a Bloom vector (64K,128K,256K)", 1},
    [N_SUB] = {"n-sub", KEY_NUMBER + N_SUB, "LIST", 0,
               "letters of a sub-query (10000,50000,300000)", 1},
    [W] = {"w", KEY_NUMBER + W, "LIST", 0, "letters of a word (11)", 1},
    [N] = {"n", KEY_NUMBER + N, "N", 0,
           "letters of a generated database (300000)", 2},
    [SEED] = {"seed", KEY_NUMBER + SEED, "N", 0,
              "of what is generated, and of the functions (1)", 2},
    {"generator", KEY_GENERATOR, "uniform|markov", 0,
     "how letters are generated (uniform)", 2},
    {"database", KEY_DATABASE, "FILE", 0,
     "FASTA, in place of a generated database", 2},
    {"query", KEY_QUERY, "FILE", 0, "FASTA, what is sought in --database", 2},
    {"json", KEY_JSON, NULL, 0, "print a JSON object a line", 3},
    {0}};

static void take(struct request *request, enum number number,
                 const char *text) {
  struct numbers *numbers = &request->given[number];
  const char *name = option_table[number].name;
  char error[256];
  free(numbers->at);
  if (numbers_parse(text, 0, true, numbers, error, sizeof error))
    exit(fail(fail_code(errno), "--%s %s", name, error));
  for (size_t i = 0; i < numbers->count; i++)
    if (numbers->at[i] >= 0x1p53)
      exit(fail(VAT_USAGE, "--%s %s: take less than 2^53", name, text));
  if (number >= LISTS && numbers->count > 1)
    exit(fail(VAT_USAGE, "--%s %s: is one number, no list", name, text));
}

static error_t parse(int key, char *value, struct argp_state *state) {
  struct request *request = state->input;
  switch (key) {
    case KEY_DATABASE:
      request->database = value;
      return 0;
    case KEY_QUERY:
      request->query = value;
      return 0;
    case KEY_GENERATOR:
      request->generator = value;
      return 0;
    case KEY_JSON:
      request->json = true;
      return 0;
    default:
      if (key < KEY_NUMBER || key >= KEY_NUMBER + NUMBERS)
        return ARGP_ERR_UNKNOWN;
      take(request, (enum number)(key - KEY_NUMBER), value);
      return 0;
  }
}

static const struct argp command_argp = {
    .options = option_table,
    .parser = parse,
    .doc =
        "How many w-mers that are in no query does the Bloom filter in "
        "front of BLASTN let through (5.19)?  It is run, for all "
        "combinations of the lists, beside what the model says (5.18)."};

/* Generated, or of two files, which are read into `data`. */
static int take_input(const struct request *request, struct data *data,
                      struct bloom_input *input) {
  const struct algo *algo = cpu_algo_find("bloom_blastn_cpu");
  const struct data_kind *kind = data_kind_find(algo->data);
  char error[DATA_ERROR];
  if (!request->database != !request->query)
    return fail(VAT_USAGE, "--database and --query: name both, or none");
  if (request->database && request->generator)
    return fail(VAT_USAGE, "--database and --generator: one or the other");
  *input = (struct bloom_input){.n = (uint64_t)request->given[N].at[0],
                                .seed = (uint64_t)request->given[SEED].at[0]};
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
      code = bloom_print_json(input, &filter, &rates);
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
  for (int i = 0; i < NUMBERS; i++) take(&request, (enum number)i, usual[i]);
  int code = command_parse(&command_argp, argc, argv, &request);
  if (!code) code = take_input(&request, &data, &input);
  if (!code) code = tell(&request, &input);
  for (int i = 0; i < NUMBERS; i++) free(request.given[i].at);
  data_fini(&data);
  return code;
}
