/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/gpu_models/model_request.h -- what vat model is asked for.
 *
 * Its options are the parameters of all cases of all models, by name, so that
 * the tables of models are all there is to extend.
 */
#pragma once
#include <stdbool.h>

#include "experiments/cli/numbers.h"
#include "experiments/cli/options.h"
#include "experiments/gpu_models/gpu_record.h"
#include "gpu_algos/models/gpu_model.h"

enum { MODEL_OPTIONS_MAX = 32 };

struct model_request {
  struct option_words words; /* as typed: */
  const struct gpu_model *model;
  const char *case_name;     /* NULL: all that was counted */
  const struct gpu_case *at; /* the case of that name; NULL: what was counted */
  const struct gpu_arch *arch;
  struct gpu_record record; /* where it is of a results file */
  const char *algo;         /* of what was or is to be counted; NULL: all */
  const char *from;         /* a file of kernels, or NULL */
  const char *results;      /* a file of counts, or NULL */
  bool json;
  struct sizes given[MODEL_OPTIONS_MAX]; /* by option; none: not given */
};

const struct option_table *model_table(void);

/* Fill from the command line; options_fini(model_table()) in any case.
 * An exit code, having printed what is wrong. */
int model_request_parse(struct model_request *request, int argc, char **argv);

/* What was given of the parameter `name`; NULL: nothing. */
const struct sizes *model_request_given(const struct model_request *request,
                                        const char *name);

/* Is `value` one that the parameter takes?  Else it is told, behind `where`. An
 * exit code. */
int model_request_check(const struct gpu_parameter *parameter, double value,
                        const char *where);

/* What the model says, by where its parameters come from.  Each prints, and
 * returns an exit code, having printed what is wrong. */
int model_of_lists(const struct model_request *request);    /* command line */
int model_of_file(const struct model_request *request);     /* --from */
int model_of_counts(const struct model_request *request);   /* --results */
int model_of_emulated(const struct model_request *request); /* --algo */

/* A line of what a model says, as a table or JSON. */
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

/* What stands above a table, of which there is one at a time; nothing for JSON.
 */
void model_print_head(const struct model_request *request);
void model_print_end(void);
/* To who reads it: arithmetic was not counted. */
void model_note_bound(void);
void model_print_line(const struct model_request *request,
                      const struct model_line *line);
