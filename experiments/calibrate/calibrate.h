/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/calibrate.h -- measure this machine. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "experiments/probe/calibration.h"

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

/*
 * Fill `cal`, to be released in either case.  Returns an exit code, having
 * printed what is wrong; dies of a signal that comes, after giving memory and
 * pools back.
 */
int calibrate(const struct calibrate_options *options, struct calibration *cal);

/* How many rounds there are if new memory and its long chases take `took_s` of
 * `left_s`, and these chases may take a `share` of the time. */
unsigned calibrate_rounds(double took_s, double left_s, double share);

/* For people.  `refreshed`: only the curves of what-if were measured. */
void calibration_print(FILE *out, const struct calibration *cal,
                       bool refreshed);
