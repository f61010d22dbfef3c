/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/calibration_print.h -- a calibration for people. */
#pragma once
#include <stdio.h>

#include "experiments/probe/calibration.h"

void calibration_print(FILE *out, const struct calibration *cal);
/* Where only the curves of what-if were measured (--refresh). */
void calibration_print_refreshed(FILE *out, const struct calibration *cal);
