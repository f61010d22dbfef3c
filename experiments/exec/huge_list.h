/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/huge_list.h -- a plan by rule: the list of --huge. */
#pragma once
#include "experiments/exec/page_plan.h"

/* From here on blocks and mappings are worth a page of 2 MiB each; smaller
 * mappings share one. */
enum { HUGE_LEAST = 256 << 10 };

/*
 * Make a plan of `list`, WHATs with commas between them: heap, data, stack,
 * text, text=NAME, mappings, mappings>=SIZE, site=FUNCTION,
 * site=FUNCTION@OBJECT, file=NAME, all.  Its numbers are unknown.  A site is a
 * choice of blocks of any size with one frame, whose offset is 0: found by its
 * function.  Returns an exit code, having printed what is wrong; the plan is
 * then empty.
 */
int huge_list_read(struct page_plan *plan, const char *list);
