/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/model.h -- where the parameters of a model come from.
 * Each prints what the model says, and returns an exit code, having printed
 * what is wrong. */
#pragma once
#include "experiments/gpu_models/model_request.h"

int model_of_lists(const struct model_request *request);    /* command line */
int model_of_file(const struct model_request *request);     /* --from */
int model_of_counts(const struct model_request *request);   /* --results */
int model_of_emulated(const struct model_request *request); /* --algo */
