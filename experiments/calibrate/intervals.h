/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/intervals.h -- how sure the derived numbers are. */
#pragma once
#include "experiments/calibrate/measure.h"
#include "experiments/probe/calibration.h"

/*
 * Set lo and hi of every derived value of `cal`, whose values stand: the 2.5 %
 * and 97.5 % points of what follows from repetitions drawn with replacement,
 * and what up to four parts of the time give alone, as neighbours come and go.
 * NAN with fewer than three repetitions.
 */
void intervals(struct calibration *cal, const struct recording *rec);
