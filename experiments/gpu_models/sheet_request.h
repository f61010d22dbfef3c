/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/sheet_request.h -- what is asked of a model made of
 * sheets, and what answers it.  Functions that return int return an exit code,
 * having printed what is wrong. */
#pragma once
#include <stdbool.h>

#include "experiments/cli/numbers.h"
#include "gpu_algos/models/sheet.h"

struct sheet_request {
  const struct sheet_model *model;
  const struct sheet *sheet;
  struct sheet_machine machine;
  const char *fit; /* a file of runs, or NULL */
  bool json;
  struct numbers given[SHEET_PARAMETERS_MAX]; /* none: not given */
};

/* Parameter `index` if it is not given: its usual value, or the machine's; NAN:
 * there is none. */
double sheet_usual(const struct sheet_request *request, int index);

/* Is `value` one that the parameter takes?  Else it is told behind `where`. */
int sheet_check(const struct sheet_parameter *parameter, double value,
                const char *where);

/* All combinations of what was given. */
int sheet_tell(const struct sheet_request *request);

/* a1 and a0 of the sheet's time, by least squares of the runs in a JSON array
 * of objects: the sheet's parameters, and "seconds". */
int sheet_fit(const struct sheet_request *request);
