/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_classify.h -- `vat sim --classify`: its options, and what
 * it prints. */
#ifndef EXPERIMENTS_SIM_SIM_CLASSIFY_H
#define EXPERIMENTS_SIM_SIM_CLASSIFY_H
#include <argp.h>
#include <jansson.h>
#include <stdbool.h>

#include "vat/classify.h"

struct sim_classify {
  bool asked;
  const char *tuned; /* an option that needs --classify, or NULL */
  struct vat_classify_params params;
};

struct sim_classes {
  struct vat_classify_counts counts;
  struct vat_classify_params params;
  unsigned part_bits;
};

/* A child of the command's argp; its input is a struct sim_classify, which it
 * sets up. */
extern const struct argp sim_classify_argp;

/* An exit code, having printed what is wrong. */
int sim_classify_check(const struct sim_classify *classify);

/* Keys for the object that is printed, as a new object; and the same as text.
 */
json_t *sim_classes_json(const struct sim_classes *classes);
void sim_classes_print(const struct sim_classes *classes);
#endif
