/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/profile/leave_out.h -- what is not worth a choice.
 *
 * Each choice is a rule to be matched, and a line to be read: so the least,
 * which together save next to nothing, are left out.  So is the heap as a
 * whole, if its sites save as much but for next to nothing: they take less, and
 * their blocks begin with a page.
 */
#pragma once
#include "experiments/profile/chooser_item.h"

/* Next to nothing: 0.5 % of all, or `noise`, but never more than a tenth. */
double leave_out_nothing(double all, double noise);

/* Marks the least but for the heap; returns what they save. */
double leave_out(struct chooser_item *item, size_t items, double noise);
