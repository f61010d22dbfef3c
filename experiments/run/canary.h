/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/canary.h -- what the machine is like meanwhile.
 *
 * Programs are slow where others are busy.  Benchmarks that are always the same
 * tell: a loop that only computes; a dependent chase over a quarter of the last
 * cache, so late that others had time to take their part of it
 * (doc/calibration.md, "Neighbours"); and one over as much as all of it, at
 * once, which tells how much there is.
 */
#pragma once
#include "experiments/memory/workspaces.h"
#include "experiments/results/results.h"

/* Time them, the chases at most once a second, and note them in the results.
 * `chased_s` is when chases were timed last, 0: never.  Overwrites the
 * beginning of a workspace.  An exit code, having printed why. */
int canary_note(const struct workspaces *workspaces, uint32_t pass,
                struct results_writer *writer, double *chased_s);
