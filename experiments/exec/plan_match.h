/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/exec/plan_match.h -- is a plan one of this program, and of this
 * build of it?
 *
 * Return addresses hold for one build of an object only.  Of another build a
 * chain of calls is found by the names of its functions: every frame that has
 * a name must have it there, and the first must have one other than main(),
 * which every program has.  Objects that are not loaded with the program, and
 * programs that it starts, are compared by the library when they come.
 */
#pragma once
#include "experiments/exec/executable.h"
#include "experiments/exec/page_plan.h"

/*
 * Compare the plan, which was read from `path`, with `program`, which is to be
 * run with the words of `argv`.  Choices that cannot be found there get a
 * reason in `refused`, and a line on stderr.  Returns an exit code: VAT_USAGE,
 * with a line, if it is the plan of another program, or no choice is left.
 */
int plan_match(struct page_plan *plan, const char *path,
               const struct executable *program, char *const *argv);
