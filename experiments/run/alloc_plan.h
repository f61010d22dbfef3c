/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/alloc_plan.h -- from --alloc to a plan.
 *
 * Each int function returns an exit code, having printed what is wrong.
 */
#pragma once
#include <stddef.h>

#include "experiments/run/plan.h"
#include "experiments/run/run_options.h"

/*
 * Set plan->alloc, if one of the algorithms asked for allocates.  Where the
 * page kinds are left open, ordinary allocators narrow the plan's to base
 * pages.
 */
int alloc_choose(const struct run_options *options, struct plan *plan);

/* Can the plan's allocator be had here, and on its page kinds? */
int alloc_check(const struct plan *plan);

/* Bytes of nodes that may lie outside all regions. */
size_t alloc_elsewhere_bytes(const struct plan *plan);
