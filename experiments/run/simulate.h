/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/simulate.h -- beside what was measured, what the VAT
 * model says: vat run --simulate.
 *
 * After the measurements each algorithm's traced twin (experiments/stream/)
 * runs once per size on the same input, in ordinary memory; its addresses go
 * to a translation cache for each size of pages that was measured.  That takes
 * some ten to a hundred times as long as the algorithm, so there is a limit
 * of accesses, and the time budget, if there is one, holds once more.
 */
#pragma once
#include <stddef.h>

#include "experiments/run/driver.h"

/* Records of the results file: those resumed, then those made. */
struct simulation {
  struct simulated *records; /* free() it */
  size_t count;
};

/* Has this vat address streams?  An exit code, having printed why not. */
int simulate_check(const struct plan *plan);

/*
 * Simulate what `driver` has samples of, in its plan, and `simulation` has no
 * record of; each goes to the driver's results file.  Signals must be armed
 * (interrupt.h).  Returns an exit code, having printed what went wrong; an
 * interrupt gives VAT_FAILED with interrupt_pending() true.
 */
int simulate_run(struct simulation *simulation, const struct driver *driver);
