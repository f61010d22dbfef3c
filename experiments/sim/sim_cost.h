/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_cost.h -- with --tau, what a simulation costs in the VAT
 * model: its accesses, and tau for each miss.
 */
#pragma once
#include <jansson.h>

#include "experiments/sim/sim.h"

/* Nothing without --tau.  As text on standard output, if there are accesses. */
void sim_cost_print(const struct sim_request *request,
                    const struct sim_result *result);
/* Add the keys of doc/simulator.md to what --json prints. */
void sim_cost_json(json_t *object, const struct sim_request *request,
                   const struct sim_result *result);
