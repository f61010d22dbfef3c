/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/experiments/profile/flat_machine.h -- a calibration in which a walk has
 * one price, for tests that work out the rest by hand. */
#pragma once
#include "experiments/probe/calibration.h"

/* One more curve: a cycle for the two smallest sizes, `ns` for the others. */
void flat_machine_curve(struct calibration *cal, const char *name,
                        const char *kind, bool by_pages, double ns);

/* Page chases that take `walk_ns` more on base pages from 64 pages on, and
 * nothing else costs much.  calibration_fini() frees it. */
void flat_machine_make(struct calibration *cal, double walk_ns);
