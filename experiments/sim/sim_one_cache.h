/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_one_cache.h -- what --one-cache requires, and prints. */
#pragma once
#include <jansson.h>

#include "experiments/cli/text_table.h"
#include "experiments/sim/sim.h"

/* Can lines of data and tables be told apart?  Once the levels are known; an
 * exit code, having printed why not. */
int sim_one_cache_check(const struct vat_tree *tree);

/* The row of the data, before those of the layers. */
void sim_one_cache_row(struct text_table *table,
                       const struct sim_result *result);

/* Add the keys of --one-cache. */
void sim_one_cache_json(json_t *object, const struct sim_result *result);
