/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/validate/costs_levels.h -- which cache still has a line.
 * Internal to experiments/validate/. */
#pragma once
#include "experiments/probe/calibration.h"

/* The first level whose size is beyond `bytes`, the lines accessed since, all
 * together; memory where none is. */
size_t costs_level_at(const struct calibration *cal, double bytes);

/* The shares of such lines that each level is the first to still have, as lines
 * fall into sets at random. */
void costs_level_shares(const struct calibration *cal, double bytes,
                        double shares[CALIBRATION_LEVELS]);
