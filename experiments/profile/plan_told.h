/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/plan_told.h -- a plan as the Valgrind tool takes it
 * (experiments/valgrind/plan.h), and what it leaves of it. */
#pragma once
#include "experiments/profile/profile_request.h"
#include "experiments/profile/valgrind.h"

/* The text of --plan FILE, to free(), and what the file says that is saved.
 * Returns an exit code: VAT_USAGE for what is no plan, or one of another build.
 */
int plan_told_make(const char *file, char **text, struct profile_added *added);

/* Into the directory of the run, for all who may read there.  Returns an exit
 * code. */
int plan_told_write(const char *text, const struct valgrind *valgrind);

/* What is left of it.  It may be the plan of another program: that is told.
 * With --trace FILE: the pages of each process, to FILE.layout and, of all but
 * process `first`, to FILE.PID.layout.  Returns an exit code. */
int plan_told_finish(const struct profile_request *request,
                     const struct profile *profile, unsigned first);
