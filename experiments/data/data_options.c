/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/data/data_options.h"

#include "experiments/cli/command.h"
#include "experiments/cli/human.h"

#define AT(member) OPTION_AT(struct data_options, member)

const struct option_row data_rows[] = {
    {.help = "Input and output"},
    {"input", "FILE", OPTION_FILE, AT(input),
     .help = "run ALGO on this file instead of a generated input: keys, "
             "points, ... as text (doc/data-formats.md); - is standard input"},
    {"database", .other_name = true},
    {"reads", .other_name = true},
    {"queries", "FILE", OPTION_TEXT, AT(queries),
     .help = "search for these in the text or database of --input; or the "
             "references for the reads of --input"},
    {"query", .other_name = true},
    {"references", .other_name = true},
    {"output", "FILE", OPTION_FILE, AT(output),
     .help = "write the answer there; - is standard output"},
    {"generator", "GENERATOR,...", OPTION_TEXT, AT(generator),
     .help = "generate inputs of these kinds in turn, or of all kinds of ALGO; "
             "see vat list generators"},
    {0}};

int data_check_generator(const struct algo *algo, const char *generator) {
  if (cpu_algo_generator(algo, generator)) return VAT_OK;
  if (!algo->generators)
    return fail(VAT_USAGE,
                "--generator %s: %s has only one kind of input; leave it out",
                generator, algo->name);
  return fail(VAT_USAGE, "--generator %s: %s has %s", generator, algo->name,
              NAMES_OF(algo->generators));
}
