/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/leave_out.h -- what is not worth a choice.
 *
 * Each choice is a rule to be matched, and a line to be read: so the least,
 * which together save next to nothing, are left out.  Not the heap as a whole,
 * which is one.
 */
#pragma once
#include "experiments/profile/chooser_item.h"

/* Marks them; returns what they save: less than 0.5 % of all, or than `noise`,
 * but never more than a tenth. */
double leave_out(struct chooser_item *item, size_t items, double noise);
