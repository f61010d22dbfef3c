/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/calibrate_options.h -- the options of `vat calibrate`.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiments/cli/options.h"

/* As typed; NULL, 0 or false where not given. */
struct calibrate_options {
  const char *pages, *output;
  const char *refresh;   /* a calibration whose curves for what-if are measured
                            anew, and nothing else */
  uint64_t memory_bytes; /* of each page kind */
  double time_budget_s;  /* 0: not given */
  int pin;               /* -1: choose */
  bool reserve, json;
};

/* Its request is a struct calibrate_options, zeroed but for pin. */
extern const struct option_table calibrate_table;
