/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/calculators.h -- models with a command line of their
 * own, since what they are asked for is no list of cases (gpu_model.h). */
#pragma once

struct calculator {
  const char *name, *source, *summary;
  /* argv[0] is "vat model NAME"; an exit code. */
  int (*run)(int argc, char **argv);
};

extern const struct calculator calculators[]; /* the last has no name */

/* The one called `name`, or NULL. */
const struct calculator *calculator_find(const char *name);
