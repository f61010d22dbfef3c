/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/plan_shard.h -- the part of a plan that one machine does. */
#pragma once
#include "experiments/run/plan.h"

/*
 * Leave the plan the points of one shard, whose entries may then have none.  A
 * point is an entry at a size, with all its page kinds and repetitions, since
 * these are compared; they are numbered by size first, so that the largest,
 * which take longest, are spread.  -1 with EINVAL and `reason` (there are fewer
 * points than shards), or ENOMEM.
 */
int plan_shard(struct plan *plan, struct shard shard, char reason[PLAN_REASON]);
