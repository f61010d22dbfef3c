/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/plan_json.h -- a plan as the second record of a results file;
 * doc/results-format.md has every key.
 */
#pragma once
#include "experiments/cli/record.h"
#include "experiments/run/plan.h"

/* All of it but what samples have, too: sample_variant_fields. */
extern const struct field plan_fields[];

/* {"record":"plan",...}, owned by the caller; NULL: no memory. */
json_t *plan_to_json(const struct plan *plan);

/* The plan of a record.  -1 with EINVAL and `reason`, or ENOMEM. */
int plan_from_json(struct plan *plan, const json_t *record,
                   char reason[PLAN_REASON]);
