/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/prediction.h -- what the report knows of the machine, and
 * says of the models, beyond the results. */
#pragma once
#include "experiments/validate/validate.h"

struct prediction {
  const char *machine_path;
  struct calibration calibration;
  struct validation validation;
};

/* Read the machine file.  An exit code, with `error` a sentence. */
int prediction_open(struct prediction *prediction, const char *machine_path,
                    char error[RESULTS_ERROR_SIZE]);

/*
 * Predict `results`, which were read from `path` and must outlive the
 * prediction, from profiles on disk or else simulated, which
 * may take minutes.  NULL: they cannot be, and why was printed; or a signal
 * came, which interrupt_pending() says.
 */
const struct validation *prediction_make(struct prediction *prediction,
                                         const char *path,
                                         const struct results *results);
void prediction_fini(struct prediction *prediction); /* zeroed is fine */
