/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_parallel.h -- the result of --processors, beside that of
 * all of them. */
#pragma once
#include <jansson.h>

#include "experiments/sim/sim.h"

/* How accesses and TCs are divided, a line on standard output. */
void sim_parallel_print(const struct sim_request *request,
                        const struct sim_result *result);

/* Which processor has the most misses, likewise. */
void sim_parallel_print_most(const struct sim_request *request,
                             const struct sim_result *result);

/* Add the keys of --processors. */
void sim_parallel_json(json_t *object, const struct sim_request *request,
                       const struct sim_result *result);
