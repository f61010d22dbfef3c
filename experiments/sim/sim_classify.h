/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_classify.h -- `vat sim --classify`: its options, and what
 * it prints. */
#pragma once
#include <jansson.h>
#include <stdbool.h>

#include "experiments/cli/options.h"
#include "vat/classify.h"

struct sim_classify {
  bool asked;
  struct vat_classify_params params;
};

struct sim_classes {
  struct vat_classify_counts counts;
  struct vat_classify_params params;
  unsigned part_bits;
};

/* Of a struct sim_classify, whose params are vat_classify_defaults. */
extern const struct option_row sim_classify_rows[];

/* Keys for the object that is printed, as a new object; and the same as text.
 */
json_t *sim_classes_json(const struct sim_classes *classes);
void sim_classes_print(const struct sim_classes *classes);
