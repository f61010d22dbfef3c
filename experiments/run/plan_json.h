/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/plan_json.h -- the record of a plan in a results file. */
#ifndef EXPERIMENTS_RUN_PLAN_JSON_H
#define EXPERIMENTS_RUN_PLAN_JSON_H
#include <jansson.h>

#include "experiments/run/plan.h"

/* {"record":"plan",...}, owned by the caller; NULL: no memory. */
json_t *plan_to_json(const struct plan *plan);

/* The plan of a record.  -1 with EINVAL and `reason`, or ENOMEM. */
int plan_from_json(struct plan *plan, const json_t *record,
                   char reason[PLAN_REASON]);
#endif
