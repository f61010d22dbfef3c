/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/rules_text.h -- a plan as the text of rules.h. */
#pragma once
#include <stdbool.h>

#include "experiments/exec/page_plan.h"

/* Blocks of a site that are as large have memory of their own in the plan;
 * smaller ones are those of "site-small". */
enum { SITE_LARGE_LEAST = 2 << 20 };

/* The caller frees it. */
char *rules_text(const struct page_plan *plan);

/* Does some choice of the plan need malloc to be interposed? */
bool plan_has_sites(const struct page_plan *plan);
