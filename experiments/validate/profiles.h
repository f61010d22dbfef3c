/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/profiles.h -- the costs of points, from the reuse
 * profiles of their programs.
 */
#pragma once
#include "experiments/validate/points.h"

/*
 * Give every point of a program that is not left out its costs, from the cache
 * on disk or else simulated, which may take minutes.  Each size is simulated
 * once, for all page kinds.  Signals must be armed (interrupt.h).  An exit
 * code, having printed why; VAT_FAILED with interrupt_pending() true where one
 * came.
 */
int profiles_fill(struct points *points, const struct calibration *cal);
