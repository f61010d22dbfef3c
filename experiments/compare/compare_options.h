/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/compare_options.h -- the options of `vat compare`. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/cli/options.h"

/* As typed; NULL, 0 or false where not given. */
struct compare_options {
  const char *pages, *metric, *input, *output, *allocator;
  uint32_t runs, warmup;
  uint64_t seed;
  int pin; /* -1: any */
  bool reserve, prewarm, json, show_output, ignore_failure;
  struct option_words program; /* and its arguments */
};

/* Its request is a struct compare_options, zeroed but for pin. */
extern const struct option_table compare_table;
