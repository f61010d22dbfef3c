/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/run_plan.h -- from the options of vat run to a plan. */
#pragma once
#include <stddef.h>

#include "experiments/run/data_plan.h"
#include "experiments/run/plan.h"
#include "experiments/run/run_options.h"

/*
 * The plan the options ask for, sized to this machine where they leave it
 * open; `data` becomes its --input, which it refers to.  Returns an exit code,
 * having printed what is wrong.
 */
int run_plan(const struct run_options *options, struct data *data,
             struct plan *plan);

/* Have all algorithms of the plan, which is not of a file, the blocks that were
 * asked for?  An exit code, as above. */
int run_check_blocks(const struct plan *plan);

/* Leave that plan, likewise, the shard that was asked for. */
int run_shard(const struct run_options *options, struct plan *plan);

/* Does `plan`, read from a results file, agree with every option given, which
 * `made` is of?  Returns NULL, or the option that does not: "--sizes". */
const char *run_plan_conflict(const struct run_options *options,
                              const struct plan *made, const struct plan *plan);

/*
 * Open the counters the plan asks for.  NULL with *code set, having printed
 * why: an unknown name (2), or one asked for that is absent here (3).
 */
struct counters *run_counters(const struct plan *plan, int *code);

/* Check that the plan's workspaces, side by side, fit this machine's memory.
 * Sets *bytes, the size of each.  Returns an exit code, as above. */
int run_memory(const struct run_options *options, const struct plan *plan,
               size_t *bytes);
