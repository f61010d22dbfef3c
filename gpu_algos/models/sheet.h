/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_algos/models/sheet.h -- a model as sheets: numbers go in, numbers and
 * words come out, and each sheet has its own of both.
 *
 * What a machine has stands in a row of numbers, which parameters name; so they
 * are taken from there unless they are given.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { SHEET_PARAMETERS_MAX = 20, SHEET_OUTPUTS_MAX = 10, SHEET_VALUES = 14 };

struct sheet_parameter {
  const char *name; /* as typed behind --, and "-" as "_" a key of JSON */
  const char *meaning;
  double usual;       /* NAN: it is of the machine, or has to be given */
  int value;          /* of the machine, counted from 1; 0: none */
  double least, most; /* "most" is finite */
  bool whole;
};

struct sheet_output {
  const char *key; /* of JSON: "f_sched" */
  /* What its values 0, 1, ... are called; sheet_truth: false and true; NULL: it
   * is a number. */
  const char *const *names;
};
extern const char *const sheet_truth[];

struct sheet {
  const char *name, *summary, *source;
  const struct sheet_parameter *parameters; /* the last has no name */
  const struct sheet_output *outputs;       /* the last has no key */
  /* All parameters, in their ranges and order, to all outputs. */
  void (*evaluate)(const double *parameters, double *outputs);
};

struct sheet_machine {
  const char *name, *title, *source;
  double value[SHEET_VALUES];
};

struct sheet_model {
  const char *name, *title, *source;
  const struct sheet *sheets; /* the last has no name */
  /* The machine at `index`, counted from 0; false: there are fewer. */
  bool (*machine)(size_t index, struct sheet_machine *machine);
};

extern const struct sheet_model sheet_model_calibrated, sheet_model_integrated;

/* By name; NULL or false: there is none. */
const struct sheet *sheet_find(const struct sheet_model *model,
                               const char *name);
bool sheet_machine_find(const struct sheet_model *model, const char *name,
                        struct sheet_machine *machine);
/* Where a parameter or output stands; -1: nowhere. */
int sheet_parameter_find(const struct sheet *sheet, const char *name);
int sheet_output_find(const struct sheet *sheet, const char *key);
