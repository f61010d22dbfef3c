/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/time_budget.h -- how long what is left of a plan will take.
 */
#ifndef EXPERIMENTS_RUN_TIME_BUDGET_H
#define EXPERIMENTS_RUN_TIME_BUDGET_H
#include "experiments/run/driver.h"

/* Seconds that `algo` takes at n in this pass, by seconds an operation. */
double pace_cost_s(const struct driver *d, const struct algo *algo, uint64_t n,
                   double per_op_s);

/* Seconds still to go, by the pace of the current algorithm and, for those to
 * come, the mean pace so far. */
double pace_left_s(const struct driver *d, size_t entry, size_t size,
                   double per_op_s, double mean_s);

/* The time by which the first of `left` algorithms should be done: an equal
 * share of what is left of the pass for each, so that what one leaves over the
 * next get. */
double pace_deadline_s(const struct driver *d, size_t left);

/*
 * The size to measure after the j-th of that entry, or the count of sizes when
 * the time is up.  A thin plan takes every other of those sizes that cost more
 * than a thirty-second of the share: half the points at the expensive end reach
 * nearly twice as far, and the figures stay dense where that is cheap.
 */
size_t pace_next_size(struct driver *d, size_t index, size_t j, double share_s,
                      double deadline);

/* Algorithms from that one on that stopped for the time, and who they are. */
size_t pace_stopped(const struct driver *d, size_t from);
void pace_note_stops(const struct driver *d);
#endif
