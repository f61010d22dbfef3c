/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/layouts.h -- layouts of a profiled program's memory, each
 * a plan.
 *
 * By turns: what saves most within a budget, where these divide what everything
 * takes evenly; what of all candidates is drawn by lot, one of two; and the
 * others.  So they differ in how much memory is on larger pages, and in which.
 * Of a program with few candidates, more are by budgets.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "experiments/cli/option_row.h"
#include "experiments/exec/page_plan.h"

enum { LAYOUT_NAME = 32, LAYOUTS_MOST = 40 };

struct layouts {
  struct page_plan plan[LAYOUTS_MOST];
  char name[LAYOUTS_MOST][LAYOUT_NAME]; /* "budget-1", "lot-1", "rest-1" */
  size_t count;
};

/* What they are drawn from; as of vat plan. */
struct layouts_request {
  const char *from;                   /* the profile */
  const struct option_texts *machine; /* none: those saved with it */
  const char *timed;                  /* NULL: as saved with it */
};

/*
 * `count` of them, or fewer where the profile has not as many that differ.  An
 * exit code, having printed what is wrong; layouts_fini() in any case.
 */
int layouts_draw(struct layouts *layouts, const struct layouts_request *of,
                 size_t count, uint64_t seed);
void layouts_fini(struct layouts *layouts); /* zeroed is fine */
