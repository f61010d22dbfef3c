/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/data/data_options.h -- the options that say what algorithms work
 * on, a file or what a generator makes, and where the answer goes. */
#pragma once
#include "cpu_algos/algo.h"
#include "experiments/cli/options.h"

/* As typed; NULL where not given. */
struct data_options {
  const char *input, *queries, *output, *generator;
};

/* --input, --queries, --output and --generator, of a struct data_options. */
extern const struct option_row data_rows[];

/* Has the algorithm this generator?  An exit code, having printed which it
 * has. */
int data_check_generator(const struct algo *algo, const char *generator);
