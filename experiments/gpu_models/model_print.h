/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/model_print.h -- what a model says, as a table or
 * JSON. */
#pragma once
#include "experiments/gpu_models/model_request.h"

/* A line of it. */
struct model_line {
  const char *name;          /* of the case, or of what was counted */
  const char *algo;          /* what the case is beside, or NULL */
  const char *counted;       /* the device it was counted on, or NULL */
  const char *generator;     /* of its input; NULL or empty: none */
  double n;                  /* NAN: it has none */
  const struct gpu_case *at; /* NULL: counted */
  double parameters[GPU_PARAMETERS_MAX]; /* of that case */
  size_t kernels;                        /* that were added up; 0: it is one */
  double outputs[GPU_OUTPUTS_MAX];
};

/* What stands above a table; nothing for JSON. */
void model_print_head(const struct model_request *request);
/* To who reads it: arithmetic was not counted. */
void model_note_bound(void);
void model_print_line(const struct model_request *request,
                      const struct model_line *line);
