/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/calibrate.h -- measure this machine. */
#pragma once
#include "experiments/calibrate/calibrate_options.h"
#include "experiments/probe/calibration.h"

/*
 * Fill `cal`, to be released in either case.  Returns an exit code, having
 * printed what is wrong; dies of a signal that comes, after giving memory and
 * pools back.
 */
int calibrate(const struct calibrate_options *options, struct calibration *cal);
