/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/report/report_notes.h -- what is not on the page, and why. */
#pragma once
#include "experiments/report/report_part.h"

/* List items on what is absent, and why: counters, page kinds, samples; of a
 * part that is alone also the figures. */
void report_notes(FILE *page, const struct report_part *part, bool alone);
/* List items on the figures that none of the parts has; false: there is none.
 */
bool report_not_drawn(FILE *page, const struct report_part *parts,
                      size_t count);
