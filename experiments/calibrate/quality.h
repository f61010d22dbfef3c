/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/quality.h -- what a calibration is not good for. */
#pragma once
#include "experiments/probe/calibration.h"

/* Add a warning, as far as there is room. */
void quality_warn(struct calibration *cal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The warnings of noise, in the place of those there are. */
void quality_check_noise(struct calibration *cal);

/* Add what is wrong with the numbers that were derived: noise, and effects that
 * pages of the host hide. */
void quality_check(struct calibration *cal);
