/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/calibrate_options.h -- the options of `vat calibrate`.
 */
#ifndef EXPERIMENTS_CALIBRATE_CALIBRATE_OPTIONS_H
#define EXPERIMENTS_CALIBRATE_CALIBRATE_OPTIONS_H
#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* As typed; NULL, 0 or false where not given. */
struct calibrate_options {
  const char *pages, *output;
  uint64_t memory_bytes; /* of each page kind */
  double time_budget_s;
  int pin; /* -1: choose */
  bool reserve, json;
};

/* Its input is a struct calibrate_options, zeroed but for pin and the time
 * budget.  Exits where one is bad. */
extern const struct argp calibrate_argp;
#endif
