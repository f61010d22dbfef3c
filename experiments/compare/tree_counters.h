/* SPDX-License-Identifier: GPL-3.0-or-later */
/* experiments/compare/tree_counters.h -- hardware counters over a program and
 * all that it starts.
 *
 * The quantities and events are those of experiments/counters/; here they are
 * inherited by children and start with the program.  What is absent in vat's
 * own counters is absent here, too: those have found out which quantities the
 * processor counts at once, and events that share a counter would only be
 * estimates.
 */
#pragma once
#include <sys/types.h>

#include "experiments/machine/counter_ladder.h"
#include "experiments/machine/counters.h"

struct tree_counters {
  int fds[QUANTITY_COUNT][RUNG_EVENTS]; /* -1: none */
};

/* Attach to `pid`, which has yet to execute the program; `own` are vat's, of
 * all quantities, or NULL to count nothing. */
void tree_counters_open(struct tree_counters *counters,
                        const struct counters *own, pid_t pid);

/* Read, after the tree has ended, and close.  NAN: absent. */
void tree_counters_close(struct tree_counters *counters,
                         double counts[QUANTITY_COUNT]);
