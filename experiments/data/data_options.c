/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data_options.h"

#include "experiments/cli/command.h"
#include "experiments/cli/names.h"

enum { KEY_GENERATOR = 1024, KEY_INPUT, KEY_OUTPUT, KEY_QUERIES };

static const struct argp_option option_table[] = {
    {0, 0, NULL, 0, "What is worked on", 1},
    {"input", KEY_INPUT, "FILE", 0,
     "run ALGO on this, in place of a generated input: keys, points, ... as "
     "text (doc/data-formats.md); - is standard input",
     0},
    {"database", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"reads", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"queries", KEY_QUERIES, "FILE", 0,
     "seek these in the text or database that --input is; or the reads there "
     "in these references",
     0},
    {"query", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"references", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"output", KEY_OUTPUT, "FILE", 0,
     "write the answer there; - is standard output", 0},
    {"generator", KEY_GENERATOR, "GENERATOR,...", 0,
     "generate inputs of these kinds, one after the other, or of all that ALGO "
     "has; see vat list generators",
     0},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
  struct data_options *options = state->input;
  switch (key) {
    case KEY_GENERATOR:
      options->generator = value;
      return 0;
    case KEY_INPUT:
      options->input = value;
      return 0;
    case KEY_QUERIES:
      options->queries = value;
      return 0;
    case KEY_OUTPUT:
      options->output = value;
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

const struct argp data_argp = {.options = option_table, .parser = parse};

int data_check_generator(const struct algo *algo, const char *generator) {
  char names[NAMES_SIZE] = "";
  if (cpu_algo_generator(algo, generator)) return VAT_OK;
  if (!algo->generators)
    return fail(VAT_USAGE, "--generator %s: %s has one kind of input only",
                generator, algo->name);
  for (size_t i = 0; algo->generators[i]; i++)
    names_add(names, algo->generators[i]);
  return fail(VAT_USAGE, "--generator %s: %s has %s", generator, algo->name,
              names);
}
