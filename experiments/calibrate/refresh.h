/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/calibrate/refresh.h -- a calibration, some of it measured anew.
 *
 * What others take of the caches changes within minutes; what the processor is
 * made of does not.  So the curves that `vat profile --what-if` goes by can be
 * measured again in less than a minute, as near as can be to what is to be
 * predicted; all other numbers stay what they were.
 */
#pragma once
#include "experiments/calibrate/calibrate.h"

/* Fill `cal`, to be released in either case, with the file options->refresh
 * and what is measured.  Exit codes as those of calibrate(). */
int refresh(const struct calibrate_options *options, struct calibration *cal);

/* Curves of `fresh` replace those of `cal` that have their name, kind of pages
 * and chains, or are added; its noise does, too.  `fresh` keeps no curve. */
void refresh_merge(struct calibration *cal, struct calibration *fresh);
