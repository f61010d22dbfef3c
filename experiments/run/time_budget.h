/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/run/time_budget.h -- how long what is left of a plan will take,
 * and what of it the time allows. */
#pragma once
#include "experiments/run/plan.h"

/* How far an algorithm of the plan came, while it is measured. */
struct budget_entry {
  double per_op_s; /* seconds an operation, all told */
  bool stopped;    /* for the time, behind size number `last` */
  size_t last;
};

struct time_budget {
  const struct plan *plan;
  size_t page_kinds;            /* that are measured side by side */
  uint32_t pass;                /* over the plan, from 0 */
  double start_s, first_s;      /* of all, and of measuring */
  struct budget_entry *entries; /* of the plan */
};

/* Seconds that `algo` takes at n in a pass, by seconds an operation. */
double budget_cost_s(const struct time_budget *b, uint32_t pass,
                     const struct algo *algo, uint64_t n, double per_op_s);

/* Seconds still to go, by the time an operation of the current algorithm takes
 * and, for those to come, the mean so far. */
double budget_left_s(const struct time_budget *b, size_t entry, size_t size,
                     double per_op_s, double mean_s);

/* The time by which the first of `left` algorithms should be done: an equal
 * share of what is left of the pass for each, so that what one leaves over the
 * next get. */
double budget_deadline_s(const struct time_budget *b, size_t left);

/*
 * The size to measure after the j-th of that entry, or the count of sizes when
 * the time is up.  A thin plan takes every other of those sizes that cost more
 * than a thirty-second of the share: half the points at the expensive end reach
 * nearly twice as far, and the figures stay dense where that is cheap.
 */
size_t budget_next_size(struct time_budget *b, size_t index, size_t j,
                        double share_s, double deadline);

/* Algorithms from that one on that stopped for the time, and who they are. */
size_t budget_stopped(const struct time_budget *b, size_t from);
void budget_note_stops(const struct time_budget *b);
