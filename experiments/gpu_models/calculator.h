/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/calculator.h -- models with a command line of their
 * own, since what they are asked for is no list of cases (gpu_model.h). */
#pragma once
#include "experiments/cli/options.h"
#include "gpu_algos/models/sheet.h"

struct calculator {
  const char *name, *source, *summary;
  /* argv[0] is "vat model NAME"; an exit code. */
  int (*run)(int argc, char **argv);
};

extern const struct calculator calculators[]; /* the last has no name */

/* The one called `name`, or NULL. */
const struct calculator *calculator_find(const char *name);

int bloom_command(int argc, char **argv);
int calibrated_command(int argc, char **argv);
int integrated_command(int argc, char **argv);
int tmm_command(int argc, char **argv);

/* Their options. */
extern const struct option_table bloom_table, tmm_table;
const struct option_table *sheet_table(const struct sheet_model *model);
