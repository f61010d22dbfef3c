/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/predict/predict_print.h -- what `vat predict` prints. */
#pragma once
#include "experiments/predict/predict.h"

/* Print the bounds, and what is simulated between them unless there is no
 * simulation.  An exit code, having printed what is wrong. */
int predict_run(const struct predict_request *request);

/* What is printed of `predictions`, one for each W.  An exit code, as above. */
int predict_print(const struct predict_request *request,
                  const struct prediction *predictions);
