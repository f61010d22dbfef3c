/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/derive.h -- from curves to numbers.
 *
 * Pure: the same curves give the same numbers, on whatever machine.
 * doc/calibration.md has the reasoning.
 */
#pragma once
#include "experiments/probe/calibration.h"

/*
 * Fill levels, pages and streams of `cal` from its curves; names and reported
 * sizes of levels, and names and sizes of page kinds must be there.  What a
 * curve does not show becomes NAN, as all intervals do (intervals.h).
 */
void derive(struct calibration *cal);
