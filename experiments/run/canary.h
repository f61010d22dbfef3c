/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/canary.h -- what the machine is like meanwhile.
 *
 * Programs are slow where others are busy.  Benchmarks that are always the same
 * tell: a loop that only computes; a dependent chase over a quarter of the last
 * cache, so late that others had time to take their part of it
 * (doc/calibration.md, "Neighbours"); and one over as much as all of it, at
 * once, which tells how much there is.
 */
#ifndef EXPERIMENTS_RUN_CANARY_H
#define EXPERIMENTS_RUN_CANARY_H
#include "experiments/run/driver.h"

/* Time them, the chases at most once a second, and note them in the results.
 * Overwrites the beginning of a workspace.  An exit code, having printed why.
 */
int canary_note(struct driver *d);
#endif
