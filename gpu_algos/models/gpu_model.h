/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/gpu_model.h -- a model of what programs take on a GPU.
 *
 * A model is a calculator: cases (programs) with parameters go in, numbers come
 * out, by formulas that cite their source.  It measures nothing and needs no
 * GPU.  A model is a file with a table of its cases, and a line in gpu_models.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "gpu_algos/models/gpu_arch.h"
#include "gpu_algos/models/gpu_counts.h"

enum { GPU_PARAMETERS_MAX = 8, GPU_OUTPUTS_MAX = 12 };

/* A whole number that a case depends on. */
struct gpu_parameter {
  const char *name; /* as typed behind --, and a key of JSON: "stride" */
  const char *meaning;
  double usual; /* NAN: it has to be given */
  double least, most;
};

struct gpu_output {
  const char *key; /* of JSON: "time_ms_max" */
  const char *head, *unit;
  bool adds; /* over kernels that run one after the other */
};

struct gpu_case {
  const char *name; /* as typed: "matmul" */
  const char *summary, *source;
  const struct gpu_parameter *parameters; /* the last has no name */
  /* All parameters, in their order and ranges, to all outputs of the model. */
  void (*evaluate)(const struct gpu_arch *arch, const double *parameters,
                   double *outputs);
  /* The same beside what was counted while a program ran on as many elements;
   * NULL: it takes no counts. */
  void (*of_counts)(const struct gpu_arch *arch, const double *parameters,
                    const struct gpu_counts *counts, double *outputs);
};

struct gpu_model {
  const char *name, *title, *summary, *source;
  const struct gpu_case *cases;     /* the last has no name */
  const struct gpu_output *outputs; /* the last has no key */
  /* What was counted while a program ran, to all outputs: NAN for what these
   * counts do not tell.  NULL: it takes none, but where a case does. */
  void (*of_counts)(const struct gpu_arch *arch,
                    const struct gpu_counts *counts, double *outputs);
};

extern const struct gpu_model *const gpu_models[]; /* NULL-ended */

/* By name, or NULL. */
const struct gpu_model *gpu_model_find(const char *name);
const struct gpu_case *gpu_case_find(const struct gpu_model *model,
                                     const char *name);

/* How many there are. */
size_t gpu_case_parameters(const struct gpu_case *c);
size_t gpu_model_outputs(const struct gpu_model *model);

/* Where the output called `key` stands; GPU_OUTPUTS_MAX: nowhere. */
size_t gpu_model_output(const struct gpu_model *model, const char *key);
