/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/sim/sim_table.h -- the result of --table. */
#pragma once
#include "experiments/sim/sim.h"

/* On standard output, as text or with --json as a line of JSON. */
void sim_table_print(const struct sim_request *request,
                     const struct sim_result *result);
