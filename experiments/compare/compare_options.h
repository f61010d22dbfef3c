/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/compare_options.h -- the options of `vat compare`. */
#ifndef EXPERIMENTS_COMPARE_COMPARE_OPTIONS_H
#define EXPERIMENTS_COMPARE_COMPARE_OPTIONS_H
#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* As typed; NULL, 0 or false where not given. */
struct compare_options {
  const char *pages, *metric, *input, *output, *allocator;
  uint32_t runs, warmup;
  uint64_t seed;
  int pin; /* -1: any */
  bool reserve, prewarm, json, show_output, ignore_failure;
  char **program; /* PROG and its arguments, NULL-ended; into argv */
};

/* Its input is a struct compare_options, zeroed but for pin, runs, warmup and
 * seed.  Exits where one is bad. */
extern const struct argp compare_argp;
#endif
